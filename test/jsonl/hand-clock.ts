// A clock whose timers ring only when told to.
import type { Clock } from '../../src/model/clock.ts';

export interface HandClock extends Clock {
  advance(ms: number): void;
  readonly timers: number;
}

export function handClock(start = Date.now()): HandClock {
  let now = start;
  const timers = new Set<{ readonly due: number; readonly call: () => void }>();
  return {
    now: () => now,
    after(delayMs, call) {
      const timer = { due: now + delayMs, call };
      timers.add(timer);
      return () => {
        timers.delete(timer);
      };
    },
    advance(ms) {
      now += ms;
      for (const timer of [...timers]) {
        if (timer.due > now || !timers.delete(timer)) continue;
        timer.call();
      }
    },
    get timers() {
      return timers.size;
    },
  };
}
