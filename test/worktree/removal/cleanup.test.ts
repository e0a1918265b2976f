import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { registeredWorktrees } from '../../../src/worktree/git/registered.ts';
import { lookForCleanup } from '../../../src/worktree/removal/cleanup.ts';
import { cleanupVerdict } from '../../../src/worktree/removal/cleanup-verdict.ts';
import { layGround, workerTree } from '../../support/ground.ts';

const { box, folder: repo } = await layGround();
const tree = await workerTree(repo);

const git = (...args: string[]) => box.git(tree.path, ...args);
const main = (...args: string[]) => box.git(repo.mainRepoPath, ...args);
const write = (name: string) => writeFileSync(join(tree.path, name), name);
function commit(name: string) {
  write(name);
  git('add', '-A');
  git('commit', '-q', '-m', name);
}
commit('work');
const land = () => main('merge', '-q', '--squash', tree.branch) + main('commit', '-q', '-m', 'Landed');

/** By its mark alone, which tells of its base too. */
async function judge(path = tree.path) {
  const entry = (await registeredWorktrees(repo)).find((each) => each.path === path);
  if (entry === undefined) throw new Error(`git knows no worktree at ${path}`);
  const { facts } = await lookForCleanup({ repo, entry, isRecorded: false, landedOn: [], workers: [], processes: [] });
  return cleanupVerdict(facts, { merged: true, discard: false });
}

describe('a worktree of landed work goes', () => {
  beforeEach(land);
  test('when it is clean', async () => {
    expect(await judge()).toEqual({ action: 'remove', reason: 'its work is merged into main' });
  });
  test('when its folder is gone already', async () => {
    rmSync(tree.path, { recursive: true });
    expect(await judge()).toMatchObject({ action: 'remove' });
  });
  test('when it was moved by git', async () => {
    const moved = join(box.root, 'moved');
    main('worktree', 'move', tree.path, moved);
    expect(await judge(moved)).toMatchObject({ action: 'remove' });
  });

  describe('but stays', () => {
    test.each<[string, () => unknown, RegExp]>([
      ['with an untracked file', () => write('new'), /^1 untracked file$/],
      ['with a change', () => write('README.md'), /^1 file with uncommitted changes$/],
      ['with a staged file', () => [write('new'), git('add', 'new')], /uncommitted changes/],
      ['with one more commit', () => commit('more'), /neither merged nor pushed/],
      [
        'with line ends that git would not write again',
        () => [
          writeFileSync(join(repo.gitCommonDir, 'info/attributes'), '* text=auto\n'),
          writeFileSync(join(tree.path, 'README.md'), '# app\r\n'),
          git('add', 'README.md'),
        ],
        /^git would write other bytes, such as line ends, to: README.md$/,
      ],
      ['on no branch', () => git('checkout', '-q', '--detach'), /on no branch/],
      ['locked', () => main('worktree', 'lock', tree.path), /it is locked/],
      ['with an unfinished bisect', () => git('bisect', 'start'), /an unfinished bisect/],
      [
        'with a repository in it',
        () => [mkdirSync(join(tree.path, 'lib')), box.git(join(tree.path, 'lib'), 'init', '-q')],
        /repositories of their own/,
      ],
      [
        'with a damaged index',
        () => writeFileSync(join(repo.gitCommonDir, 'worktrees/ada-x/index'), '?'),
        /cannot be read/,
      ],
      ['with a broken link', () => rmSync(join(tree.path, '.git')), /cannot be read/],
      [
        'behind a symlink',
        () => [renameSync(tree.path, `${tree.path}-real`), symlinkSync(`${tree.path}-real`, tree.path)],
        /it is a symlink/,
      ],
    ])('%s', async (_, trouble, reason) => {
      trouble();
      const verdict = await judge();
      expect(verdict.action).toBe('keep');
      expect(verdict.reason).toMatch(reason);
    });
  });
});

test('a worktree of work that has not landed stays, and one somebody else made stays whatever it holds', async () => {
  expect(await judge()).toMatchObject({ action: 'keep', reason: 'its commits are neither merged nor pushed' });
  const own = join(box.root, 'my own');
  main('worktree', 'add', '-q', '-b', 'mine', own);
  expect(await judge(own)).toEqual({ action: 'keep', reason: 'crewmux did not make it' });
});
