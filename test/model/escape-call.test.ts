import { expect, it } from 'vitest';
import { callFor } from '../../src/model/escape-call.ts';

const names = ['/repo/src/a.txt', '../../src/a.txt'];
const tool = (name: string, input: unknown, { at = 1_000, step = '', places = names } = {}) =>
  callFor({
    calls: [{ tool: name, input: typeof input === 'string' ? input : JSON.stringify(input), at }],
    names: places,
    at: 2_000,
    ...(step === '' ? {} : { step }),
  });

it.each<[string, string, unknown, string | undefined]>([
  ['a file written by its whole path', 'Write', { file_path: '/repo/src/a.txt', content: '' }, 'Write'],
  ['a command with its whole path', 'Bash', { command: 'echo x >/repo/src/a.txt' }, 'Bash'],
  ['a command with its path from the worktree', 'exec_command', 'touch ../../src/a.txt', 'exec_command'],
  ['a patch of it', 'apply_patch', { '/repo/src/a.txt': { type: 'add' } }, 'apply_patch'],
  ['a quoted path', 'Bash', { command: 'touch "/repo/src/a.txt"' }, 'Bash'],
  ['a file that was only read', 'Read', { file_path: '/repo/src/a.txt' }, undefined],
  ['a longer name', 'Write', { file_path: '/repo/src/a.txt-old' }, undefined],
  ['the same name in another folder', 'Write', { file_path: '/other/repo/src/a.txt' }, undefined],
  ['the same file of the worktree', 'Bash', { command: 'touch src/a.txt' }, undefined],
])('%s', (_, name, input, expected) => expect(tool(name, input)).toBe(expected));

it('a path that JSON writes in another way is found', () =>
  expect(tool('Write', { file_path: '/repo/a"b.txt' }, { places: ['/repo/a"b.txt'] })).toBe('Write'));

it.each([
  String.raw`touch /repo/by\ ada\'s.txt`,
  `touch "/repo/by ada's.txt"`,
  `touch '/repo/by ada'"'"'s.txt'`,
  String.raw`cd x; touch /repo/by' 'ada\'s.txt`,
])('a name with a space and a quote is found where a shell is told: %s', (command) => {
  expect(tool('Bash', { command }, { places: ["/repo/by ada's.txt"] })).toBe('Bash');
  expect(tool('exec_command', command, { places: ["/repo/by ada's.txt"] })).toBe('exec_command');
});

it('a name of nothing but quotes is no word', () => {
  expect(tool('Bash', { command: 'touch x' }, { places: [`"'`] })).toBeUndefined();
  expect(tool('Bash', { command: `touch "'` }, { places: [`"'`] })).toBe('Bash');
});

it('a call after the change, or long before it, did not make it', () => {
  expect(tool('Bash', 'touch /repo/src/a.txt', { at: 9_000 })).toBeUndefined();
  expect(tool('Bash', 'touch /repo/src/a.txt', { at: 2_000 - 40 * 60_000 })).toBeUndefined();
});

it.each<[string, string, string | undefined]>([
  ['git -C /repo commit -m x', 'commit: x', 'Bash'],
  ['cd /repo && git commit', 'commit (amend): x', 'Bash'],
  ['cd ../.. && git commit -am x', 'commit: x', 'Bash'],
  ['cd /repo/ && git merge ada', 'merge ada: Fast-forward', 'Bash'],
  ['git -C /repo commit -m x', 'reset: moving to HEAD~1', undefined],
  ['git -C /repo/.worktrees/ada commit -m x', 'commit: x', undefined],
  ['ls /repo', 'commit: x', undefined],
])('of a commit in the checkout, %s explains %s: %s', (input, step, expected) =>
  expect(tool('Bash', { command: input }, { step, places: ['/repo', '../..'] })).toBe(expected),
);

it.each<[string, string | undefined]>([
  ['git -C /repo stash', 'Bash'],
  ['cd /repo && git checkout -- .', 'Bash'],
  ['rm /repo/src/a.txt', 'Bash'],
  ['git -C /repo status', undefined],
  ['git reset --hard', undefined],
  ['git -C /repo/.worktrees/ada reset --hard', undefined],
])('%s explains that a change is gone: %s', (command, expected) => {
  const calls = [{ tool: 'Bash', input: JSON.stringify({ command }), at: 1_000 }];
  expect(callFor({ calls, names, at: 2_000, undoneIn: ['/repo', '../..'] })).toBe(expected);
});

it('a switch is made by either word of git’s', () => {
  const step = 'checkout: moving from main to x';
  expect(tool('Bash', 'git -C /repo switch x', { step, places: ['/repo'] })).toBe('Bash');
  expect(tool('Bash', 'git -C /repo checkout x', { step, places: ['/repo'] })).toBe('Bash');
  expect(tool('Bash', 'git -C /repo branch x', { step, places: ['/repo'] })).toBeUndefined();
});
