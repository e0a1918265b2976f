import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type AddRequest, addWorktree } from '../../../src/worktree/making/add.ts';
import { folderAt, layGround } from '../../support/ground.ts';

const { box, repo } = await layGround();

const name = { workerName: 'ada', workerId: '0a1b2c3d' };

async function add(request: Partial<AddRequest> = {}, at = repo) {
  return addWorktree({ folder: await folderAt(at, box.env), root: '.worktrees', name, ...request });
}

const branches = () => box.git(repo, 'for-each-ref', '--format=%(refname:short)', 'refs/heads').split('\n');
const head = (at = repo) => box.git(at, 'rev-parse', 'HEAD');

test('a worktree gets a folder, and a branch in a folder of refs that is its own, from the current HEAD', async () => {
  const added = await add({ name: { ...name, annotation: 'Fix login' } });
  expect(added).toEqual({
    path: join(repo, '.worktrees/ada-0a1b2c3d-fix-login'),
    branch: 'ada-0a1b2c3d/fix-login',
    branchFolder: 'ada-0a1b2c3d',
    base: { ref: 'main', sha: head() },
    gitDir: join(repo, '.git/worktrees/ada-0a1b2c3d-fix-login'),
    branchCreated: true,
  });
  expect(box.git(added.path, 'symbolic-ref', '--short', 'HEAD')).toBe(added.branch);
  expect(readFileSync(join(added.path, 'README.md'), 'utf8')).toBe('# app\n');
});

test('work on a bead is named after it', async () => {
  const added = await add({ name: { ...name, bead: 'cic-3dg.1', annotation: 'Login' } });
  expect([basename(added.path), added.branch]).toEqual(['cic-3dg.1-login', 'cic-3dg.1-0a1b2c3d/login']);
});

test('the base is the HEAD of the folder asked from, not of the main checkout', async () => {
  const first = await add();
  box.git(first.path, 'commit', '-q', '--allow-empty', '-m', 'Ahead');
  const second = await add({}, first.path);
  expect(second.path).toBe(join(repo, '.worktrees/ada-0a1b2c3d-2'));
  expect(second.base).toEqual({ ref: first.branch, sha: head(first.path) });
});

test('the user checkout shows no change at all', async () => {
  const config = readFileSync(join(repo, '.git/config'), 'utf8');
  await Promise.all([add(), add(), add({ branch: 'own' })]);
  expect(box.git(repo, 'status', '--porcelain')).toBe('');
  expect(readFileSync(join(repo, '.git/config'), 'utf8')).toBe(config);
  expect(readFileSync(join(repo, '.git/info/exclude'), 'utf8').match(/^\/\.worktrees$/gm)).toHaveLength(1);
});

describe('a given base', () => {
  test('is resolved once and recorded as asked', async () => {
    box.git(repo, 'tag', 'v1');
    const sha = head();
    box.git(repo, 'commit', '-q', '--allow-empty', '-m', 'Later');
    const added = await add({ base: 'v1' });
    expect(added.base).toEqual({ ref: 'v1', sha });
    expect(head(added.path)).toBe(sha);
  });

  test('that is a remote branch sets up no tracking', async () => {
    const origin = box.repo('origin');
    box.git(repo, 'remote', 'add', 'origin', origin);
    box.git(repo, 'fetch', '-q', 'origin');
    const added = await add({ base: 'origin/main' });
    expect(() => box.git(added.path, 'rev-parse', '--abbrev-ref', '@{upstream}')).toThrow();
    expect(head(added.path)).toBe(head(origin));
  });

  test('that does not exist is refused with near names and leaves nothing', async () => {
    box.git(repo, 'branch', 'develop');
    await expect(add({ base: 'develp' })).rejects.toMatchObject({
      code: 'base_not_found',
      message: expect.stringContaining('The default branch is main. Near it: develop.'),
    });
    await expect(add({ base: '--since=yesterday' })).rejects.toMatchObject({ code: 'base_not_found' });
    expect(branches()).toEqual(['develop', 'main']);
    expect(readdirSync(join(repo, '.worktrees'))).toEqual([]);
  });
});

