import { expect, test } from 'vitest';
import { type RemovalFacts, removalVerdict } from '../../../src/worktree/removal/verdict.ts';
import type { WorkState } from '../../../src/worktree/state/work-state.ts';

const clean: WorkState = {
  headSha: 'a'.repeat(40),
  branch: 'ada-x',
  detached: false,
  dirtyFiles: 0,
  untrackedFiles: 0,
  nestedRepos: [],
  submodules: false,
  ahead: 3,
  behind: 0,
  commits: ['a'],
  merged: false,
  locked: false,
  unreachable: false,
};
const facts: RemovalFacts = {
  isSymlink: false,
  isRegistered: true,
  isMain: false,
  isMissing: false,
  isLocked: false,
  isDetached: false,
  nestedWorktrees: [],
  ignoredRepos: [],
  unsavable: [],
  state: clean,
};

test('a clean worktree may go, also with commits that are not merged, for its branch stays', () => {
  expect(removalVerdict(facts)).toEqual([]);
});

test('a worktree whose folder is gone may go', () => {
  expect(removalVerdict({ ...facts, isMissing: true, state: undefined })).toEqual([]);
});

test.each<[string, Partial<RemovalFacts>]>([
  ['a symlink', { isSymlink: true }],
  ['unregistered', { isRegistered: false }],
  ['the main checkout', { isMain: true }],
  ['locked', { isLocked: true }],
  ['locked and missing', { isLocked: true, isMissing: true, state: undefined }],
  ['missing and detached', { isDetached: true, isMissing: true, state: undefined }],
  ['around another worktree', { nestedWorktrees: ['/r/w/inner'] }],
  ['unreadable', { state: undefined }],
  ['clean, and no salvage could bring it back', { unsavable: ['odd'] }],
  ['missing, and more is left of it than its branch', { unsavable: ['odd'], isMissing: true, state: undefined }],
  ['with a repository inside', { state: { ...clean, untrackedFiles: 1, nestedRepos: ['lib/'] } }],
  ['with submodules', { state: { ...clean, submodules: true } }],
])('one that is %s is kept, whatever is forced', (_, change) => {
  const verdict = removalVerdict({ ...facts, ...change });
  expect(verdict.some((obstacle) => obstacle.kind === 'kept')).toBe(true);
});

test.each<[string, Partial<WorkState>, string]>([
  ['changes', { dirtyFiles: 1 }, '1 file with uncommitted changes'],
  ['untracked files', { untrackedFiles: 2 }, '2 untracked files'],
  ['commits on no branch', { detached: true, unreachable: true }, 'commits that are on no branch'],
  ['a merge under way', { operation: 'merge' }, 'an unfinished merge'],
])('%s can be saved first', (_, change, reason) => {
  expect(removalVerdict({ ...facts, state: { ...clean, ...change } })).toEqual([{ kind: 'saved', reason }]);
});
