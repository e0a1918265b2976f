import { expect, it } from 'vitest';
import { tellProgress } from '../../../src/crew/asking/progress.ts';
import type { Clock } from '../../../src/model/clock.ts';

/** Time passes when the test says so. */
function handClock() {
  let now = 1_000;
  const timers = new Map<() => void, number>();
  const clock: Clock = {
    now: () => now,
    after(delayMs, call) {
      timers.set(call, now + delayMs);
      return () => timers.delete(call);
    },
  };
  const pass = async (ms: number) => {
    now += ms;
    for (const [call, at] of timers) {
      if (at > now) continue;
      timers.delete(call);
      call();
    }
    await new Promise(setImmediate);
  };
  return { clock, timers, pass };
}

it('whoever waits for an expert hears every 15 seconds that it has not answered, and nothing after the end', async () => {
  const { clock, timers, pass } = handClock();
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
  expect(timers.size).toBe(0);
});
