import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { unfilled } from '../../../src/worktree/making/unfilled.ts';
import { makeSandbox, type Sandbox } from '../../support/sandbox.ts';

let box: Sandbox;
beforeAll(() => {
  box = makeSandbox();
});
afterAll(() => box.dispose());

const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n';

test('empty submodules and pointers of large files are named, filled ones are not', async () => {
  const repo = box.repo('app');
  const there = { path: repo, env: box.env };
  const write = (path: string, text: string) => writeFileSync(join(repo, path), text);
  expect(await unfilled(there)).toEqual([]);
  const modules = ['one', 'two'].map((name) => `[submodule "${name}"]\n\tpath = libs/${name}\n\turl = ../${name}\n`);
  write('.gitmodules', modules.join(''));
  for (const name of ['one', 'two']) mkdirSync(join(repo, 'libs', name), { recursive: true });
  write('libs/two/file', 'x');
  write('.gitattributes', '*.bin filter=lfs diff=lfs merge=lfs -text\n');
  write('held.bin', 'the bytes themselves');
  write('left.bin', pointer);
  write('left.txt', pointer);
  box.git(repo, 'add', '--all', '--', '*.bin', '*.txt', '.gitattributes');
  expect(await unfilled(there)).toEqual([
    'its submodules are empty (libs/one); set worktrees.submodules to true, or run git submodule update --init --recursive there.',
    'it has Git LFS pointers in place of files (left.bin); run git lfs install once, and git lfs pull there.',
  ]);
});
