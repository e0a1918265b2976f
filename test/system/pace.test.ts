import { expect, it } from 'vitest';
import type { Clock } from '../../src/model/clock.ts';
import { gather, lightSleep, looksInTurn, oneAtATime, repeat, tryUntil } from '../../src/system/pace.ts';

/** A clock whose time moves by hand alone. */
function handClock() {
  const timers = new Map<number, () => void>();
  let now = 0;
  const clock: Clock = {
    now: () => now,
    after(delayMs, call) {
      const at = now + delayMs;
      timers.set(at, call);
      return () => void timers.delete(at);
    },
  };
  const next = async () => {
    const [at] = [...timers.keys()].sort((a, b) => a - b);
    if (at === undefined) return undefined;
    const call = timers.get(at);
    timers.delete(at);
    now = at;
    call?.();
    await new Promise(setImmediate);
    return now;
  };
  const pass = (ms: number) => {
    now += ms;
  };
  return { clock, next, pass };
}

it('requests share the act that they wait for, and one during an act gets one more after the rest', async () => {
  const { clock, next, pass } = handClock();
  let begun = 0;
  let end: () => void = () => undefined;
  const options = { clock, gatherMs: 10, restMs: (tookMs: number) => 4 * tookMs, onTrouble: () => undefined };
  const looks = gather(options, () => {
    begun += 1;
    return new Promise((resolve) => {
      end = resolve;
    });
  });
  looks.request();
  looks.request();
  expect([await next(), await next(), begun]).toEqual([10, undefined, 1]);
  looks.request();
  looks.request();
  expect(await next()).toBeUndefined();
  pass(5);
  end();
  await new Promise(setImmediate);
  expect([await next(), begun]).toEqual([10 + 5 + 4 * 5, 2]);
  end();
  await new Promise(setImmediate);
  expect(await next()).toBeUndefined();
});

it('nothing begins after the stop, not even what was requested during an act', async () => {
  const { clock, next } = handClock();
  let begun = 0;
  const looks = gather({ clock, gatherMs: 10, restMs: () => 0, onTrouble: () => undefined }, async () => {
    begun += 1;
    looks.request();
    looks.stop();
  });
  looks.request();
  await next();
  looks.request();
  expect([await next(), begun]).toEqual([undefined, 1]);
});

it('a repeated act that fails is reported and comes again, until it is stopped', async () => {
  const { clock, next } = handClock();
  const troubles: unknown[] = [];
  const options = { clock, delayMs: 10, onTrouble: (error: unknown) => troubles.push(error) };
  const stop = repeat(options, () => Promise.reject(new Error('no')));
  expect([await next(), await next(), troubles.length]).toEqual([10, 20, 2]);
  stop();
  expect(await next()).toBeUndefined();
});

it('looks follow one another, and one that is wanted in the midst of another follows it at once', async () => {
  const { clock, next, pass } = handClock();
  const ends: ((delayMs?: number) => void)[] = [];
  const looks = looksInTurn(clock, () => new Promise((resolve) => ends.push(resolve)));
  const end = async (delayMs?: number) => {
    ends.at(-1)?.(delayMs);
    await new Promise(setImmediate);
  };
  expect(await next()).toBe(0);
  looks.wake();
  looks.wake();
  expect(ends).toHaveLength(1);
  await end(250);
  expect(await next()).toBe(0);
  expect(ends).toHaveLength(2);
  await end(250);
  pass(10);
  looks.wake();
  expect(ends).toHaveLength(3);
  await end(250);
  expect(await next()).toBe(260);
  await end();
  looks.wake();
  expect([await next(), ends.length]).toEqual([undefined, 4]);
});

it.each([
  ['calls before a run share it', 3, 0, 1],
  ['calls during a run share one more', 1, 2, 2],
])('%s', async (_, before, during, runs) => {
  const ends: (() => void)[] = [];
  const act = oneAtATime(() => new Promise((resolve) => ends.push(resolve)));
  const calls = Array.from({ length: before }, act);
  await new Promise(setImmediate);
  calls.push(...Array.from({ length: during }, act));
  for (let run = 0; run < runs; run += 1) {
    expect(ends).toHaveLength(run + 1);
    ends[run]?.();
    await new Promise(setImmediate);
  }
  await Promise.all(calls);
  expect(ends).toHaveLength(runs);
});

it('a wake ends the sleep that goes on, or else the next one, and none after it', async () => {
  const { wake, sleep } = lightSleep();
  const long = sleep(600_000);
  wake();
  await long;
  wake();
  wake();
  await sleep(600_000);
  let isAwake = false;
  const next = sleep(600_000).then(() => {
    isAwake = true;
  });
  await new Promise(setImmediate);
  expect(isAwake).toBe(false);
  wake();
  await next;
});

it.each([
  ['the first that will do', 2, 2],
  ['that of the last try', 9, 3],
])('of several results tryUntil takes %s', async (_, wanted, taken) => {
  let tries = 0;
  const act = async () => ++tries;
  expect(await tryUntil(act, (result) => result === wanted, { tries: 3, pauseMs: 1 })).toBe(taken);
  expect(tries).toBe(taken);
});