describe('an explicit branch', () => {
  test('that is new starts from HEAD', async () => {
    const added = await add({ branch: 'feature/login' });
    expect(added).toMatchObject({ branch: 'feature/login', branchCreated: true, base: { ref: 'main' } });
    expect(added.branchFolder).toBe('feature');
    expect(added.path).toBe(join(repo, '.worktrees/ada-0a1b2c3d'));
  });

  test('that exists is checked out where it stands', async () => {
    box.git(repo, 'branch', 'old');
    box.git(repo, 'commit', '-q', '--allow-empty', '-m', 'Later');
    const added = await add({ branch: 'old' });
    expect(added.branchCreated).toBe(false);
    expect(added.base).toEqual({ ref: 'old', sha: box.git(repo, 'rev-parse', 'old') });
    expect(head(added.path)).toBe(added.base.sha);
  });

  test('that is checked out elsewhere is refused, naming where, and stays', async () => {
    await expect(add({ branch: 'main' })).rejects.toMatchObject({
      code: 'branch_exists',
      message: expect.stringContaining(`checked out at ${repo}`),
    });
    expect(branches()).toEqual(['main']);
    expect(readdirSync(join(repo, '.worktrees'))).toEqual([]);
  });

  test('that exists cannot be given another base', async () => {
    box.git(repo, 'branch', 'old');
    await expect(add({ branch: 'old', base: 'main' })).rejects.toMatchObject({ code: 'branch_exists' });
  });

  test('below an existing branch is refused', async () => {
    await expect(add({ branch: 'main/sub' })).rejects.toMatchObject({ code: 'branch_exists' });
    expect(readdirSync(join(repo, '.worktrees'))).toEqual([]);
  });

  test.each(['-x', 'a..b', '@{-1}', 'a b', '.hidden', 'HEAD'])('%j is no name for one', async (branch) => {
    await expect(add({ branch })).rejects.toMatchObject({ code: 'invalid_argument' });
  });
});

describe('a name that is taken is numbered', () => {
  test('when the folder exists, and the branch is not', async () => {
    mkdirSync(join(repo, '.worktrees/ada-0a1b2c3d'), { recursive: true });
    expect(await add()).toMatchObject({
      path: join(repo, '.worktrees/ada-0a1b2c3d-2'),
      branch: 'ada-0a1b2c3d/work',
    });
  });

  test('when a branch is above or below the wanted one, or beside it in its folder', async () => {
    for (const branch of ['ada-0a1b2c3d', 'ada-0a1b2c3d-2/work/below', 'ada-0a1b2c3d-3/beside', 'ada-0a1b2c3d-4/work'])
      box.git(repo, 'branch', branch);
    expect(await add()).toMatchObject({ branch: 'ada-0a1b2c3d-5/work', branchFolder: 'ada-0a1b2c3d-5' });
    expect(readdirSync(join(repo, '.worktrees'))).toEqual(['ada-0a1b2c3d']);
  });
});

describe('a repository that cannot carry a worktree', () => {
  test('without a commit says so', async () => {
    const fresh = box.dir('fresh');
    box.git(fresh, 'init', '-q');
    await expect(add({}, fresh)).rejects.toMatchObject({
      code: 'worktree_failed',
      message: expect.stringContaining('no commit yet'),
    });
  });

  test('with a hook gets its worktree all the same, and the hook is not run', async () => {
    const ran = join(box.root, 'ran');
    writeFileSync(join(repo, '.git/hooks/post-checkout'), `#!/bin/sh\ntouch ${ran}\nexit 3\n`, { mode: 0o755 });
    await expect(add()).resolves.toMatchObject({ branchCreated: true });
    expect(existsSync(ran)).toBe(false);
  });

  test('whose worktrees folder is a symlink that leads away is left alone', async () => {
    symlinkSync(box.dir('away'), join(repo, '.worktrees'));
    await expect(add()).rejects.toMatchObject({ code: 'worktree_failed' });
    expect(readdirSync(box.dir('away'))).toEqual([]);
  });
});

test('an absolute folder outside the repository is used and nothing is hidden', async () => {
  const away = box.dir('away');
  const added = await add({ root: away });
  expect(added.path).toBe(join(away, 'ada-0a1b2c3d'));
  expect(readFileSync(join(repo, '.git/info/exclude'), 'utf8')).not.toContain('away');
});

test('a bare repository carries worktrees too', async () => {
  const bare = join(box.root, 'bare.git');
  box.git(box.root, 'clone', '-q', '--bare', repo, bare);
  const added = await add({}, bare);
  expect(existsSync(join(added.path, 'README.md'))).toBe(true);
});
