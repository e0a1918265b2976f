// The guarantee behind all hints: one slow timer looks at everything that is followed.
import type { Clock, Disposer } from '../model/clock.ts';

export const sweepEveryMs = 2_000;

const sweeps = new WeakMap<Clock, (look: () => void) => Disposer>();

/** Calls `look` with every sweep of this clock. The timer runs only while something is looked at. */
export function onSweep(clock: Clock, look: () => void): Disposer {
  const join = sweeps.get(clock) ?? newSweep(clock);
  sweeps.set(clock, join);
  return join(look);
}

function newSweep(clock: Clock): (look: () => void) => Disposer {
  const looks = new Set<() => void>();
  let stop: Disposer | undefined;
  const start = () => {
    stop = clock.after(sweepEveryMs, () => {
      start();
      for (const look of looks) look();
    });
  };
  return (look) => {
    looks.add(look);
    if (stop === undefined) start();
    return () => {
      looks.delete(look);
      if (looks.size > 0) return;
      stop?.();
      stop = undefined;
    };
  };
}
