import { expect, it } from 'vitest';
import { type ForkFacts, forkWords, whyNotAlong } from '../../../src/crew/lifecycle/fork-start.ts';
import { refuseAlong } from '../../../src/crew/lifecycle/start-order.ts';

const facts: ForkFacts = {
  ...{
    name: 'bea',
    past: 'ada',
    branch: 'ada-1/cart',
    sha: 'b'.repeat(40),
    base: { ref: 'main', sha: 'a'.repeat(40) },
  },
  ...{ left: { branch: 'ada-1/cart', dirtyFiles: 0, untrackedFiles: 0 }, leavesSandbox: false },
};
const begins = 'bea begins at bbbbbbbbbbbb, where ada-1/cart of ada stands: landing bea lands that too.';
const clean = { branch: 'ada-1/cart', dirtyFiles: 0, untrackedFiles: 0 };

it.each<[string, Partial<ForkFacts>, readonly string[]]>([
  ['begins with commits of another worker', {}, [begins]],
  ['begins with nothing but its base', { sha: 'a'.repeat(40) }, []],
  ['forks a worker whose worktree is gone', { left: undefined }, [begins]],
  [
    'leaves uncommitted and untracked files behind',
    { left: { ...clean, dirtyFiles: 2, untrackedFiles: 1 } },
    [begins, 'bea: ada has 3 files that are in no commit; they were not brought along.'],
  ],
  [
    'leaves one file behind',
    { left: { ...clean, untrackedFiles: 1 } },
    [begins, 'bea: ada has 1 file that is in no commit; it was not brought along.'],
  ],
  [
    'forks a worker in the midst of a rebase',
    { left: { ...clean, operation: 'rebase' } },
    [
      begins,
      'bea: in the worktree of ada, a rebase was begun there and not finished; the fork begins where the branch stands.',
    ],
  ],
  [
    'forks a worker whose worktree git cannot read',
    { left: 'No index.' },
    [begins, 'bea: crewmux cannot tell what ada has not committed (No index.); nothing of it was brought along.'],
  ],
  [
    'runs outside of the sandbox that the forked worker has',
    { leavesSandbox: true },
    [begins, 'bea: ada works in a sandbox and this fork does not. Programs and settings that ada committed can run.'],
  ],
  [
    'brings along what is in no commit',
    { left: { ...clean, dirtyFiles: 2 }, takesAll: true, leavesSandbox: true },
    [begins, 'bea: ada works in a sandbox and this fork does not. Programs and settings that ada left can run.'],
  ],
  [
    'finds no branch any more',
    { sha: undefined, leavesSandbox: true },
    ['bea: the branch ada-1/cart of ada is gone, so the fork begins at the current HEAD.'],
  ],
])('the manager is told when a fork %s', (_, wish, words) => {
  expect(forkWords({ ...facts, ...wish })).toEqual(words);
});

const past = { name: 'ada', mainRepoPath: '/repo', worktreePath: '/repo/.worktrees/ada', branch: 'ada-1/cart' };
const asked = {
  name: 'bea',
  isFork: true,
  past,
  order: { useWorktree: true, forkChanges: true },
  mainRepoPath: '/repo',
};

it.each<[string, Partial<Parameters<typeof refuseAlong>[0]>, string]>([
  ['a start that forks nothing', { isFork: false }, 'it forks nothing'],
  ['a conversation of nobody known', { past: undefined }, 'no worker of crewmux has that conversation'],
  ['a worker without a worktree', { past: { name: 'ada', mainRepoPath: '/repo' } }, 'ada has no worktree of its own'],
  [
    'a fork without a worktree',
    { order: { ...asked.order, useWorktree: false } },
    'it gets no worktree of the repository of ada',
  ],
  ['another repository', { mainRepoPath: '/other' }, 'it gets no worktree of the repository of ada'],
  [
    'a base of its own',
    { order: { ...asked.order, worktree: { base: 'main' } } },
    'the changes belong to the commit of ada, not to main',
  ],
])('uncommitted work cannot come along to %s', (_, wish, why) => {
  expect(() => refuseAlong(asked)).not.toThrow();
  expect(() => refuseAlong({ ...asked, ...wish })).toThrow(`fork_changes of bea: ${why}.`);
});

it.each<[string, Partial<ForkFacts>, string | undefined]>([
  ['as it stands', {}, undefined],
  ['without its branch', { sha: undefined }, 'the branch ada-1/cart of ada is gone'],
  [
    'that is gone',
    { left: undefined },
    'the worktree of ada is gone (restore_work brings back what was saved of it, if anything)',
  ],
  ['that git cannot read', { left: 'No index.' }, 'No index.'],
  [
    'in the midst of a merge',
    { left: { ...clean, operation: 'merge' } },
    'in the worktree of ada, a merge was begun there and not finished',
  ],
])('whether uncommitted work comes from a worktree %s', (_, wish, why) => {
  expect(whyNotAlong({ ...facts, ...wish })).toBe(why);
});
