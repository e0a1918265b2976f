import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { pinWorktree, unpinWorktree } from '../../../src/worktree/git/git-link.ts';
import { inspectFolder } from '../../../src/worktree/git/inspect.ts';
import { addWorktree } from '../../../src/worktree/making/add.ts';
import { prepareWorktree } from '../../../src/worktree/making/prepare.ts';
import { discardFresh, type RemoveRequest, removeWorktree } from '../../../src/worktree/removal/remove.ts';
import { layGround, workerTree } from '../../support/ground.ts';

const { box, repo, folder } = await layGround();
const tree = await workerTree(folder);

const remove = (request: Partial<RemoveRequest> = {}) =>
  removeWorktree({ repo: folder, path: tree.path, force: false, workerId: 'x', ...request });
const write = (path: string, text = 'work') => writeFileSync(join(tree.path, path), text);
const branches = () => box.git(repo, 'for-each-ref', '--format=%(refname:short)', 'refs/heads').split('\n');
const salvages = () => box.git(repo, 'for-each-ref', 'refs/crewmux');

function commit(message: string) {
  box.git(tree.path, 'add', '-A');
  box.git(tree.path, 'commit', '-q', '--allow-empty', '-m', message);
}

test.each(['remove', 'move'])(
  'one that a person took away by `git worktree %s` is gone, with no word of what is kept',
  async (way) => {
    write('work.txt');
    const elsewhere = join(box.root, 'elsewhere');
    box.git(repo, 'worktree', way, ...(way === 'move' ? [tree.path, elsewhere] : ['--force', tree.path]));
    expect(await remove()).toEqual({ removed: true });
    expect(existsSync(elsewhere)).toBe(way === 'move');
    expect(branches()).toContain(tree.branch);
  },
);

describe('a worktree without work of its own goes, and its branch stays', () => {
  afterEach(() => {
    expect(existsSync(tree.path)).toBe(false);
    expect(box.git(repo, 'worktree', 'list').split('\n')).toHaveLength(1);
    expect(branches()).toEqual([tree.branch, 'main']);
    expect(salvages()).toBe('');
  });

  test('when it is fresh', async () => {
    expect(await remove()).toEqual({ removed: true });
  });
  test('with commits, for the branch has them', async () => {
    commit('Work');
    await remove();
    expect(box.git(repo, 'log', '-1', '--format=%s', tree.branch)).toBe('Work');
  });
  test('with ignored files', async () => {
    write('.gitignore', 'out\n');
    commit('Ignore');
    write('out');
    await remove();
  });
  test('with what we put there ourselves', async () => {
    writeFileSync(join(repo, 'x.local'), 'x');
    mkdirSync(join(repo, 'shared'));
    await prepareWorktree({
      repo: folder,
      worktreePath: tree.path,
      copyFiles: ['*.local'],
      symlinkDirs: ['shared'],
      setupCommands: [],
    });
    await remove();
    expect(existsSync(join(repo, 'shared'))).toBe(true);
  });
  test('when its folder is gone already', async () => {
    rmSync(tree.path, { recursive: true });
    await remove();
  });
  test('asked for by force, without a salvage nobody needs', async () => {
    expect(await remove({ force: true })).toEqual({ removed: true });
  });
});

describe('work is kept', () => {
  const untracked = () => write('new');
  const changed = () => write('README.md');
  const loose = () => {
    box.git(tree.path, 'checkout', '-q', '--detach');
    commit('Loose');
  };
  const unfinished = () => {
    box.git(repo, 'commit', '-q', '--allow-empty', '-m', 'Side');
    box.git(tree.path, 'merge', '-q', '--no-ff', '--no-commit', 'main');
  };

  test.each([
    ['an untracked file', untracked],
    ['a change', changed],
    ['commits on no branch', loose],
    ['an unfinished merge', unfinished],
  ])('that is %s', async (_, work) => {
    work();
    await expect(remove()).rejects.toMatchObject({
      code: 'would_lose_work',
      hint: { forModel: expect.stringContaining('force: true') },
    });
    expect(existsSync(join(tree.path, '.git'))).toBe(true);
    expect(salvages()).toBe('');
  });

  test.each([
    ['an untracked file', untracked],
    ['a change', changed],
    ['commits on no branch', loose],
  ])('in a salvage ref when %s is removed by force', async (_, work) => {
    work();
    const { salvage } = await remove({ force: true });
    expect(existsSync(tree.path)).toBe(false);
    expect(box.git(repo, 'cat-file', '-t', salvage?.ref ?? '')).toBe('commit');
    expect(branches()).toEqual([tree.branch, 'main']);
  });

  test.each([
    ['leads to another repository', () => write('.git', `gitdir: ${box.repo('evil')}/.git\n`)],
    ['is gone', () => rmSync(join(tree.path, '.git'))],
    ['is a symlink', () => becomes(() => symlinkSync(tree.gitDir, join(tree.path, '.git')))],
    [
      'is as it was, and its folder names another repository',
      () => writeOwn('commondir', `${box.repo('evil')}/.git\n`),
    ],
    ['is as it was, and its folder names another worktree', () => writeOwn('gitdir', '/elsewhere/.git\n')],
    ['is as it was, and its folder has lost its own links', () => rmSync(join(tree.gitDir, 'commondir'))],
  ])('that is saved where its link %s', async (_, plant) => {
    pinWorktree(tree.path, { gitDir: tree.gitDir, commonDir: folder.gitCommonDir });
    commit('Own');
    write('loose.txt');
    plant();
    await expect(remove()).rejects.toMatchObject({ code: 'would_lose_work' });
    const { salvage } = await remove({ force: true });
    expect(existsSync(tree.path)).toBe(false);
    expect(box.git(repo, 'ls-tree', '--name-only', salvage?.ref ?? '')).toContain('loose.txt');
    expect(box.git(repo, 'log', '-1', '--format=%s', `${salvage?.ref}^1`)).toBe('Own');
    expect(box.git(repo, 'worktree', 'list').split('\n')).toHaveLength(1);
  });

  const writeOwn = (name: string, text: string) => writeFileSync(join(tree.gitDir, name), text);
  function becomes(make: () => void): void {
    rmSync(join(tree.path, '.git'));
    make();
  }

  test('another repository may be made at the path of one that was saved and removed', async () => {
    // As at its making; a test before this one may have let go of it.
    pinWorktree(tree.path, { gitDir: tree.gitDir, commonDir: folder.gitCommonDir });
    write('loose.txt');
    await remove({ force: true });
    box.git(repo, 'init', '-q', tree.path);
    const found = await inspectFolder({ path: tree.path, env: box.env });
    expect(found).toMatchObject({ gitDir: join(tree.path, '.git'), mainRepoPath: tree.path });
  });
});

