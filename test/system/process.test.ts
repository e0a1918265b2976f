import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  endProcesses,
  isAlive,
  childrenOf as nearest,
  processStart,
  processTree,
  treeOf,
} from '../../src/system/process.ts';
import { allProcesses, type ProcessRow, parsePs, parseStat, psRows } from '../../src/system/process-table.ts';
import { type Children, childrenOf } from '../store/child.ts';
import { eventually, makeSandbox, type Sandbox } from '../support/sandbox.ts';

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

test('a process is alive until it has ended, and not under another start time', async () => {
  const child = children.start('sleep', '1000');
  const ref = { pid: child.pid, processStart: (await processStart(child.pid)) ?? '' };
  expect(await isAlive(ref)).toBe(true);
  expect(await isAlive({ ...ref, processStart: `${ref.processStart}0` })).toBe(false);
  child.kill('SIGKILL');
  await child.ended;
  expect(await isAlive(ref)).toBe(false);
});

test('ending a tree ends a grandchild and a process that ignores SIGTERM', async () => {
  const child = await children.startUntil('ready', 'stubborn.ts');
  const tree = await processTree(child.pid);
  expect(tree.length).toBeGreaterThanOrEqual(2);
  expect((await nearest(child.pid)).length).toBe(1);
  expect(await endProcesses(tree, { graceMs: 100 })).toEqual([]);
  expect(await child.ended).toBe('SIGKILL');
  expect(await Promise.all(tree.map(isAlive))).toEqual(tree.map(() => false));
});

test('a process that ends when asked is not killed', async () => {
  const child = children.start('sleep', '1000');
  await endProcesses(await processTree(child.pid), { graceMs: 5_000 });
  expect(await child.ended).toBe('SIGTERM');
});

test('a known child is ended also after its parent ended and left it', async () => {
  const pidFile = join(sandbox.root, 'pid');
  const child = children.start('sh', '-c', `sleep 1000 >/dev/null 2>&1 & echo $! > ${pidFile}; wait`);
  const orphan = Number(await eventually('the pid', () => /\d+\n/.exec(read(pidFile))?.[0]));
  const tree = await processTree(child.pid);
  child.kill('SIGKILL');
  await child.ended;
  expect(await processStart(orphan)).toBeDefined();
  expect(await endProcesses(tree, { graceMs: 1_000 })).toEqual([]);
  expect(await processStart(orphan)).toBeUndefined();
});

test('what a process started when it was asked to end is ended with it', async () => {
  const pidFile = join(sandbox.root, 'pid');
  const late = `trap 'trap "" TERM; sleep 1000 >/dev/null 2>&1 & echo $! > ${pidFile}' TERM; echo ready`;
  const child = await children.startUntil('ready', 'sh', '-c', `${late}; while :; do sleep 0.05; done`);
  const tree = await processTree(child.pid);
  child.kill('SIGTERM');
  const started = Number(await eventually('the pid', () => /\d+\n/.exec(read(pidFile))?.[0]));
  expect(await endProcesses(tree, { graceMs: 0 })).toEqual([]);
  expect(await processStart(started)).toBeUndefined();
});

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};

const row = (pid: number, parent: number, leader = 1, isZombie = false): ProcessRow => ({
  pid,
  parent,
  leader,
  isZombie,
  start: `s${pid}`,
});

test.each([
  {
    title: 'the process and all below it',
    rows: [row(1, 0), row(5, 1), row(6, 5), row(7, 6), row(8, 1)],
    pids: [5, 6, 7],
  },
  {
    title: 'a member of its terminal session whose parent ended',
    rows: [row(5, 1, 5), row(9, 1, 5), row(10, 9, 10)],
    pids: [5, 9, 10],
  },
  { title: 'no zombie', rows: [row(5, 1), row(6, 5, 1, true)], pids: [5] },
  { title: 'what is left of its terminal session when it is gone itself', rows: [row(9, 1, 5)], pids: [9] },
  { title: 'nothing for an unknown pid', rows: [row(9, 1)], pids: [] },
])('a tree holds $title', ({ rows, pids }) => {
  expect(treeOf(5, rows).map(({ pid }) => pid)).toEqual(pids);
});

test('a program may be called anything and its start time is still read', () => {
  const stat = `42 (a) b (c S) Z 7 42 40 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 987654 100`;
  expect(parseStat(stat)).toEqual({ pid: 42, parent: 7, leader: 40, isZombie: true, start: '987654' });
  expect(parseStat('')).toBeUndefined();
});

test('ps rows are read with the date as it stands', () => {
  const text = '    1     0 Ss   Tue Nov 21 02:24:00 2023\n  42     1 Z+   Wed Nov  1 12:00:01 2023\nnonsense\n';
  expect(parsePs(text)).toEqual([
    { pid: 1, parent: 0, leader: 0, isZombie: false, start: 'Tue Nov 21 02:24:00 2023' },
    { pid: 42, parent: 1, leader: 0, isZombie: true, start: 'Wed Nov  1 12:00:01 2023' },
  ]);
});

test('ps without a row is none, and ps that fails is an error rather than a dead process', async () => {
  expect(await psRows(['-p', String(2 ** 22 + 1)])).toEqual([]);
  await expect(psRows(['--no-such-option'])).rejects.toThrow('ps failed');
});

test('ps and /proc agree on who is whose child', async () => {
  const child = children.start('sleep', '1000');
  const parentIn = (rows: readonly ProcessRow[]) => rows.find(({ pid }) => pid === child.pid)?.parent;
  expect(parentIn(await psRows(['-ax']))).toBe(process.pid);
  expect(parentIn(await allProcesses())).toBe(process.pid);
});

test.each([0, 1, -1])('what a pane without a program says for its pid, %i, is nobody’s tree', (pid) => {
  const rows = [0, 1, 2].map(
    (leader): ProcessRow => ({ pid: leader + 1, parent: 0, leader, isZombie: false, start: '7' }),
  );
  expect(treeOf(pid, rows)).toEqual([]);
});
