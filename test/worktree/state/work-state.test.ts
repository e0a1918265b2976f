import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { workState } from '../../../src/worktree/state/work-state.ts';
import { layGround, workerTree } from '../../support/ground.ts';

const { box, repo, folder } = await layGround();
const tree = await workerTree(folder);

const state = () => workState({ worktreePath: tree.path, base: tree.base, env: box.env });

function commit(at: string, file: string, text: string) {
  writeFileSync(join(at, file), text);
  box.git(at, 'add', '-A');
  box.git(at, 'commit', '-q', '-m', `Write ${file}`);
}

test('a fresh worktree holds nothing of its own', async () => {
  expect(await state()).toEqual({
    headSha: tree.base.sha,
    branch: tree.branch,
    detached: false,
    dirtyFiles: 0,
    untrackedFiles: 0,
    nestedRepos: [],
    submodules: false,
    ahead: 0,
    behind: 0,
    commits: [],
    merged: true,
    base: 'main',
    locked: false,
    unreachable: false,
  });
});

test('changed, deleted, staged and untracked files are counted, ignored ones are not', async () => {
  commit(tree.path, '.gitignore', 'out/\n');
  commit(tree.path, 'b', 'b');
  rmSync(join(tree.path, 'b'));
  appendFileSync(join(tree.path, 'README.md'), 'more');
  writeFileSync(join(tree.path, 'staged'), '');
  box.git(tree.path, 'add', 'staged');
  mkdirSync(join(tree.path, 'out'));
  mkdirSync(join(tree.path, 'new'));
  for (const path of ['out/x', 'new/a', 'new/ü b']) writeFileSync(join(tree.path, path), '');
  expect(await state()).toMatchObject({ dirtyFiles: 3, untrackedFiles: 2, nestedRepos: [] });
});

test('changes to files git was told to overlook count as changes', async () => {
  box.git(tree.path, 'update-index', '--skip-worktree', 'README.md');
  expect(await state()).toMatchObject({ dirtyFiles: 0 });
  writeFileSync(join(tree.path, 'README.md'), 'overlooked');
  expect(await state()).toMatchObject({ dirtyFiles: 1 });
  rmSync(join(tree.path, 'README.md'));
  expect(await state()).toMatchObject({ dirtyFiles: 0 });
});

test("a user's settings that hide untracked files hide nothing from us", async () => {
  box.git(repo, 'config', 'status.showUntrackedFiles', 'no');
  writeFileSync(join(tree.path, 'new'), '');
  expect(await state()).toMatchObject({ untrackedFiles: 1 });
});

test('commits are counted against where the base stands now', async () => {
  commit(tree.path, 'a', 'a');
  commit(tree.path, 'b', 'b');
  commit(repo, 'c', 'c');
  expect(await state()).toMatchObject({ ahead: 2, behind: 1, commits: ['Write b', 'Write a'], merged: false });
});

test('a base whose branch is gone is still the commit it was', async () => {
  commit(tree.path, 'a', 'a');
  box.git(repo, 'branch', '-m', 'main', 'trunk');
  commit(repo, 'c', 'c');
  expect(await state()).toMatchObject({ ahead: 1, behind: 0 });
});

test('without a base the branch of the main checkout is one', async () => {
  commit(tree.path, 'a', 'a');
  expect(await workState({ worktreePath: tree.path, env: box.env })).toMatchObject({ ahead: 1, merged: false });
});

