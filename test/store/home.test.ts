import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openHome } from '../../src/store/home.ts';
import { makeSandbox, type Sandbox } from '../support/sandbox.ts';

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = makeSandbox();
});
afterEach(() => sandbox.dispose());

const modeOf = (path: string) => statSync(path).mode & 0o777;

test('every folder it makes is its owner’s alone', async () => {
  const root = join(sandbox.root, 'new', 'home');
  const home = await openHome(root);
  const dir = await home.launchDir('0123abcd', 2);
  expect(dir).toBe(join(root, 'workers', '0123abcd', 'launches', '2'));
  expect([root, await home.workerDir('0123abcd'), dir].map(modeOf)).toEqual([0o700, 0o700, 0o700]);
});

test('a folder that was there keeps its mode', async () => {
  const root = join(sandbox.root, 'mine');
  mkdirSync(root);
  chmodSync(root, 0o755);
  await openHome(root);
  expect(modeOf(root)).toBe(0o755);
});

test('nothing but a worker id or a plain lock name becomes a path', async () => {
  const home = await openHome(join(sandbox.root, 'home'));
  expect(() => home.workerDir('../../etc')).toThrow('no worker id');
  expect(() => home.lockPath('../x')).toThrow('names no file of its own');
  expect(home.lockPath('send-0123abcd')).toBe(join(home.root, 'locks', 'send-0123abcd'));
});

test('a place where nothing can be kept is said, with what to do', async () => {
  const file = join(sandbox.root, 'a-file');
  writeFileSync(file, '');
  await expect(openHome(join(file, 'home'))).rejects.toMatchObject({
    code: 'state_unreadable',
    message: expect.stringContaining(`crewmux cannot keep its state in ${join(file, 'home')}: ENOTDIR`),
  });
});
