import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { keepTip, syncedCommit } from '../../../src/worktree/landing/sync.ts';
import { layGround, workerTree } from '../../support/ground.ts';

const { box, folder: repo } = await layGround('a place with ünicode');
const tree = await workerTree(repo);

const git = (...args: string[]) => box.git(tree.path, ...args);
const inMain = (...args: string[]) => box.git(repo.mainRepoPath, ...args);

function commit(at: string, files: Readonly<Record<string, string | undefined>>, subject = 'Change'): string {
  for (const [file, text] of Object.entries(files)) {
    if (text === undefined) rmSync(join(at, file), { force: true });
    else {
      mkdirSync(dirname(join(at, file)), { recursive: true });
      writeFileSync(join(at, file), text);
    }
  }
  box.git(at, 'add', '-A', '--', '.', ':!untracked');
  box.git(at, 'commit', '-q', '--allow-empty', '-m', subject);
  return box.git(at, 'rev-parse', 'HEAD');
}

const order = (plan: 'rebase' | 'merge' | 'forward') => ({
  repo,
  own: git('rev-parse', 'HEAD'),
  base: inMain('rev-parse', 'main'),
  plan,
  message: 'Merge\n',
  scratchPath: join(box.dir('scratch'), 'crewmux-scratch-1'),
});

it('a rebase that would drop how a merge was solved is refused, and a merge is not', async () => {
  commit(tree.path, { 'README.md': 'mine\n' });
  commit(repo.mainRepoPath, { 'README.md': 'theirs\n' });
  expect(() => git('merge', '-q', 'main')).toThrow();
  commit(tree.path, { 'README.md': 'both\n', 'only-in-the-merge.txt': 'x\n' }, 'Merge main');
  commit(repo.mainRepoPath, { 'later.txt': 'x\n' });
  const { commit: rebased, reason, conflicts } = await syncedCommit(order('rebase'));
  expect([rebased, reason ?? conflicts[0]]).toEqual([undefined, expect.stringMatching(/README.md|merge commits/)]);
  const { commit: merged } = await syncedCommit(order('merge'));
  expect(git('show', `${merged}:only-in-the-merge.txt`)).toBe('x');
});

it('a rebase that would lose an edit made in a clean merge is refused', async () => {
  commit(tree.path, { 'own.txt': 'own\n' });
  commit(repo.mainRepoPath, { 'theirs.txt': 'theirs\n' });
  git('merge', '-q', '--no-commit', 'main');
  commit(tree.path, { 'own.txt': 'edited in the merge\n' }, 'Merge main');
  commit(repo.mainRepoPath, { 'later.txt': 'x\n' });
  expect(await syncedCommit(order('rebase'))).toEqual({
    conflicts: [],
    reason: expect.stringContaining('merge commits'),
  });
});

it('a commit that the base has taken over already is not done twice', async () => {
  const own = commit(tree.path, { 'own.txt': 'own\n' }, 'Own');
  inMain('cherry-pick', own);
  commit(repo.mainRepoPath, { 'own.txt': 'gone on\n' });
  const base = inMain('rev-parse', 'main');
  expect(await syncedCommit(order('rebase'))).toEqual({ commit: base, conflicts: [] });
});

it('branches that share nothing are told as git tells it', async () => {
  const other = inMain('commit-tree', 'main^{tree}', '-m', 'Alone');
  commit(tree.path, { 'own.txt': 'own\n' });
  await expect(syncedCommit({ ...order('merge'), base: other })).rejects.toMatchObject({
    code: 'git_failed',
    message: expect.stringContaining('unrelated histories'),
  });
});

it('the same tip kept twice in a second has two refs', async () => {
  const kept = { workerId: '0a1b2c3d', sha: inMain('rev-parse', 'main'), time: '2030-01-02T03:04:05.678Z' };
  expect([await keepTip(repo, kept), await keepTip(repo, kept)]).toEqual([
    'refs/crewmux/before-sync/0a1b2c3d/20300102T030405Z',
    'refs/crewmux/before-sync/0a1b2c3d/20300102T030405Z-2',
  ]);
});