describe('work counts as merged', () => {
  beforeEach(() => {
    commit(tree.path, 'a', 'a1');
    commit(tree.path, 'a', 'a2');
  });
  test('when the branch was merged', async () => {
    box.git(repo, 'merge', '-q', '--no-ff', tree.branch);
    expect(await state()).toMatchObject({ ahead: 0, merged: true });
  });
  test('when it was squashed', async () => {
    box.git(repo, 'merge', '-q', '--squash', tree.branch);
    box.git(repo, 'commit', '-q', '-m', 'Squash');
    commit(repo, 'z', 'later');
    expect(await state()).toMatchObject({ ahead: 2, merged: true });
  });
  test('when every commit was picked and the base went on over it', async () => {
    commit(repo, 'z', 'first');
    box.git(repo, 'cherry-pick', `${tree.base.sha}..${tree.branch}`);
    commit(repo, 'a', 'a3');
    expect(await state()).toMatchObject({ ahead: 2, merged: true });
  });
  test('when it was squashed and the base went on over it', async () => {
    box.git(repo, 'merge', '-q', '--squash', tree.branch);
    box.git(repo, 'commit', '-q', '-m', 'Squash');
    commit(repo, 'a', 'a3');
    expect(await state()).toMatchObject({ ahead: 2, merged: true });
  });
  test('when it had taken in the base itself before it was squashed', async () => {
    commit(repo, 'z', 'first');
    box.git(tree.path, 'merge', '-q', 'main');
    box.git(repo, 'merge', '-q', '--squash', tree.branch);
    box.git(repo, 'commit', '-q', '-m', 'Squash');
    commit(repo, 'a', 'a3');
    expect((await state()).merged).toBe(true);
  });
  test('when it was rebased and the base went on over it', async () => {
    commit(repo, 'z', 'first');
    box.git(repo, 'branch', 'copy', tree.branch);
    box.git(repo, 'worktree', 'add', '-q', join(box.root, 'copy'), 'copy');
    box.git(join(box.root, 'copy'), 'rebase', '-q', 'main');
    box.git(repo, 'merge', '-q', '--ff-only', 'copy');
    commit(repo, 'a', 'a3');
    expect((await state()).merged).toBe(true);
  });
  test('but not when it went on after it was squashed', async () => {
    box.git(repo, 'merge', '-q', '--squash', tree.branch);
    box.git(repo, 'commit', '-q', '-m', 'Squash');
    commit(tree.path, 'b', 'more');
    expect((await state()).merged).toBe(false);
  });
  test('but not when the base took it back', async () => {
    box.git(repo, 'merge', '-q', '--squash', tree.branch);
    box.git(repo, 'commit', '-q', '-m', 'Squash');
    box.git(repo, 'revert', '--no-edit', 'HEAD');
    expect((await state()).merged).toBe(false);
  });
});

describe('commits on no branch are unreachable', () => {
  test('after work on a detached HEAD', async () => {
    box.git(tree.path, 'checkout', '-q', '--detach');
    expect(await state()).toMatchObject({ detached: true, unreachable: false });
    commit(tree.path, 'a', 'a');
    expect(await state()).toMatchObject({ detached: true, unreachable: true });
    box.git(tree.path, 'tag', 'kept');
    expect((await state()).unreachable).toBe(false);
  });
});

test('an unfinished merge is named and its conflicts count as changes', async () => {
  commit(tree.path, 'a', 'mine');
  commit(repo, 'a', 'theirs');
  expect(() => box.git(tree.path, 'merge', 'main')).toThrow();
  expect(await state()).toMatchObject({ operation: 'merge', dirtyFiles: 1 });
});

test('a repository inside the worktree is named', async () => {
  mkdirSync(join(tree.path, 'lib'));
  box.git(join(tree.path, 'lib'), 'init', '-q');
  expect(await state()).toMatchObject({ nestedRepos: ['lib/'], untrackedFiles: 1 });
});

test('a locked worktree says so', async () => {
  box.git(repo, 'worktree', 'lock', tree.path);
  expect((await state()).locked).toBe(true);
});

test('initialised submodules are seen', async () => {
  const inner = box.repo('inner');
  box.git(tree.path, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner, 'part');
  box.git(tree.path, 'commit', '-q', '-m', 'Add part');
  expect(await state()).toMatchObject({ submodules: true, dirtyFiles: 0 });
});

test('a branch without a commit has work to lose and nothing to compare', async () => {
  box.git(tree.path, 'checkout', '-q', '--orphan', 'empty');
  const told = await state();
  expect(told).toMatchObject({ branch: 'empty', ahead: 0, dirtyFiles: 1 });
  expect(told.headSha).toBeUndefined();
});

test('a worktree with a broken link is an error, never the state of the repository around it', async () => {
  rmSync(join(tree.path, '.git'));
  await expect(state()).rejects.toMatchObject({
    code: 'worktree_failed',
    message: expect.stringContaining('leads to no git folder'),
  });
});

test('a damaged index is an error, never a clean worktree', async () => {
  const gitDir = readFileSync(join(tree.path, '.git'), 'utf8').slice('gitdir: '.length).trim();
  writeFileSync(join(gitDir, 'index'), 'damaged');
  await expect(state()).rejects.toMatchObject({ code: 'git_failed' });
});
