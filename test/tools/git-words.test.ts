import { expect, it } from 'vitest';
import { gitLine, worktreeLine } from '../../src/tools/git-words.ts';
import type { WorkerGit } from '../../src/wire/examine.ts';
import type { WorktreeView } from '../../src/wire/worktrees.ts';

const calm: WorktreeView = {
  path: '/w',
  name: 'w',
  branch: 'ada',
  commit: 'c',
  registered: true,
  dirty: false,
  ahead: 0,
  behind: 0,
  merged: true,
  base: 'main',
  orphan: false,
  foreign: false,
  detached: false,
  locked: false,
  prunable: false,
  removed: false,
};

it('a worktree that is as it should be is told in few words', () =>
  expect(worktreeLine(calm)).toBe('/w: ada, no worker, 0 ahead, 0 behind main'));

it.each<[string, Partial<WorktreeView>, string]>([
  ['who is in it', { worker: 'ada (1)', in_use_by: ['ada (1)'] }, 'worker ada (1), in use by ada (1)'],
  ['uncommitted work', { dirty: true }, 'uncommitted work'],
  ['merged', { ahead: 2 }, '2 ahead, 0 behind main, merged'],
  ['detached', { detached: true, unreachable: true, branch: null }, 'no branch'],
  ['commits on no branch', { detached: true, unreachable: true }, 'detached, commits on no branch'],
  ['an operation', { operation: 'rebase' }, 'unfinished rebase'],
  ['a lock', { locked: true }, 'locked'],
  ['a lock with its reason', { locked: true, lock_reason: 'mine' }, 'locked (mine)'],
  ['prunable', { prunable: true, prune_reason: 'gone' }, 'prunable (gone)'],
  ['an orphan', { registered: false, branch: null, orphan: true }, 'unknown to git, no worker, orphan'],
  ['foreign', { foreign: true }, 'not made by crewmux'],
  ['a symlink', { symlink_to: '/x', dirty: true }, 'a symlink to /x, not followed'],
  ['what cannot be told', { unreadable: 'bad index', dirty: true }, 'its state cannot be told: bad index'],
])('a line tells %s', (_, change, words) => expect(worktreeLine({ ...calm, ...change })).toContain(words));

it('what cannot be told is not called uncommitted work', () =>
  expect(worktreeLine({ ...calm, dirty: true, unreadable: 'x' })).not.toContain('uncommitted'));

it('the branch of a worker is told with what is odd about it', () => {
  const git: WorkerGit = {
    branch: null,
    commit: 'c',
    base: 'main',
    ahead: 1,
    behind: 2,
    dirty_files: 3,
    untracked_files: 1,
    commits: [],
    merged: true,
    detached: true,
    unreachable: true,
    locked: true,
    lock_reason: 'mine',
    operation: 'bisect',
  };
  expect(gitLine(git)).toBe(
    'Branch (none): 1 ahead, 2 behind main, 3 uncommitted files, merged, detached, commits on no branch, unfinished bisect, locked (mine).',
  );
});
