import { expect, test } from 'vitest';
import { addCells, cellsOf, isFalseIdle, type Told, type Truth, tellable, transitionsOf } from './timeline.ts';

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

test('idle is false where a turn runs or a question stands, and nowhere else', () => {
  const cell = (of: string, said: string) => ({ truth: of, told: said, count: 1, latestMs: 0 });
  expect(isFalseIdle(cell('working: tool', 'idle'))).toBe(true);
  expect(isFalseIdle(cell('waiting: permission', 'idle'))).toBe(true);
  expect(isFalseIdle(cell('idle', 'idle'))).toBe(false);
  expect(isFalseIdle(cell('working: tool', 'working'))).toBe(false);
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
  const cell = { truth: 'idle', told: 'working', count: 2, latestMs: 10 };
  expect(addCells([cell, { ...cell, latestMs: 30 }])).toEqual([{ ...cell, count: 4, latestMs: 30 }]);
});