describe('not even force removes', () => {
  let path: string;
  beforeEach(() => {
    path = tree.path;
  });
  afterEach(async () => {
    const before = readdirSync(path);
    await expect(remove({ path, force: true })).rejects.toMatchObject({ code: 'would_lose_work' });
    expect(readdirSync(path)).toEqual(before);
    expect(salvages()).toBe('');
  });

  test('a locked worktree', () => {
    box.git(repo, 'worktree', 'lock', tree.path);
  });
  test('a worktree with a repository of its own in place of its link', () => {
    pinWorktree(tree.path, { gitDir: tree.gitDir, commonDir: folder.gitCommonDir });
    rmSync(join(tree.path, '.git'));
    box.git(tree.path, 'init', '-q');
  });
  test('a symlink to a worktree', () => {
    path = join(box.root, 'link');
    symlinkSync(tree.path, path);
  });
  test('the main checkout', () => {
    path = repo;
  });
  test('a folder git does not know', () => {
    path = join(repo, '.worktrees/other');
    mkdirSync(path);
    writeFileSync(join(path, 'file'), '');
  });
  test('a worktree of another repository', () => {
    const other = box.repo('other');
    path = join(box.root, 'elsewhere');
    box.git(other, 'worktree', 'add', '-q', '-b', 'b', path);
  });
  test('a worktree with a broken link, whose files git cannot see, and of whose making nothing is known', () => {
    unpinWorktree(tree.path);
    rmSync(join(tree.path, '.git'));
    write('precious');
  });
  test('a worktree with another one inside', () => {
    box.git(repo, 'worktree', 'add', '-q', '-b', 'inner', join(tree.path, 'inner'));
    writeFileSync(join(folder.gitCommonDir, 'info/exclude'), '/inner\n');
  });
  test('a repository inside it', () => {
    mkdirSync(join(tree.path, 'lib'));
    box.git(join(tree.path, 'lib'), 'init', '-q');
  });
  test('submodules', () => {
    box.git(tree.path, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', box.repo('part'), 'part');
    commit('Part');
  });
  test('a worktree whose state git cannot read', () => {
    writeFileSync(join(folder.gitCommonDir, 'worktrees/ada-x/HEAD'), 'damaged');
  });
});

describe('a spawn that failed takes back', () => {
  const discard = () => discardFresh({ repo: folder, ...tree });

  test('its worktree and its branch', async () => {
    expect(await discard()).toEqual({ removed: true, branchDeleted: true });
    expect([existsSync(tree.path), branches()]).toEqual([false, ['main']]);
  });

  test('a worktree whose set-up failed half way', async () => {
    writeFileSync(join(repo, '.env'), 'e');
    const setup = {
      repo: folder,
      worktreePath: tree.path,
      copyFiles: ['.env'],
      symlinkDirs: [],
      setupCommands: ['exit 1'],
    };
    await expect(prepareWorktree(setup)).rejects.toMatchObject({ code: 'setup_failed' });
    expect(await discard()).toEqual({ removed: true, branchDeleted: true });
  });

  test('nothing when there is a file in it', async () => {
    write('new');
    expect(await discard()).toMatchObject({ removed: false, branchDeleted: false, reason: '1 untracked file' });
    expect(branches()).toContain(tree.branch);
  });

  test('nothing when there is a commit in it', async () => {
    commit('Work');
    expect(await discard()).toMatchObject({ removed: false, reason: 'it has commits of its own' });
  });

  test('and tells of what it saved before, for whom', async () => {
    const first = box.git(tree.path, 'rev-parse', 'HEAD');
    commit('Only the reflog will know');
    box.git(tree.path, 'reset', '-q', '--hard', first);
    const told: string[] = [];
    const onSaved = async ({ ref }: { readonly ref: string }) => void told.push(ref);
    const discarded = await discardFresh({ repo: folder, ...tree, workerId: '0a1b2c3d', onSaved });
    expect(discarded).toEqual({ removed: true, branchDeleted: true });
    expect(told).toEqual([expect.stringContaining('0a1b2c3d')]);
  });

  test('not a branch that was there before', async () => {
    box.git(repo, 'branch', 'old');
    const onOld = await addWorktree({
      folder,
      root: '.worktrees',
      name: { workerName: 'bob', workerId: 'y' },
      branch: 'old',
    });
    expect(await discardFresh({ repo: folder, ...onOld })).toEqual({ removed: true, branchDeleted: false });
    expect(branches()).toContain('old');
  });

  test('nothing, without an error, when the worktree was moved away', async () => {
    renameSync(tree.path, join(box.root, 'moved'));
    mkdirSync(tree.path);
    expect(await discard()).toMatchObject({ removed: false });
  });
});
