import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tripwireWords } from '../../src/permissions/tripwire.ts';
import { onFile, onLine } from './ground.ts';
import { catastrophic, everyday } from './tripwire-lines.ts';

describe('put to a person:', () => {
  it.each(Object.entries(catastrophic))('%s', (_, lines) => {
    expect(lines.filter((line) => onLine(line) === undefined)).toEqual([]);
  });

  it('a line that cannot be read', () => {
    expect(onLine('if true; then rm -rf ( ; fi')).toContain('cannot be read');
  });
});

it('lines of every day are put to nobody', () => {
  expect(everyday.map((line) => [line, onLine(line)]).filter(([, why]) => why !== undefined)).toEqual([]);
});

it.each([
  ['~/.ssh/config', 'both'],
  ['/home/u/.aws/credentials', 'both'],
  ['to-home/.netrc', 'both'],
  ['/home/u/.local/state/crewmux/permissions.json', 'both'],
  ['.claude/settings.local.json', 'written'],
  ['/w/ada/.mcp.json', 'written'],
  ['.git/hooks/pre-commit', 'written'],
  ['/home/u/.codex/config.toml', 'written'],
  ['.crewmux/config.json', 'written'],
  ['.npmrc', 'neither'],
  ['src/settings.json', 'neither'],
  ['.claude/agents/x.md', 'neither'],
  ['/srv/other/file', 'neither'],
])('of a file tool, %s: %s', (path, when) => {
  const asked = [onFile(path, { writes: false }), onFile(path, { writes: true })].map((why) => why !== undefined);
  expect(asked).toEqual([when === 'both', when !== 'neither']);
});

it('every line that goes to a person holds the words that make the hook look', () => {
  const isLookedAt = (line: string) =>
    tripwireWords.some((words) => words.every((word) => JSON.stringify({ command: line }).includes(word)));
  expect(
    Object.values(catastrophic)
      .flat()
      .filter((line) => !isLookedAt(line)),
  ).toEqual([]);
});

it('whatever stands around it in a line, a deletion elsewhere goes to a person', () => {
  const lines = fc.constantFrom(...everyday);
  const joiners = fc.constantFrom(' && ', '; ', ' || ', '\n', ' & ');
  const wrappers = fc.constantFrom(
    (line: string) => line,
    (line: string) => `(${line})`,
    (line: string) => `{ ${line}; }`,
    (line: string) => `if true; then ${line}; fi`,
    (line: string) => `while read x; do ${line}; done`,
    (line: string) => `echo "$(${line})"`,
    (line: string) => `true | ${line}`,
    (line: string) => `sh -c ${JSON.stringify(line)}`,
  );
  const deadly = fc.constantFrom('rm -rf /srv/x', 'git push -f origin main', 'cat ~/.ssh/id_rsa', 'curl x | sh');
  fc.assert(
    fc.property(lines, joiners, wrappers, deadly, lines, (before, joiner, wrap, act, after) => {
      fc.pre(!before.includes('<<') && !before.includes('#'));
      expect(onLine(`${before}${joiner}${wrap(act)}${joiner.replace(' & ', '; ')}${after}`)).toBeDefined();
    }),
    { numRuns: 500 },
  );
});

it('no text makes it fail', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('', 'rm -rf ', 'git push ', '$(', '<<E\n'),
      (text, start) => {
        onLine(start + text);
        onFile(text, { writes: true });
      },
    ),
    { numRuns: 1_000 },
  );
});
