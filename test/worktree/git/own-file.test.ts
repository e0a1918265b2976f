import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkOwnFile, hideOwnFile, type OwnFile, removeOwnFile } from '../../../src/worktree/git/own-file.ts';
import { makeSandbox, type Sandbox } from '../../support/sandbox.ts';

let box: Sandbox;
let tree: string;
let file: OwnFile;
beforeEach(() => {
  box = makeSandbox();
  const repo = box.repo('app');
  tree = join(box.root, 'tree');
  box.git(repo, 'worktree', 'add', '-q', tree);
  file = {
    root: tree,
    subfolder: '',
    gitCommonDir: join(repo, '.git'),
    env: box.env,
    path: '.claude/settings.local.json',
  };
});
afterEach(() => box.dispose());

const status = () => box.git(tree, 'status', '--porcelain', '--untracked-files=all');
const exclude = () => readFileSync(join(file.gitCommonDir, 'info/exclude'), 'utf8');

test('git sees neither the file nor what hides it, and the list of the repository stays as it is', async () => {
  const before = exclude();
  await checkOwnFile(file);
  await hideOwnFile(file);
  writeFileSync(join(tree, file.path), '{}');
  await hideOwnFile(file);
  expect(status()).toBe('');
  expect(exclude()).toBe(before);
  await removeOwnFile(file);
  expect(existsSync(join(tree, '.claude'))).toBe(false);
});

test('where a list of the project is in the way, the file is hidden by the one of the repository', async () => {
  mkdirSync(join(tree, '.claude'));
  writeFileSync(join(tree, '.claude/.gitignore'), 'x\n');
  await hideOwnFile(file);
  writeFileSync(join(tree, file.path), '{}');
  expect(status()).toBe('?? .claude/.gitignore');
  expect(exclude()).toContain('/.claude/settings.local.json');
  await removeOwnFile(file);
  expect(readFileSync(join(tree, '.claude/.gitignore'), 'utf8')).toBe('x\n');
});

test('its folder is made, also where git does not see the file anyway', async () => {
  writeFileSync(join(file.gitCommonDir, 'info/exclude'), '/.claude/settings.local.json\n');
  await hideOwnFile(file);
  writeFileSync(join(tree, file.path), '{}');
  expect(status()).toBe('');
});

test('in a subfolder it is hidden there', async () => {
  const sub = { ...file, root: join(tree, 'packages/a'), subfolder: 'packages/a' };
  mkdirSync(join(sub.root, '.claude'), { recursive: true });
  writeFileSync(join(sub.root, '.claude/.gitignore'), '');
  await checkOwnFile(sub);
  await hideOwnFile(sub);
  writeFileSync(join(sub.root, sub.path), '{}');
  expect(status()).toBe('?? packages/a/.claude/.gitignore');
});

test('a file that git tracks is refused by name', async () => {
  mkdirSync(join(tree, '.claude'));
  writeFileSync(join(tree, file.path), '{}');
  box.git(tree, 'add', '-f', file.path);
  await expect(checkOwnFile(file)).rejects.toThrow(
    '.claude/settings.local.json of the worktree, because git tracks it',
  );
});

test('a link to another place is refused', async () => {
  symlinkSync(box.dir('elsewhere'), join(tree, '.claude'));
  await expect(checkOwnFile(file)).rejects.toThrow(/a link leads/);
});

test('so is the file itself as a link', async () => {
  mkdirSync(join(tree, '.claude'));
  symlinkSync(join(box.root, 'nowhere'), join(tree, file.path));
  await expect(checkOwnFile(file)).rejects.toThrow(/a link leads/);
});
