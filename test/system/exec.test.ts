import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { run } from '../../src/system/exec.ts';
import { type Children, childrenOf } from '../store/child.ts';
import { eventually, makeSandbox, runs, type Sandbox } from '../support/sandbox.ts';

let sandbox: Sandbox;
let children: Children;
beforeEach(() => {
  sandbox = makeSandbox();
  children = childrenOf(sandbox);
});
afterEach(async () => {
  await children.endAll();
  sandbox.dispose();
});

const env = { PATH: process.env.PATH ?? '/usr/bin:/bin' };
const shell = (line: string, more = {}) => run('/bin/sh', ['-c', line], { env, wholeTree: 'always', ...more });
const written = (path: string) => existsSync(path) && readFileSync(path, 'utf8').endsWith('\n');

it('nothing of the program runs before its process group is known', async () => {
  const marker = join(sandbox.root, 'ran');
  let ranBefore: boolean | undefined;
  const told = await shell(`echo >${marker}; echo $$; exit 3`, {
    guard: {
      beforeStart: async (leader: number) => {
        ranBefore = existsSync(marker) || !runs(leader);
      },
    },
  });
  expect(ranBefore).toBe(false);
  expect(told).toMatchObject({ exitCode: 3, stderr: '' });
  expect(existsSync(marker)).toBe(true);
});

it('a program whose beginning could not be noted never begins', async () => {
  const marker = join(sandbox.root, 'ran');
  const failing = { guard: { beforeStart: () => Promise.reject(new Error('the disk is full')) } };
  await expect(shell(`echo >${marker}`, failing)).rejects.toThrow('the disk is full');
  expect(existsSync(marker)).toBe(false);
});

it('a guarded program that waits for all its children does not wait for its guard', async () => {
  expect(await shell('true & wait; cat; echo over', { guard: { beforeStart: async () => {} } })).toMatchObject({
    exitCode: 0,
    stdout: 'over\n',
  });
});

it('a program that is killed with us takes all of its group along, deaf to signals or not', async () => {
  const pids = join(sandbox.root, 'pids');
  const line = `trap '' TERM HUP INT; sh -c "trap '' TERM HUP; sleep 1000" & echo $$ $! >${pids}; wait`;
  const starter = children.start('guarded.ts', line);
  await eventually('it runs', () => written(pids));
  const running = readFileSync(pids, 'utf8').trim().split(' ').map(Number);
  expect(running.map(runs)).toEqual([true, true]);
  starter.kill('SIGKILL');
  await eventually('all of it has ended', () => !running.some(runs));
});

it('what left the group is not waited for when whoever knows it ends it', async () => {
  const pidFile = join(sandbox.root, 'pid');
  const afterEnd = async () => process.kill(Number(readFileSync(pidFile, 'utf8')), 'SIGKILL');
  const told = await shell(`setsid sleep 1000 & echo $! >${pidFile}; echo over`, {
    guard: { beforeStart: async () => {}, afterEnd },
  });
  expect(told).toMatchObject({ exitCode: 0, stdout: 'over\n' });
});
