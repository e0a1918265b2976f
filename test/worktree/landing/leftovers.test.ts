import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { inspectFolder } from '../../../src/worktree/git/inspect.ts';
import { commitLeftovers, draftFor, findLeftovers } from '../../../src/worktree/landing/leftovers.ts';
import { makeSandbox, type Sandbox } from '../../support/sandbox.ts';

let box: Sandbox;
let repo: string;
beforeEach(() => {
  box = makeSandbox();
  repo = box.repo('app');
  mkdirSync(join(repo, 'dir'));
  writeFileSync(join(repo, 'dir/file'), 'file\n');
  writeFileSync(join(repo, 'plain'), 'plain\n');
  box.git(repo, 'add', '.');
  box.git(repo, 'commit', '-q', '-m', 'Files');
});
afterEach(() => box.dispose());

async function commitAll(): Promise<string> {
  const folder = await inspectFolder({ path: repo, env: box.env });
  if (folder === undefined) throw new Error('no repository');
  const found = await findLeftovers({ path: repo, repo: folder, branch: 'main' });
  await commitLeftovers(found, draftFor(found), {
    message: 'Leftovers\n',
    hooks: join(found.folder.gitCommonDir, 'hooks'),
  });
  return box.git(repo, '-c', 'core.quotePath=false', 'show', '--name-status', '--no-renames', '--format=', 'HEAD');
}

it('a folder that became a symlink and a file that became a folder are committed as they lie there', async () => {
  rmSync(join(repo, 'dir'), { recursive: true });
  symlinkSync('/somewhere', join(repo, 'dir'));
  rmSync(join(repo, 'plain'));
  mkdirSync(join(repo, 'plain'));
  writeFileSync(join(repo, 'plain/ü x'), 'x\n');
  expect((await commitAll()).split('\n')).toEqual(['A\tdir', 'D\tdir/file', 'D\tplain', 'A\tplain/ü x']);
  expect(box.git(repo, 'status', '--porcelain')).toBe('');
});
