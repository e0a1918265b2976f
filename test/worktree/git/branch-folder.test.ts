import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { deleteBranchAt } from '../../../src/worktree/git/branch.ts';
import { keepBranchFolder, ownBranchFolder, releaseUnusedFolders } from '../../../src/worktree/git/branch-folder.ts';
import { addWorktree } from '../../../src/worktree/making/add.ts';
import { discardFresh, removeWorktree } from '../../../src/worktree/removal/remove.ts';
import { layGround } from '../../support/ground.ts';

const { box, repo, folder } = await layGround();

const add = (branch?: string) =>
  addWorktree({
    folder,
    root: '.worktrees',
    name: { workerName: 'ada', workerId: 'x' },
    ...(branch === undefined ? {} : { branch }),
  });
const inGit = (...parts: string[]) => join(folder.gitCommonDir, ...parts);
const roots = ['refs/heads', 'logs/refs/heads'];
const kept = (name: string) => roots.map((root) => existsSync(inGit(root, name)));
/** Everything in the folders of branches and of their logs. */
const all = () => roots.map((root) => readdirSync(inGit(root), { recursive: true }).sort());
const pack = () => {
  box.git(repo, 'pack-refs', '--all');
  box.git(repo, 'gc', '-q');
};

test('the folder of a branch outlives git pack-refs and git gc, and git finds nothing odd in it', async () => {
  const plain = box.git(repo, 'branch', '--format=%(refname)');
  const { branch } = await add();
  pack();
  expect(existsSync(inGit('refs/heads', branch))).toBe(false);
  // git gc makes the folder anew after it has removed it, and nothing in it.
  expect(kept('ada-x/.crewmux')).toEqual([true, true]);
  expect(box.git(repo, 'fsck', '--full', '--strict')).toBe('');
  expect(box.git(repo, 'branch', '--format=%(refname)')).toBe(`refs/heads/${branch}\n${plain}`);
  expect(box.git(repo, 'log', '-g', '--all', '--format=%gd')).toContain(branch);
});

test('without what keeps it, git removes the folder of a packed branch', async () => {
  await add();
  for (const root of roots) rmSync(inGit(root, 'ada-x/.crewmux'), { recursive: true });
  box.git(repo, 'pack-refs', '--all');
  expect(kept('ada-x')).toEqual([false, true]);
  expect(await keepBranchFolder(folder, 'ada-x')).toBe(true);
  expect(kept('ada-x/.crewmux')).toEqual([true, true]);
});

describe('nothing is left of a folder', () => {
  test('when crewmux deletes the branch, also a packed one', async () => {
    pack();
    const before = all();
    const { path, branch, base } = await add();
    await removeWorktree({ repo: folder, path, force: false });
    expect(kept('ada-x/.crewmux')).toEqual([true, true]);
    pack();
    expect(await deleteBranchAt(folder, branch, base.sha)).toBe(true);
    expect(all()).toEqual(before);
  });

  test('when a spawn fails, or a checkout', async () => {
    const before = all();
    await discardFresh({ repo: folder, ...(await add()), workerId: 'x' });
    expect(all()).toEqual(before);
    writeFileSync(inGit('worktrees'), 'in the way');
    await expect(add()).rejects.toMatchObject({ code: 'worktree_failed' });
    rmSync(inGit('worktrees'));
    expect(all()).toEqual(before);
  });

  test('of several folders of a name', async () => {
    const before = all();
    const { path, branch, base } = await add('a/b/c');
    expect(kept('a/b/.crewmux')).toEqual([true, true]);
    await removeWorktree({ repo: folder, path, force: false });
    await deleteBranchAt(folder, branch, base.sha);
    expect(all()).toEqual(before);
  });

  test('at a cleanup after a person has deleted the branch, and that of a worker stays', async () => {
    const before = all();
    const [one, two] = [await add(), await add()];
    await removeWorktree({ repo: folder, path: one.path, force: false });
    await removeWorktree({ repo: folder, path: two.path, force: false });
    box.git(repo, 'branch', '-q', '-D', one.branch, two.branch);
    await releaseUnusedFolders(folder, new Set([two.branchFolder]));
    expect([kept('ada-x'), kept('ada-x-2/.crewmux')]).toEqual([
      [false, false],
      [true, true],
    ]);
    await releaseUnusedFolders(folder, new Set());
    expect(all()).toEqual(before);
  });
});

test('a folder with another branch in it stays when one of its branches is deleted', async () => {
  const { path, branch, base } = await add();
  box.git(repo, 'branch', 'ada-x/more');
  await removeWorktree({ repo: folder, path, force: false });
  await deleteBranchAt(folder, branch, base.sha);
  expect(kept('ada-x/.crewmux')).toEqual([true, true]);
});

describe('the own folder of a branch that the user names', () => {
  test.each([
    ['none where its name has none', 'login', [], undefined],
    ['that of its name', 'feature/login', [], 'feature'],
    ['none where another branch lies in it', 'feature/login', ['feature/cart'], undefined],
    ['none where one lies deeper in it', 'feature/login', ['feature/old/cart'], undefined],
    ['the innermost', 'feature/shop/login', ['feature/cart'], 'feature/shop'],
  ])('is %s', async (_, branch, others, own) => {
    for (const other of others) box.git(repo, 'branch', other);
    pack();
    expect(await ownBranchFolder(folder, branch)).toBe(own);
    expect((await add(branch)).branchFolder).toBe(own);
    expect(existsSync(inGit('refs/heads', own ?? 'no', '.crewmux'))).toBe(own !== undefined);
  });

  test('is none in the folder of another worker', async () => {
    await add();
    expect(await ownBranchFolder(folder, 'ada-x/more')).toBeUndefined();
    expect(await ownBranchFolder(folder, 'ada-x/more/deeper')).toBeUndefined();
  });

  test('is none for a worker from before', async () => {
    box.git(repo, 'branch', 'ada-0a1b2c3d-cart');
    expect((await add('ada-0a1b2c3d-cart')).branchFolder).toBeUndefined();
  });
});

describe('crewmux makes no folder', () => {
  test('through a link that a worker has laid in the place of one', async () => {
    const away = box.dir('away');
    mkdirSync(inGit('logs/refs/heads'), { recursive: true });
    symlinkSync(away, inGit('logs/refs/heads/feature'));
    expect(await keepBranchFolder(folder, 'feature')).toBe(false);
    symlinkSync(away, inGit('refs/heads/other'));
    expect(await keepBranchFolder(folder, 'other/deep')).toBe(false);
    expect(readdirSync(away)).toEqual([]);
  });

  test('where git keeps its branches in another way', async () => {
    const odd = box.dir('odd');
    mkdirSync(join(odd, 'refs'));
    writeFileSync(join(odd, 'refs/heads'), 'this repository uses the reftable format\n');
    expect(await keepBranchFolder({ gitCommonDir: odd }, 'ada-x')).toBe(false);
    expect(readdirSync(odd)).toEqual(['refs']);
  });
});
