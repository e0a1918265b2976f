import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sweepEveryMs } from '../../src/jsonl/sweep.ts';
import { type FollowOptions, followFile, type Tail } from '../../src/jsonl/tail.ts';
import { systemClock } from '../../src/system/clock.ts';
import { eventually, makeSandbox, type Sandbox } from '../support/sandbox.ts';
import { handClock } from './hand-clock.ts';

let sandbox: Sandbox;
let tails: Tail[];
beforeEach(() => {
  sandbox = makeSandbox();
  tails = [];
});
afterEach(async () => {
  await Promise.all(tails.map((tail) => tail.close()));
  sandbox.dispose();
});

const lines = (...some: unknown[]) => some.map((line) => `${line}\n`).join('');

/** What a reader of the file would hold: everything since its last restart. */
function follow(path: string, options: Partial<FollowOptions> = {}) {
  const seen: string[] = [];
  const offsets: number[] = [];
  let restarts = 0;
  const tail = followFile(path, {
    clock: systemClock,
    onLines(more, at) {
      if (at.restarted) {
        restarts += 1;
        seen.length = 0;
      }
      seen.push(...more);
      offsets.push(at.offset);
    },
    ...options,
  });
  tails.push(tail);
  return { tail, seen, offsets, restarts: () => restarts };
}

const path = () => join(sandbox.root, 'a.jsonl');

test('lines that are there and lines that come are handed out once, in order', async () => {
  writeFileSync(path(), lines(1, 2));
  const { tail, seen } = follow(path());
  await tail.drain();
  expect(seen).toEqual(['1', '2']);
  appendFileSync(path(), lines(3));
  await eventually('the third line', () => seen.length === 3);
  await tail.drain();
  expect(seen).toEqual(['1', '2', '3']);
});

test('a drain has handed out what was appended just before it', async () => {
  const { tail, seen } = follow(path(), { clock: handClock() });
  for (let i = 0; i < 50; i++) {
    appendFileSync(path(), lines(i));
    await tail.drain();
    expect(seen.length).toBe(i + 1);
  }
});

test('a file in folders that do not exist yet is read when they do', async () => {
  const deep = join(sandbox.root, 'not', 'yet', 'there', 'a.jsonl');
  const { tail, seen } = follow(deep, { clock: handClock() });
  await tail.drain();
  mkdirSync(dirname(deep), { recursive: true });
  appendFileSync(deep, lines('hello'));
  await eventually('the line, by a hint alone', () => seen.length === 1);
});

test('the offset handed out with a line is where a later reader goes on', async () => {
  writeFileSync(path(), `${lines('ä', 'b')}half`);
  const { tail, offsets } = follow(path());
  await tail.drain();
  expect(offsets).toEqual([5]);
  expect(tail.offset).toBe(5);
  appendFileSync(path(), lines('done'));
  const later = follow(path(), { from: 5 });
  await later.tail.drain();
  expect(later.seen).toEqual(['halfdone']);
  expect(later.restarts()).toBe(0);
});

test('a follower from the end gets the unfinished line whole and nothing before it', async () => {
  writeFileSync(path(), `${lines('old')}un`);
  const { tail, seen } = follow(path(), { from: 'end' });
  appendFileSync(path(), lines('finished', 'new'));
  await tail.drain();
  expect(seen).toEqual(['unfinished', 'new']);
});

test('a cut file is read from its start and says so, even when nothing is left in it', async () => {
  writeFileSync(path(), lines('one', 'two'));
  const { tail, seen, restarts } = follow(path());
  await tail.drain();
  truncateSync(path());
  await tail.drain();
  expect([seen, restarts()]).toEqual([[], 1]);
  appendFileSync(path(), lines('three'));
  await tail.drain();
  expect([seen, restarts()]).toEqual([['three'], 1]);
});

test('a file rewritten in place to something longer is read from its start', async () => {
  writeFileSync(path(), lines('one', 'two'));
  const { tail, seen, restarts } = follow(path());
  await tail.drain();
  writeFileSync(path(), lines('another', 'and', 'longer', 'story'));
  await tail.drain();
  expect([seen, restarts()]).toEqual([['another', 'and', 'longer', 'story'], 1]);
});

