import { describe, expect, test } from 'vitest';
import {
  type CleanupBranchFacts,
  type CleanupFacts,
  cleanupVerdict,
  reasonToKeepBranch,
} from '../../../src/worktree/removal/cleanup-verdict.ts';

const merged = { is: 'merged', into: 'main' } as const;
const fine: CleanupFacts = {
  isOurs: true,
  obstacles: [],
  isDetached: false,
  workers: [],
  processes: [],
  destination: merged,
};
const judge = (facts: Partial<CleanupFacts>, onlyMerged = true) =>
  cleanupVerdict({ ...fine, ...facts }, { merged: onlyMerged, discard: false });

test.each<[string, Partial<CleanupFacts>, string]>([
  ['merged work', {}, 'its work is merged into main'],
  ['no work at all', { destination: { is: 'nothing' } }, 'it has no commits of its own'],
])('a worktree with %s goes', (_, facts, reason) => {
  expect(judge(facts)).toEqual({ action: 'remove', reason });
});

test('a discarded worktree goes with what a salvage can hold, and stays while somebody needs it or it cannot be saved', () => {
  const discard = (facts: Partial<CleanupFacts>) =>
    cleanupVerdict({ ...fine, destination: { is: 'nowhere' }, ...facts }, { merged: true, discard: true }).action;
  const obstacle = (kind: 'saved' | 'kept') => ({ obstacles: [{ kind, reason: 'it' }] });
  expect([discard({}), discard(obstacle('saved')), discard({ isDetached: true })]).toEqual(Array(3).fill('remove'));
  const kept = [obstacle('kept'), { workers: ['ada'] }, { processes: undefined }, { isOurs: false }];
  expect(kept.map(discard)).toEqual(Array(4).fill('keep'));
});

test.each<[string, Partial<CleanupFacts>, string]>([
  ['that crewmux did not make', { isOurs: false }, 'crewmux did not make it'],
  ['a worker is in', { workers: ['ada'] }, 'ada works in it'],
  ['a process is in', { processes: ['vim (pid 7)'] }, 'processes work in it: vim (pid 7)'],
  ['many processes are in', { processes: ['a', 'b', 'c', 'd', 'e'] }, 'processes work in it: a, b, c and 2 more'],
  [
    'whose processes nobody can tell',
    { processes: undefined },
    'the system does not tell whether a process works in it',
  ],
  [
    'with changes, and nothing is said of its merge',
    { obstacles: [{ kind: 'saved', reason: '1 untracked file' }], destination: { is: 'nowhere' } },
    '1 untracked file',
  ],
  ['on no branch', { isDetached: true }, 'it is on no branch'],
  ['with work that is nowhere', { destination: { is: 'nowhere' } }, 'its commits are neither merged nor pushed'],
  [
    'with work that is only pushed',
    { destination: { is: 'pushed', to: 'origin/x' } },
    'its commits are on origin/x, and not merged',
  ],
  ['nobody can judge', { destination: undefined }, 'it cannot be told whether its work is merged'],
])('a worktree %s is kept', (_, facts, reason) => {
  expect(judge(facts)).toEqual({ action: 'keep', reason });
});

test('pushed work goes where merged work was not asked for, and work that is nowhere stays even then', () => {
  expect(judge({ destination: { is: 'pushed', to: 'origin/x' } }, false)).toMatchObject({ action: 'remove' });
  expect(judge({ destination: { is: 'nowhere' } }, false)).toMatchObject({ action: 'keep' });
});

describe('a branch', () => {
  const free: CleanupBranchFacts = { isOurs: true, checkedOutAt: [], baseOf: [], destination: merged };
  test.each<[string, Partial<CleanupBranchFacts>, string | undefined]>([
    ['ours, merged and free goes', {}, undefined],
    ['pushed goes', { destination: { is: 'pushed', to: 'origin/x' } }, undefined],
    ['somebody else made stays', { isOurs: false }, 'crewmux did not make it'],
    ['checked out elsewhere stays', { checkedOutAt: ['/r'] }, 'it is checked out at /r'],
    ['others are to land on stays', { baseOf: ['bo'] }, 'the work of bo is meant for it'],
    ['that is nowhere else stays', { destination: { is: 'nowhere' } }, 'its commits are neither merged nor pushed'],
  ])('%s', (_, facts, reason) => {
    expect(reasonToKeepBranch({ ...free, ...facts }, { discard: false })).toBe(reason);
  });
});
