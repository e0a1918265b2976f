import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { inspectFolder } from '../../../src/worktree/git/inspect.ts';
import { makeSandbox, type Sandbox } from '../../support/sandbox.ts';

let box: Sandbox;
let back: () => void;
beforeAll(() => {
  box = makeSandbox();
  back = box.keep();
});
afterEach(() => back());
afterAll(() => box.dispose());

const inspect = (path: string, env = box.env) => inspectFolder({ path, env });

test('a folder in no repository has no facts', async () => {
  expect(await inspect(box.dir('plain'))).toBeUndefined();
});

test('a folder that does not exist is an error, not "no repository"', async () => {
  await expect(inspect(join(box.root, 'nowhere'))).rejects.toMatchObject({ code: 'invalid_argument' });
});

test('a subfolder knows its worktree, its repository and its commit', async () => {
  const repo = box.repo('app');
  mkdirSync(join(repo, 'src/deep'), { recursive: true });
  expect(await inspect(join(repo, 'src/deep'))).toEqual({
    mainRepoPath: repo,
    gitCommonDir: join(repo, '.git'),
    env: box.env,
    worktreeRoot: repo,
    gitDir: join(repo, '.git'),
    subfolder: 'src/deep',
    head: { sha: box.git(repo, 'rev-parse', 'HEAD'), branch: 'main' },
    isBare: false,
    isShallow: false,
  });
});

test('a path through a symlink comes back real', async () => {
  const repo = box.repo('app');
  symlinkSync(repo, join(box.root, 'link'));
  expect((await inspect(join(box.root, 'link')))?.mainRepoPath).toBe(repo);
});

test('a linked worktree names the main one', async () => {
  const repo = box.repo('app');
  const linked = join(box.root, 'linked');
  box.git(repo, 'worktree', 'add', '-q', '-b', 'side', linked);
  mkdirSync(join(linked, 'sub'));
  expect(await inspect(join(linked, 'sub'))).toMatchObject({
    mainRepoPath: repo,
    worktreeRoot: linked,
    subfolder: 'sub',
    gitDir: join(repo, '.git/worktrees/linked'),
    head: { branch: 'side' },
  });
});

describe('a bare repository', () => {
  test('is its own main repository, also for its worktrees', async () => {
    const bare = join(box.root, 'app.git');
    box.git(box.root, 'clone', '-q', '--bare', box.repo('app'), bare);
    const linked = join(box.root, 'linked');
    box.git(bare, 'worktree', 'add', '-q', '-b', 'side', linked);
    const atBare = await inspect(bare);
    expect(atBare).toMatchObject({ mainRepoPath: bare, isBare: true, head: { branch: 'main' } });
    expect(atBare?.head.sha).toMatch(/^[0-9a-f]{40}$/);
    expect(atBare?.worktreeRoot).toBeUndefined();
    expect(await inspect(linked)).toMatchObject({ mainRepoPath: bare, worktreeRoot: linked, isBare: false });
  });
});

test('a branch without a commit has a name and no sha', async () => {
  const fresh = box.dir('fresh');
  box.git(fresh, 'init', '-q', '-b', 'trunk');
  expect((await inspect(fresh))?.head).toEqual({ branch: 'trunk' });
});

test('a detached HEAD has a sha and no branch', async () => {
  const repo = box.repo('app');
  box.git(repo, 'checkout', '-q', '--detach');
  expect((await inspect(repo))?.head).toEqual({ sha: box.git(repo, 'rev-parse', 'HEAD') });
});

test('a shallow clone says so', async () => {
  const shallow = join(box.root, 'shallow');
  const repo = box.repo('app');
  box.git(repo, 'commit', '-q', '--allow-empty', '-m', 'Second');
  box.git(box.root, 'clone', '-q', '--depth', '1', `file://${repo}`, shallow);
  expect((await inspect(shallow))?.isShallow).toBe(true);
});

test('a submodule is its own main repository', async () => {
  const inner = box.repo('inner');
  const outer = box.repo('outer');
  box.git(outer, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner, 'part');
  const linked = join(box.root, 'linked');
  box.git(join(outer, 'part'), 'worktree', 'add', '-q', '-b', 'side', linked);
  expect((await inspect(join(outer, 'part')))?.mainRepoPath).toBe(join(outer, 'part'));
  expect((await inspect(linked))?.mainRepoPath).toBe(join(outer, 'part'));
});

test('stale GIT_DIR and GIT_INDEX_FILE of the caller change nothing', async () => {
  const repo = box.repo('app');
  const other = box.repo('other');
  const env = { ...box.env, GIT_DIR: join(other, '.git'), GIT_INDEX_FILE: '/nowhere', GIT_WORK_TREE: other };
  expect((await inspect(repo, env))?.mainRepoPath).toBe(repo);
});

test('a machine without git is told apart from a folder without a repository', async () => {
  const env = { ...box.env, PATH: box.dir('empty') };
  await expect(inspect(box.repo('app'), env)).rejects.toMatchObject({ code: 'git_missing' });
});
