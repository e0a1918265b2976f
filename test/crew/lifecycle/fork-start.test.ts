import { expect, it } from 'vitest';
import { type ForkFacts, forkWords } from '../../../src/crew/lifecycle/fork-start.ts';

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
    'finds no branch any more',
    { sha: undefined, leavesSandbox: true },
    ['bea: the branch ada-1/cart of ada is gone, so the fork begins at the current HEAD.'],
  ],
])('the manager is told when a fork %s', (_, wish, words) => {
  expect(forkWords({ ...facts, ...wish })).toEqual(words);
});
