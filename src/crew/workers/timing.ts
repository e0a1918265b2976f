// Waits for a fact about a worker.
import type { Clock, Disposer } from '../../model/clock.ts';
import type { Signal } from '../../model/turn.ts';

/** A source of changes; a change of a worker comes with its signal. */
export interface Signals {
  onSignal(listen: (signal?: Signal) => void): Disposer;
}

/** The first value `look` finds, now or at a later change; undefined at the ceiling or when `abort` fires. */
export function awaitFact<T>(
  changes: Signals,
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
      changes.onSignal(check),
      options.clock.after(options.ceilingMs, () => end(undefined)),
    );
    abort?.addEventListener('abort', onAbort, { once: true });
    stops.push(() => abort?.removeEventListener('abort', onAbort));
    if (abort?.aborted) end(undefined);
    else check(undefined);
  });
}
