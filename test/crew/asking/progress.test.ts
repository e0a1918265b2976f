import { expect, it } from 'vitest';
import { tellProgress } from '../../../src/crew/asking/progress.ts';
import { handClock } from '../../jsonl/hand-clock.ts';

it('whoever waits for an expert hears every 15 seconds that it has not answered, and nothing after the end', async () => {
  const clock = handClock();
  const pass = async (ms: number) => {
    clock.advance(ms);
    await new Promise(setImmediate);
  };
  const told: string[] = [];
  const stop = tellProgress(clock, (message) => told.push(message));
  await pass(14_999);
  expect(told).toEqual([]);
  await pass(1);
  await pass(15_000);
  expect(told).toEqual(['the expert has not answered after 15 s', 'the expert has not answered after 30 s']);
  stop();
  await pass(15_000);
  expect(told).toHaveLength(2);
  expect(clock.timers).toBe(0);
});
