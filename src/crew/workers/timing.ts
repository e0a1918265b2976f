// When acts run: on a fact about a worker, again and again, or once for several requests.
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

export interface Looks {
  /** Brings the next look forward; one that is wanted in the midst of another follows it. */
  readonly wake: () => void;
  readonly stop: Disposer;
}

/** One look after the other and never two at once. `look` tells the ms until the next; undefined ends them. */
export function looksInTurn(clock: Clock, look: () => Promise<number | undefined>): Looks {
  let isLooking = false;
  let isWoken = false;
  let isOver = false;
  const begin = async () => {
    isLooking = true;
    const delayMs = await look();
    isLooking = false;
    isOver ||= delayMs === undefined;
    if (isOver) return;
    cancel = clock.after(isWoken ? 0 : (delayMs ?? 0), () => void begin());
    isWoken = false;
  };
  let cancel = clock.after(0, () => void begin());
  return {
    wake() {
      if (isOver) return;
      if (isLooking) {
        isWoken = true;
        return;
      }
      cancel();
      void begin();
    },
    stop() {
      isOver = true;
      cancel();
    },
  };
}

interface Repetition {
  readonly clock: Clock;
  readonly delayMs: number;
  readonly onTrouble: (error: unknown) => void;
}

/** Begins `act` first after `delayMs`, then `delayMs` after the end of the last one, also when that failed. */
export function repeat({ clock, delayMs, onTrouble }: Repetition, act: () => Promise<void>): Disposer {
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

export interface Gathered {
  /** The act begins within the delays; a request while it runs begins it once more. */
  request(): void;
  stop(): void;
}

interface GatherOptions {
  readonly clock: Clock;
  /** Requests within this time share one act. */
  readonly gatherMs: number;
  /** How long the next act waits at least after one that took `tookMs`. */
  readonly restMs: (tookMs: number) => number;
  readonly onTrouble: (error: unknown) => void;
}

/** Runs `act` for all requests that come until it begins, and never twice at once. */
export function gather({ clock, gatherMs, restMs, onTrouble }: GatherOptions, act: () => Promise<void>): Gathered {
  let cancel: Disposer | undefined;
  let running = false;
  let isRequested = false;
  let stopped = false;
  let restUntil = 0;
  const request = () => {
    isRequested = true;
    if (running || stopped) return;
    cancel ??= clock.after(Math.max(gatherMs, restUntil - clock.now()), () => void begin());
  };
  const begin = async () => {
    cancel = undefined;
    running = true;
    isRequested = false;
    const from = clock.now();
    await act().catch(onTrouble);
    const to = clock.now();
    restUntil = to + restMs(to - from);
    running = false;
    if (isRequested) request();
  };
  const stop = () => {
    stopped = true;
    cancel?.();
  };
  return { request, stop };
}
