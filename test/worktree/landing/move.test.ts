import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type FolderFacts, inspectFolder } from '../../../src/worktree/git/inspect.ts';
import { moveBranch } from '../../../src/worktree/landing/move.ts';
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
