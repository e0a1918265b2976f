import { expect, test } from 'vitest';
import { addCells, cellsOf, isFalseIdle, isStale, type Told, type Truth, tellable, transitionsOf } from './timeline.ts';

const truth = (state: string, from: number, to: number): Truth => ({ state, from, to });
const told = (state: string, from: number, to = from + 2): Told => ({ state, from, to });

test('a sample counts for the stretch that holds all of it, and for none when it lies across a change', () => {
  const truths = [truth('idle', 0, 100), truth('working: tool', 120, 200)];
  const samples = [told('idle', 50), told('idle', 99), told('idle', 110), told('idle', 150), told('working', 180)];
  expect(cellsOf(samples, truths)).toEqual([
    { truth: 'idle', told: 'idle', count: 1, latestMs: 50 },
    { truth: 'working: tool', told: 'idle', count: 1, latestMs: 30 },
    { truth: 'working: tool', told: 'working', count: 1, latestMs: 60 },
  ]);
});

const cell = (of: string, said: string, latestMs = 0) => ({ truth: of, told: said, count: 1, latestMs });

test('idle is false where a turn runs, and nowhere else', () => {
  expect(isFalseIdle(cell('working: tool', 'idle'))).toBe(true);
  expect(isFalseIdle(cell('idle', 'idle'))).toBe(false);
  expect(isFalseIdle(cell('working: tool', 'working'))).toBe(false);
});

test('a wrong word is stale when it is told for longer than the tolerance, a right one never', () => {
  expect(isStale(cell('waiting: permission', 'working', 100), 1_000)).toBe(false);
  expect(isStale(cell('waiting: permission', 'working', 1_100), 1_000)).toBe(true);
  expect(isStale(cell('working: tool', 'working', 9_000), 1_000)).toBe(false);
});

test('the latency of a change runs to the end of the first call that tells it', () => {
  const truths = [truth('working: tool', 0, 100), { ...truth('idle', 110, 300), ended: 'completed' }];
  const samples = [told('working', 50), told('working', 120), told('idle', 150, 160), told('idle', 200)];
  expect(transitionsOf(samples, truths)).toEqual([{ from: 'working', to: 'idle (completed)', latencyMs: 50 }]);
});

test('what was told between the two stretches took no time, and what was told in the one before does not count', () => {
  const truths = [truth('working: tool', 0, 100), truth('waiting: permission', 200, 300)];
  const before = told('waiting: permission', 90);
  expect(transitionsOf([before, told('waiting: permission', 150)], truths)).toMatchObject([{ latencyMs: 0 }]);
  expect(transitionsOf([before], truths)).toEqual([]);
});

test('work of another sort is no change that could be told; another question is', () => {
  expect(
    transitionsOf([told('working', 120)], [truth('working: thinking', 0, 99), truth('working: tool', 99, 200)]),
  ).toEqual([]);
  expect(tellable('waiting: trust')).toBe('waiting: trust');
});

test('the same cell of several rounds is one, with the latest of them', () => {
  expect(addCells([cell('idle', 'working', 10), cell('idle', 'working', 30)])).toEqual([
    { ...cell('idle', 'working', 30), count: 2 },
  ]);
});
