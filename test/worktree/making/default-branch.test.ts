import { expect, it } from 'vitest';
import { type Branches, defaultBranch } from '../../../src/worktree/making/default-branch.ts';

it.each<[string, Partial<Branches>, string | undefined]>([
  ['where the HEAD of origin leads, here', { remoteHeads: ['refs/remotes/origin/dev'] }, 'dev'],
  ['that of origin before that of a fork', { remoteHeads: ['refs/remotes/fork/x', 'refs/remotes/origin/dev'] }, 'dev'],
  ['of a fork where there is no origin', { remoteHeads: ['refs/remotes/fork/x'] }, 'fork/x'],
  ['fetched where there is none of that name here', { remoteHeads: ['refs/remotes/origin/far'] }, 'origin/far'],
  ['of a usual name where no remote tells', {}, 'main'],
  ['of a usual name where that of the remote is gone', { remoteHeads: ['refs/remotes/origin/gone'] }, 'main'],
  ['the current one where none has a usual name', { names: ['trunk', 'dev'], current: 'trunk' }, 'trunk'],
  ['none where HEAD is detached', { names: ['trunk', 'dev'], current: undefined }, undefined],
])('the default branch is %s', (_, facts, branch) => {
  const names = ['dev', 'main', 'fork/x', 'origin/dev', 'origin/far'];
  expect(defaultBranch({ names, remoteHeads: [], current: 'dev', ...facts })).toBe(branch);
});
