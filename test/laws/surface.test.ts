import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { describeTool } from '../../src/mcp/describe-tool.ts';
import { instructionsFor } from '../../src/mcp/instructions.ts';
import { workerProfile } from '../../src/mcp/profiles.ts';
import { toolSets } from '../../src/model/tool-set.ts';
import * as toolFiles from '../../src/tools/index.ts';
import { workerTools } from '../../src/tools/worker/index.ts';
import { root, sourcesIn } from './source.ts';

const { tools } = toolFiles;
const all = [...tools, ...workerTools];
const names = all.map(({ name }) => name);

it.each([
  ['src/tools', tools],
  ['src/tools/worker', workerTools],
] as const)('a tool in %s has the name of its file and of its constant', (folder, there) => {
  const files = sourcesIn(folder).filter(
    ({ path, imports }) => dirname(path) === folder && imports.some((one) => one.names.includes('defineTool')),
  );
  const spelled = files.map(({ path, text }) => {
    const file = path.slice(folder.length + 1, -'.ts'.length);
    return {
      file,
      constant: /export const (\w+) = defineTool/.exec(text)?.[1],
      wire: /\bname: '(\w+)'/.exec(text)?.[1],
    };
  });
  expect(spelled).toEqual(
    spelled.map(({ file }) => ({
      file,
      constant: file.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
      wire: file.replaceAll('-', '_'),
    })),
  );
  expect(spelled.map(({ wire }) => wire).sort()).toEqual(there.map(({ name }) => name).sort());
});

it('a tool takes its shapes from wire/, where each is written once', () => {
  const writers = sourcesIn('src/tools').filter(
    ({ imports }) =>
      imports.some(({ names }) => names.includes('defineTool')) && imports.some(({ target }) => target === 'zod'),
  );
  expect(writers.map(({ path }) => `${path} makes a schema; it belongs in wire/`)).toEqual([]);
});

const property = z.looseObject({
  type: z.string().optional(),
  description: z.string().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  items: z.unknown().optional(),
});

/** Parameters without a word of description, at every depth. */
function silent(schema: unknown, path = ''): readonly string[] {
  const { properties = {}, items } = property.catch({}).parse(schema);
  const inner = Object.entries(properties).flatMap(([name, held]) => [
    ...(property.parse(held).description === undefined ? [`${path}${name}`] : []),
    ...silent(held, `${path}${name}.`),
  ]);
  return items === undefined ? inner : [...inner, ...silent(items, path)];
}

const lastName = (path: string): string => path.split('.').at(-1) ?? '';
const takesWork = (name: string): boolean => name === 'submit_task' || name === 'create_plan';
/** What spawn_workers describes of a worker; tasks and jobs take it as well. */
const dispatch = [
  ...['agent_type', 'model', 'role', 'preset', 'permission_mode', 'sandbox', 'skip_permissions', 'env', 'mcp_config'],
  ...['append_system_prompt', 'bead', 'copy_files', 'symlink_dirs', 'setup_commands', 'max_turns'],
  'max_cost_usd',
];

it('what a worker is started with is described in spawn_workers alone', () => {
  const described = (name: string) => {
    const schema = JSON.stringify(tools.find((tool) => tool.name === name)?.inputSchema());
    return dispatch.filter((word) => new RegExp(`"${word}":\\{[^{}]*(\\{[^{}]*\\})?[^{}]*"description"`).test(schema));
  };
  expect(['spawn_workers', 'submit_task', 'create_plan', 'edit_plan'].map(described)).toEqual([dispatch, [], [], []]);
});

describe.each(all)('$name', (tool) => {
  it('says when to use it, when another, and what it will not do, within bounds', () => {
    expect(tool.description.length).toBeGreaterThan(150);
    expect(tool.description.length).toBeLessThanOrEqual(350);
    expect(tool.description).toMatch(/\buse\b/i);
    expect(tool.description).toMatch(/\b(not|never|nothing|no)\b/);
    expect(tool.description).not.toMatch(/\s{2,}|\t/);
  });

  it('names only tools that there are', () => {
    const spoken = JSON.stringify([tool.description, tool.inputSchema()]).match(
      /\b[a-z]+(_[a-z]+)*_(workers?|logs|screen|changes|status|worktrees|help|tasks?|plan)\b(?!":)/g,
    );
    expect((spoken ?? []).filter((word) => !names.includes(word))).toEqual([]);
  });

  it('describes every parameter, in a schema that every client can read', () => {
    const known = takesWork(tool.name) ? dispatch : [];
    expect(silent(tool.inputSchema()).filter((path) => !known.includes(lastName(path)))).toEqual([]);
    expect(Object.keys(tool.inputSchema())).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(anyOf|oneOf|allOf)$/)]),
    );
    expect(tool.inputSchema()).toMatchObject({ type: 'object' });
  });

  it('has nothing in its schema that is only checked: a call that errs in it hears what is right', () => {
    const ballast = /"(additionalProperties":(false|\{\})|\$schema"|pattern"|maxLength"|minItems"|default":false)/g;
    expect(JSON.stringify(tool.inputSchema()).match(ballast) ?? []).toEqual([]);
  });

  it('has a line at most for each parameter', () => {
    const words = [...JSON.stringify(tool.inputSchema()).matchAll(/"description":"((?:[^"\\]|\\.)*)"/g)];
    expect(words.map(([, text = '']) => text).filter((text) => text.length > 120)).toEqual([]);
  });

  it('does not call itself harmless and destructive at once', () => {
    expect(tool.hints.readOnly && tool.hints.destructive).toBe(false);
  });

  it('looks to a client as it did when somebody last looked', async () => {
    const { name, set, title, description, hints, alwaysLoad } = tool;
    const surface = {
      name,
      set,
      title,
      description,
      hints,
      alwaysLoad,
      input: tool.inputSchema(),
      output: describeTool(tool).outputSchema,
    };
    await expect(`${JSON.stringify(surface, null, 2)}\n`).toMatchFileSnapshot(`surface/${name}.json`);
  });
});

it('no tool that is gone has left its picture behind', () => {
  expect(readdirSync(join(root, 'test/laws/surface')).sort()).toEqual(names.map((name) => `${name}.json`).sort());
});

it('every tool of a manager is in a set', () => {
  expect(tools.filter(({ set }) => set === undefined).map(({ name }) => name)).toEqual([]);
});

it('the list of all tools is short enough for every client', () => {
  expect(JSON.stringify({ tools: tools.map(describeTool) }).length).toBeLessThanOrEqual(66_000);
});

it('what a model reads before it calls anything stays small', () => {
  const input = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema: inputSchema() }));
  expect(JSON.stringify(input).length).toBeLessThan(44_000);
  const always = tools
    .filter(({ alwaysLoad }) => alwaysLoad)
    .map(({ name, description, inputSchema }) => [name, description, inputSchema()]);
  expect(JSON.stringify(always).length).toBeLessThan(14_000);
});

it('what a worker reads of its own tools stays smaller still', async () => {
  const shown = workerTools.map(({ name, description, inputSchema }) => [name, description, inputSchema()]);
  expect(JSON.stringify([await workerProfile.instructions(), shown]).length).toBeLessThan(10_000);
});

it('the instructions fit into what a client shows of them, and name only tools that there are', () => {
  const instructions = instructionsFor(toolSets);
  expect(Buffer.byteLength(instructions)).toBeLessThanOrEqual(2_048);
  const spoken = instructions.match(/\b[a-z]+(_[a-z]+)*_(workers?|logs|screen|status|tasks?|plan)\b/g) ?? [];
  expect(spoken.filter((word) => !names.includes(word))).toEqual([]);
});
