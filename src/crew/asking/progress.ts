// How long a question has been open, for whoever waits: a call without news looks like a call that hangs.
import type { Clock, Disposer } from '../../model/clock.ts';
import { repeat } from '../../system/pace.ts';

const everyMs = 15_000;

export const secondsSince = ({ now }: Pick<Clock, 'now'>, at: number): number => Math.round((now() - at) / 100) / 10;

/** Tells it every 15 seconds from now on. */
export function tellProgress(clock: Clock, tell: (message: string) => void): Disposer {
  const startedAt = clock.now();
  return repeat({ clock, delayMs: everyMs, onTrouble: () => undefined }, async () =>
    tell(`the expert has not answered after ${secondsSince(clock, startedAt)} s`),
  );
}
