import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { withLock } from '../../src/system/lock.ts';
import { processStart } from '../../src/system/process.ts';
import { type Children, childrenOf } from '../store/child.ts';
import { makeSandbox, type Sandbox } from '../support/sandbox.ts';

let sandbox: Sandbox;
let children: Children;
let lock: string;
beforeEach(() => {
  sandbox = makeSandbox();
  children = childrenOf(sandbox);
  lock = join(sandbox.root, 'a.lock');
});
afterEach(async () => {
  await children.endAll();
  sandbox.dispose();
});

const options = async (timeoutMs = 120_000) => ({
  me: { pid: process.pid, processStart: (await processStart(process.pid)) ?? '' },
  timeoutMs,
});

const leaveLockOf = (pid: number, start: string, nonce = 'dead0001') =>
  symlinkSync(JSON.stringify({ v: 1, pid, processStart: start, nonce }), lock);

test('the lock of a killed process is taken over at once', async () => {
  const holder = await children.startUntil('held', 'holder.ts', lock);
  holder.kill('SIGKILL');
  await holder.ended;
  expect(await withLock(lock, async () => 'mine', await options(0))).toBe('mine');
  expect(existsSync(lock)).toBe(false);
});

test('a living holder is waited for, and named when it does not let go in time', async () => {
  const holder = await children.startUntil('held', 'holder.ts', lock);
  const error = await withLock(lock, async () => 'mine', await options(50)).catch((thrown) => thrown);
  expect(error).toMatchObject({ code: 'state_locked' });
  expect(error.message).toContain(`held by process ${holder.pid}`);
});

test('a lock whose pid now belongs to a later process is broken', async () => {
  leaveLockOf(process.pid, 'another time');
  expect(await withLock(lock, async () => 'mine', await options(0))).toBe('mine');
});

test('many breakers of one dead lock still hold it one at a time', async () => {
  leaveLockOf(2 ** 30, '1');
  let inside = 0;
  let most = 0;
  const mine = await options();
  const enter = () =>
    withLock(
      lock,
      async () => {
        inside += 1;
        most = Math.max(most, inside);
        await new Promise(setImmediate);
        inside -= 1;
      },
      mine,
    );
  await Promise.all(Array.from({ length: 30 }, enter));
  expect(most).toBe(1);
});

test('a breaker that was killed in the middle of breaking is itself broken', async () => {
  leaveLockOf(2 ** 30, '1');
  symlinkSync(JSON.stringify({ v: 1, pid: 2 ** 30, processStart: '1', nonce: 'dead0002' }), `${lock}.dead0001`);
  expect(await withLock(lock, async () => 'mine', await options(0))).toBe('mine');
  expect(readdirSync(sandbox.root).filter((name) => name.startsWith('a.lock'))).toEqual([]);
});

test('the lock is let go of when what it guards throws', async () => {
  const failing = withLock(lock, async () => Promise.reject(new Error('inside')), await options());
  await expect(failing).rejects.toThrow('inside');
  expect(existsSync(lock)).toBe(false);
});

test('what stands at the path and is no lock is reported and left alone', async () => {
  writeFileSync(lock, 'precious');
  await expect(withLock(lock, async () => 'mine', await options(0))).rejects.toMatchObject({
    code: 'state_unreadable',
  });
  expect(readFileSync(lock, 'utf8')).toBe('precious');
});
