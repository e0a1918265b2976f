// Waits for a fact about one worker, with a ceiling.
import type { Clock, Disposer } from '../../model/clock.ts';
import type { Signal } from '../../model/turn.ts';

/** What tells of one worker. */
export interface Signals {
  onSignal(listen: (signal: Signal) => void): Disposer;
}

/** The first thing `look` finds, now or with any later signal; undefined when the ceiling is reached or `abort` fires. */
export function awaitFact<T>(
  following: Signals,
  options: { readonly clock: Clock; readonly ceilingMs: number; readonly abort?: AbortSignal },
  look: (signal: Signal | undefined) => T | undefined,
): Promise<T | undefined> {
  return new Promise((resolve) => {
    const stops: Disposer[] = [];
    const end = (value: T | undefined) => {
      for (const stop of stops.splice(0)) stop();
      resolve(value);
    };
    const check = (signal: Signal | undefined) => {
      const found = look(signal);
      if (found !== undefined) end(found);
    };
    const { abort } = options;
    const onAbort = () => end(undefined);
    stops.push(
      following.onSignal(check),
      options.clock.after(options.ceilingMs, () => end(undefined)),
    );
    abort?.addEventListener('abort', onAbort, { once: true });
    stops.push(() => abort?.removeEventListener('abort', onAbort));
    if (abort?.aborted) end(undefined);
    else check(undefined);
  });
}
