import { expect, test } from 'vitest';
import { callsOf, gistOf } from '../../src/agents/tool-line.ts';

test.each([
  [{ command: 'git commit -m "a\n b"', description: 'Commit it' }, 'git commit -m "a b"'],
  [{ cmd: 'ls -l', yield_time_ms: 1_000 }, 'ls -l'],
  [{ command: ['bash', '-lc', 'ls | wc'] }, 'ls | wc'],
  [{ command: ['ls', '-l'] }, 'ls -l'],
  [{ file_path: '/p/a.ts', content: 'x' }, '/p/a.ts'],
  [{ pattern: 'x+', path: 'src' }, 'x+'],
  [{ description: 'Look around', prompt: 'Look at all of it.' }, 'Look around'],
  [{ text: 'hi' }, '{"text":"hi"}'],
  [{ command: '' }, '{"command":""}'],
])('the call of %j is about %s', (input, gist) => {
  expect(gistOf(JSON.stringify(input))).toBe(gist);
});

test('a patch is about its files, and a text that is none about itself', () => {
  expect(gistOf('*** Begin Patch\n*** Add File: a.txt\n+x\n*** Update File: b.txt\n*** End Patch')).toBe(
    'a.txt, b.txt',
  );
  expect(gistOf('one\n\u001b[31m two')).toBe('one [31m two');
});

test('what a call is about has 80 characters at most, and no half of one', () => {
  const aboutOf = (command: string) =>
    callsOf([{ id: 'a', name: 'Bash', input: JSON.stringify({ command }) }]).map(({ about }) => about);
  expect(aboutOf('x'.repeat(80))).toEqual(['x'.repeat(80)]);
  expect(aboutOf('x'.repeat(81))).toEqual([`${'x'.repeat(79)}…`]);
  expect(aboutOf(`${'x'.repeat(78)}🚀 and more`)).toEqual([`${'x'.repeat(78)}…`]);
});

test('a call without an id is left out: nothing would tell its end', () => {
  expect(callsOf([{ name: 'web_search', input: '{}' }])).toEqual([]);
});
