// Limits the calls of a worker in a minute.
import type { Clock } from '../model/clock.ts';
import { CrewError } from '../model/errors.ts';

const minuteMs = 60_000;

/** Counts a call; throws `limit_reached` when the minute before it held as many as are allowed. */
export function openRateLimit(clock: Clock): (mostPerMinute: number) => void {
  let calls: readonly number[] = [];
  return (most) => {
    const now = clock.now();
    calls = calls.filter((at) => now - at < minuteMs);
    const [first = now] = calls;
    if (calls.length >= most) {
      const seconds = Math.ceil((first + minuteMs - now) / 1_000);
      throw new CrewError(
        'limit_reached',
        `${calls.length} calls in the last minute; ${most} are allowed.`,
        `Work on, and say it in one call in ${seconds} s.`,
      );
    }
    calls = [...calls, now];
  };
}
