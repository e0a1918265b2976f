// The one door to the machine's clock and timers.
import type { Clock } from '../model/clock.ts';

export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, call) {
    const timer = setTimeout(call, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** Resolves once the event loop has looked at what can be read, or in the middle of a round is about to. */
export const nextRound = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

/** Resolves after `delayMs`, or at once when `signal` aborts. Holds the process open meanwhile. */
export function pause(delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, delayMs);
    signal?.addEventListener('abort', done, { once: true });
    if (signal?.aborted) done();
  });
}
