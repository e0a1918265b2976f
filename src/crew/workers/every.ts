// Does something again and again, never twice at once.
import type { Clock, Disposer } from '../../model/clock.ts';

interface Pace {
  readonly clock: Clock;
  readonly delayMs: number;
  readonly onTrouble: (error: unknown) => void;
}

/** The next turn is due `delayMs` after the end of the last; a failure is told and does not end the row. */
export function every({ clock, delayMs, onTrouble }: Pace, act: () => Promise<void>): Disposer {
  let stopped = false;
  let cancel: Disposer = () => undefined;
  const next = () => {
    cancel = clock.after(delayMs, () => {
      void act()
        .catch(onTrouble)
        .finally(() => {
          if (!stopped) next();
        });
    });
  };
  next();
  return () => {
    stopped = true;
    cancel();
  };
}