test('a replaced file is first read to its end, then the new one from its start', async () => {
  const all: string[] = [];
  writeFileSync(path(), lines('one'));
  const restarted: boolean[] = [];
  const { tail } = follow(path(), {
    onLines(more, at) {
      all.push(...more);
      restarted.push(at.restarted);
    },
  });
  await tail.drain();
  appendFileSync(path(), lines('last words'));
  renameSync(path(), `${path()}.1`);
  writeFileSync(path(), lines('new life'));
  await tail.drain();
  expect(all).toEqual(['one', 'last words', 'new life']);
  expect(restarted).toEqual([false, false, true]);
});

test('a file shorter than the offset asked for is read from its start and says so', async () => {
  writeFileSync(path(), lines('one'));
  const { tail, seen, restarts } = follow(path(), { from: 1000 });
  await tail.drain();
  expect([seen, restarts()]).toEqual([['one'], 1]);
});

test('50 MB that come at once are handed out whole in bounded chunks', async () => {
  const line = 'x'.repeat(999);
  const { tail } = follow(path(), { onLines: (more) => sizes.push(more.length) });
  const sizes: number[] = [];
  await tail.drain();
  appendFileSync(path(), `${line}\n`.repeat(50_000));
  await tail.drain();
  expect(sizes.reduce((a, b) => a + b, 0)).toBe(50_000);
  expect(Math.max(...sizes)).toBeLessThan(300);
});

test('without a hint the next sweep sees the change', async () => {
  const clock = handClock();
  const folder = sandbox.dir('folder');
  const inside = join(folder, 'a.jsonl');
  writeFileSync(inside, lines('old'));
  const { tail, seen } = follow(inside, { clock });
  await tail.drain();
  // The system goes on watching the folder that was, and tells nothing of the one that has its name.
  renameSync(folder, `${folder}-away`);
  mkdirSync(folder);
  writeFileSync(inside, lines('new'));
  expect(seen).toEqual(['old']);
  clock.advance(sweepEveryMs);
  await eventually('the line of the new file', () => seen.includes('new'));
  appendFileSync(inside, lines('newer'));
  await eventually('the new folder is watched', () => seen.includes('newer'));
});

test('a file that is written to elsewhere, through a link, is seen by the next sweep', async () => {
  const clock = handClock();
  const real = join(sandbox.dir('elsewhere'), 'real.jsonl');
  writeFileSync(real, lines('old'));
  symlinkSync(real, path());
  const { tail, seen } = follow(path(), { clock });
  await tail.drain();
  appendFileSync(real, lines('new'));
  clock.advance(sweepEveryMs);
  await eventually('the new line', () => seen.includes('new'));
});

test('all tails of a clock share one sweep timer, and none is left when they are closed', async () => {
  const clock = handClock();
  const all = Array.from({ length: 20 }, (_, i) => follow(join(sandbox.dir(`d${i}`), 'a.jsonl'), { clock }));
  expect(clock.timers).toBe(1);
  await Promise.all(all.map(({ tail }) => tail.close()));
  expect(clock.timers).toBe(0);
});

test('after close nothing is handed out, and closing again does nothing', async () => {
  writeFileSync(path(), lines(1));
  const { tail, seen } = follow(path());
  await tail.close();
  appendFileSync(path(), lines(2));
  await tail.drain();
  await tail.close();
  expect(seen).toEqual([]);
});

test('a file that cannot be read is told once, and read when it can be', async () => {
  const told: unknown[] = [];
  mkdirSync(path());
  const clock = handClock();
  const { tail, seen } = follow(path(), { clock, onTrouble: (error) => told.push(error) });
  await expect(tail.drain()).rejects.toThrow('EISDIR');
  clock.advance(sweepEveryMs);
  await expect(tail.drain()).rejects.toThrow('EISDIR');
  expect(told.map(String)).toEqual([expect.stringContaining('EISDIR')]);
  rmSync(path(), { recursive: true });
  writeFileSync(path(), lines('better'));
  await tail.drain();
  expect(seen).toEqual(['better']);
});

test('hints alone lose no line while two files of one folder grow at once', async () => {
  const clock = handClock();
  const paths = ['a', 'b'].map((name) => join(sandbox.root, name));
  const followers = paths.map((file) => follow(file, { clock }));
  for (let i = 0; i < 300; i++) for (const file of paths) appendFileSync(file, lines(i));
  for (const { seen } of followers) await eventually('all lines', () => seen.length === 300);
});
