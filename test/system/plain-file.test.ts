import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { mostBytes, openPlain, plainText, readPlain, readPlainSync } from '../../src/system/plain-file.ts';
import { hashFile } from '../../src/worktree/git/prepared.ts';
import { makeSandbox, type Sandbox } from '../support/sandbox.ts';

let box: Sandbox;
const at = (name: string) => join(box.root, name);
beforeAll(() => {
  box = makeSandbox();
  writeFileSync(at('plain'), 'text\n');
  writeFileSync(at('full'), Buffer.alloc(mostBytes.other));
  execFileSync('mkfifo', [at('pipe')]);
  symlinkSync(at('plain'), at('link'));
  symlinkSync('/dev/zero', at('zero'));
  mkdirSync(at('folder'));
  writeFileSync(at('large'), '');
  truncateSync(at('large'), 4 * 1024 ** 3);
  writeFileSync(at('over'), Buffer.alloc(mostBytes.other + 1));
});
afterAll(() => box.dispose());

it('a plain file is read whole, and one that is missing is nothing', async () => {
  expect((await readPlain(at('plain')))?.toString()).toBe('text\n');
  expect(readPlainSync(at('plain'))).toBe('text\n');
  expect((await readPlain(at('full')))?.length).toBe(mostBytes.other);
  expect([await readPlain(at('none')), readPlainSync(at('none')), await openPlain(at('none'))]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

it.each([
  ['pipe', 'is a named pipe'],
  ['link', 'is a symbolic link'],
  ['zero', 'is a symbolic link'],
  ['folder', 'is a folder'],
  ['large', 'has 4294967296 bytes'],
  ['over', 'has 4194305 bytes'],
])('a %s is not read, and at once named as what it is', async (name, words) => {
  const begun = performance.now();
  await expect(readPlain(at(name))).rejects.toMatchObject({
    code: 'worktree_failed',
    message: expect.stringContaining(`${at(name)} ${words}`),
  });
  expect(() => readPlainSync(at(name))).toThrow(words);
  expect(await plainText(at(name))).toBe('');
  expect(performance.now() - begun).toBeLessThan(500);
});

it('a device is not read either', async () => {
  await expect(readPlain('/dev/zero')).rejects.toThrow('is no plain file');
});

it('a file of any size has a hash, and a link to one has none', async () => {
  expect(await hashFile(at('plain'))).toMatch(/^b9e68e1bea3e5b19/);
  await expect(hashFile(at('link'))).rejects.toThrow('is a symbolic link');
});
