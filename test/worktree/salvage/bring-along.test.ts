import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type AddedWorktree, addWorktree } from '../../../src/worktree/making/add.ts';
import { discardFresh } from '../../../src/worktree/removal/remove.ts';
import { bringAlong, readUncommitted, type WorkAlong } from '../../../src/worktree/salvage/bring-along.ts';
import { layGround, workerTree } from '../../support/ground.ts';

const { box, folder } = await layGround();
const tree = await workerTree(folder);
const git = (...args: string[]) => box.git(tree.path, ...args);
const write = (path: string, text: string) => {
  mkdirSync(join(tree.path, path, '..'), { recursive: true });
  writeFileSync(join(tree.path, path), text);
};

async function read(): Promise<WorkAlong> {
  const found = await readUncommitted(folder, tree.path);
  if (found === undefined) throw new Error('nothing was read');
  return found;
}

const freshAt = (sha: string): Promise<AddedWorktree> =>
  addWorktree({ folder, root: '.worktrees', name: { workerName: 'bea', workerId: 'y' }, from: { ref: 'ada', sha } });

test('a fresh worktree gets files, modes, links and the index of another as they are there', async () => {
  for (const path of ['kept', 'gone/deep/file', 'becomes/a/folder', 'was-file', 'staged', 'lines.txt', 'run'])
    write(path, `${path}\n`);
  git('add', '-A');
  git('commit', '-q', '-m', 'Work');
  git('config', 'core.autocrlf', 'input');
  rmSync(join(tree.path, 'gone'), { recursive: true });
  rmSync(join(tree.path, 'becomes'), { recursive: true });
  write('becomes', 'a file now\n');
  rmSync(join(tree.path, 'was-file'));
  write('was-file/inside', 'a folder now\n');
  write('staged', 'staged\n');
  git('add', 'staged');
  write('staged', 'and changed again\n');
  write('lines.txt', 'one\r\ntwo\r\n');
  chmodSync(join(tree.path, 'run'), 0o755);
  symlinkSync('kept', join(tree.path, 'link'));
  write('.gitignore', 'ignored\n');
  write('ignored', 'stays\n');
  const work = await read();
  expect(work.counts).toMatchObject({ untracked: 4, conflicts: 0 });
  const fresh = await freshAt(work.head);
  await bringAlong(folder, fresh, work);
  const look = (path: string) =>
    [['status', '--porcelain=v2', '-z'], ['ls-files', '-s', '-z'], ['diff']].map((args) => box.git(path, ...args));
  expect(look(fresh.path)).toEqual(look(tree.path));
  expect(readFileSync(join(fresh.path, 'lines.txt'), 'utf8')).toBe('one\r\ntwo\r\n');
  expect(existsSync(join(fresh.path, 'gone'))).toBe(false);
  expect(existsSync(join(fresh.path, 'ignored'))).toBe(false);
});

test('what would not come out exactly leaves neither worktree nor branch', async () => {
  write('kept', 'changed\n');
  const work = await read();
  const fresh = await freshAt(work.head);
  writeFileSync(join(fresh.path, 'unasked'), 'x');
  await expect(bringAlong(folder, fresh, work)).rejects.toThrow(
    'The uncommitted work cannot be brought along exactly: what came out is not what was there.',
  );
  expect(existsSync(fresh.path)).toBe(false);
  expect(await discardFresh({ repo: folder, ...fresh })).toEqual({ removed: true, branchDeleted: true });
});

test('work that git could not give back byte for byte is refused before anything is made', async () => {
  mkdirSync(join(tree.path, 'inner'));
  box.git(join(tree.path, 'inner'), 'init', '-q');
  writeFileSync(join(tree.path, 'inner', 'file'), 'x');
  await expect(read()).rejects.toThrow(
    /^The uncommitted work cannot be brought along exactly: .*repositories of their own/,
  );
});
