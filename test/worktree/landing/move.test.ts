import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type FolderFacts, inspectFolder } from '../../../src/worktree/inspect.ts';
import { bringAlong, bringAlongLine, checkoutsOf, moveBranch } from '../../../src/worktree/landing/move.ts';
import { makeSandbox, type Sandbox } from '../../support/sandbox.ts';

let sandbox: Sandbox;
let path: string;
let repo: FolderFacts;
let from: string;
let to: string;
let back: () => void;
beforeAll(async () => {
  sandbox = makeSandbox();
  path = sandbox.repo('project');
  from = git('rev-parse', 'main');
  writeFileSync(join(path, 'README.md'), 'as it landed\n');
  writeFileSync(join(path, 'new.txt'), 'new\n');
  git('add', '.');
  to = git('commit-tree', git('write-tree'), '-p', from, '-m', 'Land');
  git('reset', '-q', '--hard', from);
  const found = await inspectFolder({ path, env: sandbox.env });
  if (found === undefined) throw new Error('no repository');
  repo = found;
  back = sandbox.keep();
});
afterEach(() => back());
afterAll(() => sandbox.dispose());

const git = (...args: string[]) => sandbox.git(path, ...args);
const move = () => moveBranch(repo, { branch: 'main', from, to }, 'test');
const shell = (line: string) =>
  line.split(' && ').map((step) => sandbox.git(path, ...step.replace(/^git -C \S+ /, '').split(' ')));

it('a branch that somebody else has moved is not moved', async () => {
  git('commit', '-q', '--allow-empty', '-m', 'Theirs');
  const theirs = git('rev-parse', 'main');
  expect(await move()).toBe(false);
  expect(git('rev-parse', 'main')).toBe(theirs);
});

it('a lock that a killed git has left is named, and does not look like a branch that moved', async () => {
  const lock = join(repo.gitCommonDir, 'refs/heads/main.lock');
  writeFileSync(lock, '');
  await expect(move()).rejects.toMatchObject({
    code: 'git_failed',
    message: expect.stringContaining('refs/heads/main.lock'),
  });
  rmSync(lock);
  expect(await move()).toBe(true);
});

it('a checkout in the middle of a merge is not clean, whatever its files say', async () => {
  expect(await checkoutsOf(repo, 'main')).toEqual([{ path, isClean: true }]);
  writeFileSync(join(repo.gitDir, 'MERGE_HEAD'), `${to}\n`);
  expect(await checkoutsOf(repo, 'main')).toEqual([{ path, isClean: false }]);
});

it.each([
  ['elsewhere', 'other.txt', 'read-tree'],
  ['in a file that landed', 'README.md', 'stash'],
  ['in the way of a file that landed', 'new.txt', 'stash'],
])('the line for a checkout with changes %s brings it along and keeps them', async (_, name, how) => {
  writeFileSync(join(path, name), 'my own words\n');
  await move();
  expect(await bringAlong(repo, path, { from, to })).toBe(how === 'read-tree');
  if (how === 'read-tree') return;
  const line = await bringAlongLine(repo, path, { branch: 'main', from, to });
  expect(line).toContain(how);
  expect(() => shell(line)).toThrow(/stash/);
  expect(git('symbolic-ref', 'HEAD')).toBe('refs/heads/main');
  expect([git('rev-parse', 'main'), git('show', 'HEAD:README.md')]).toEqual([to, 'as it landed']);
  expect(git('stash', 'list')).toContain('stash@{0}');
  const kept = name === 'new.txt' ? `stash@{0}^3:${name}` : `stash@{0}:${name}`;
  expect(git('show', kept)).toBe('my own words');
  expect(existsSync(join(path, 'new.txt')) && readFileSync(join(path, 'new.txt'), 'utf8')).toBe('new\n');
});

it('an ignored file where something landed is not written over, and the line that is told moves it aside', async () => {
  writeFileSync(join(repo.gitDir, 'info/exclude'), 'new.txt\n');
  writeFileSync(join(path, 'new.txt'), 'mine\n');
  expect(await move()).toBe(true);
  expect(await bringAlong(repo, path, { from, to })).toBe(false);
  expect(readFileSync(join(path, 'new.txt'), 'utf8')).toBe('mine\n');
  const line = await bringAlongLine(repo, path, { branch: 'main', from, to });
  execFileSync('/bin/sh', ['-c', line], { env: sandbox.env });
  expect(git('status', '--porcelain')).toBe('?? new.txt.mine');
  expect(readFileSync(join(path, 'new.txt.mine'), 'utf8')).toBe('mine\n');
});
