// When acts run: in turn, once for all who ask meanwhile, again and again, or after a sleep that news ends.
import type { Clock, Disposer } from '../model/clock.ts';
import { pause } from './clock.ts';

export interface Batched<T, R> {
  /** The results of these items, in their order; rejects with what failed the batch they were in. */
  add(items: readonly T[]): Promise<readonly R[]>;
  /** Resolves when nothing is under way. */
  settled(): Promise<void>;
}

/** `act` runs for one batch at a time and returns one result for each item. */
export function batched<T, R>(act: (items: readonly T[]) => Promise<readonly R[]>): Batched<T, R> {
  let next: Batch<T, R> | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const begin = (): Batch<T, R> => {
    const items: T[] = [];
    const results = last.then(() => {
      next = undefined;
      return act(items);
    });
    last = results.catch(() => undefined);
    return { items, results };
  };
  return {
    async add(items) {
      next ??= begin();
      const from = next.items.length;
      next.items.push(...items);
      return (await next.results).slice(from, from + items.length);
    },
    async settled() {
      await last;
    },
  };
}

interface Batch<T, R> {
  readonly items: T[];
  readonly results: Promise<readonly R[]>;
}

/** Calls that come while a run goes on share a single further run, begun after all of them. */
export function oneAtATime(act: () => Promise<void>): () => Promise<void> {
  const runs = batched<never, never>(async () => {
    await act();
    return [];
  });
  return async () => {
    await runs.add([]);
  };
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

/** A sleep that `wake` ends early; a wake while nobody sleeps ends the next one at once. */
export function lightSleep(): { readonly wake: () => void; readonly sleep: (atMostMs: number) => Promise<void> } {
  let woken = new AbortController();
  return {
    wake: () => woken.abort(),
    async sleep(atMostMs) {
      await pause(atMostMs, woken.signal);
      woken = new AbortController();
    },
  };
}

/** The first result that `isOver` agrees to, else that of the last of `tries`; pauses in between. */
export async function tryUntil<T>(
  act: () => Promise<T>,
  isOver: (result: T) => boolean,
  { tries, pauseMs }: { readonly tries: number; readonly pauseMs: number },
): Promise<T> {
  for (let left = tries; ; left -= 1) {
    const result = await act();
    if (left <= 1 || isOver(result)) return result;
    await pause(pauseMs);
  }
}
