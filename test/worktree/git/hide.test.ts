import { chmodSync, lstatSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hidePath } from '../../../src/worktree/git/hide.ts';
import { layGround } from '../../support/ground.ts';

const { box, repo } = await layGround();
const exclude = join(repo, '.git/info/exclude');

const hide = (path: string) => hidePath(join(repo, '.git'), path);
const isIgnored = (path: string) => box.git(repo, 'status', '--porcelain', '--ignored', '-uall').includes(`!! ${path}`);

test('what the user wrote stays, and the line comes once, however many ask at once', async () => {
  writeFileSync(exclude, '# mine\n*.orig');
  chmodSync(exclude, 0o600);
  await Promise.all(Array.from({ length: 20 }, () => hide('.worktrees')));
  expect(readFileSync(exclude, 'utf8')).toBe('# mine\n*.orig\n/.worktrees\n');
  expect(statSync(exclude).mode & 0o777).toBe(0o600);
});

test('a repository without the file or its folder gets both', async () => {
  rmSync(join(repo, '.git/info'), { recursive: true });
  await hide('.worktrees');
  expect(readFileSync(exclude, 'utf8')).toBe('/.worktrees\n');
});

test.each(['a b', '[x]', '#odd', '!not', 'st*r', 'back\\slash'])('%j is hidden, and nothing like it', async (name) => {
  writeFileSync(join(repo, name), '');
  writeFileSync(join(repo, 'starr'), '');
  await hide(name);
  expect(box.git(repo, 'check-ignore', name)).not.toBe('');
  expect(isIgnored('starr')).toBe(false);
});

test('a symlink to a list of the user stays one', async () => {
  const own = join(box.root, 'my-excludes');
  writeFileSync(own, '');
  rmSync(exclude);
  symlinkSync(own, exclude);
  await hide('.worktrees');
  expect(lstatSync(exclude).isSymbolicLink()).toBe(true);
  expect(readFileSync(own, 'utf8')).toBe('/.worktrees\n');
});

test('the lock of a process that died holds nobody up for ever', async () => {
  writeFileSync(`${exclude}.lock`, '');
  await hide('.worktrees');
  expect(readFileSync(exclude, 'utf8')).toContain('\n/.worktrees\n');
});
