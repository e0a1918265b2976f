import fc from 'fast-check';
import { expect, test } from 'vitest';
import { luckOf } from '../drills/drill.ts';
import { roomsLine } from '../support/rooms.ts';

test('the rooms are named by the time they took, and each test of over three seconds by itself', () => {
  const took = (path: string, tookMs: number, title = 'a title') => ({ path, title, tookMs });
  expect(
    roomsLine([
      took('model/name.test.ts', 250),
      took('e2e/landing.test.ts', 12_000, 'it lands'),
      took('e2e/board.test.ts', 3_000),
      took('real/turns.test.ts', 500),
      took('index.test.ts', 100),
    ]),
  ).toEqual([
    'Rooms, in seconds of tests: e2e 15 · turns 0.5 · model 0.3 · top 0.1',
    'Long, 12 s: e2e/landing.test.ts > it lands',
  ]);
});

test('a drill draws the same again with its seed, and something else with another', () => {
  const drawn = (seed: number) => {
    const luck = luckOf(seed);
    return [1, 2, 3].map(() => luck.draw(fc.nat(1_000_000)));
  };
  expect(drawn(7)).toEqual(drawn(7));
  expect(new Set([...drawn(7), ...drawn(8)]).size).toBe(6);
});
