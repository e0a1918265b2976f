import fc from 'fast-check';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { withServer } from '../../src/cli/mcp-json.ts';

const record = z.record(z.string(), z.unknown());
const entry = { command: 'npx', args: ['-y', 'crewmux'] };
const added = (text: string | undefined): string => {
  const made = withServer(text, 'crewmux', entry);
  if (made.is !== 'added') throw new Error(JSON.stringify(made));
  return made.text;
};

it('a hand-written file keeps its own lines and order', () => {
  const text = `{
    "mcpServers": {
        "a": { "command": "x", "args": ["{", "\\"mcpServers\\": {"] }
    },
    "z": 1
}
`;
  expect(added(text)).toMatchInlineSnapshot(`
    "{
        "mcpServers": {
            "crewmux": {
                "command": "npx",
                "args": [
                    "-y",
                    "crewmux"
                ]
            },
            "a": { "command": "x", "args": ["{", "\\"mcpServers\\": {"] }
        },
        "z": 1
    }
    "
  `);
});

it('an empty object gets its lines', () => {
  expect(added('{"mcpServers": {}}\n')).toMatchInlineSnapshot(`
    "{"mcpServers": {
        "crewmux": {
          "command": "npx",
          "args": [
            "-y",
            "crewmux"
          ]
        }
      }}
    "
  `);
  expect(added(undefined)).toMatchInlineSnapshot(`
    "{
      "mcpServers": {
        "crewmux": {
          "command": "npx",
          "args": [
            "-y",
            "crewmux"
          ]
        }
      }
    }
    "
  `);
});

it('whatever JSON stands there, the server is added and every other value stays', () => {
  // What this key means to an object literal would trouble the test, not the text.
  const key = fc.string().filter((name) => name !== '__proto__');
  const servers = fc.dictionary(key, fc.jsonValue());
  const file = fc.tuple(fc.dictionary(key, fc.jsonValue()), fc.option(servers, { nil: undefined }));
  fc.assert(
    fc.property(file, fc.constantFrom(undefined, '\t', 2, 4), ([rest, mcpServers], indent) => {
      const text = JSON.stringify({ ...rest, ...(mcpServers === undefined ? {} : { mcpServers }) }, null, indent);
      const made = withServer(text, 'crewmux', entry);
      if (made.is === 'present') return expect(mcpServers).toHaveProperty('crewmux');
      if (made.is === 'refused') return expect(rest).toHaveProperty('mcpServers');
      const parsed: unknown = JSON.parse(made.text);
      const before = record.parse(JSON.parse(text));
      const servers = record.parse(before.mcpServers ?? {});
      expect(parsed).toEqual({ ...before, mcpServers: { ...servers, crewmux: entry } });
    }),
  );
});

it('a key of the same name further inside is not taken for the servers', () => {
  expect(JSON.parse(added('{"x": {"mcpServers": {}}, "y": [{"mcpServers": {}}]}'))).toEqual({
    x: { mcpServers: {} },
    y: [{ mcpServers: {} }],
    mcpServers: { crewmux: entry },
  });
});
