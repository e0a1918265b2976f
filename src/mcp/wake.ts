// Wakes the manager's idle session where something is untold, and when: a call that is under way may tell it first.
import { pause } from '../system/clock.ts';

/** The waiter that a hook of the manager's session keeps. */
export interface Waker {
  /** Whether there is one now. */
  hasWaiter(): boolean;
  /** Has it tell what stands in the untold file, and end; false where there is none. */
  ring(): boolean;
  /** Calls back when one comes or goes. */
  onWaiter(listen: () => void): () => void;
}

/** News within this time is told in one. */
const gatherMs = 1_000;
/** So long a call that is under way may take to tell it; a wait for one worker may go on for hours. */
const patienceMs = 10_000;
/** The waiter has told what it was rung for by then. */
const toldMs = 300;

export interface Waking {
  /** What the last look has found. */
  found(isUntold: boolean): void;
  /** A call of the client begins; what it returns is called at its end. An open wait tells the news itself. */
  calls(): () => void;
}

/** `lookAgain` is called once the waiter has told. */
export function keepWaking(
  { hasWaiter, ring, onWaiter }: Waker,
  {
    signal,
    lookAgain,
    longestHoldMs = patienceMs,
  }: { readonly signal: AbortSignal; readonly lookAgain: () => void; readonly longestHoldMs?: number },
): Waking {
  let isUntold = false;
  let underWay = 0;
  let isGathering = false;
  let onRest: () => void = () => undefined;
  const isDue = () => isUntold && !signal.aborted && hasWaiter();
  const callsHaveEnded = () =>
    new Promise<void>((resolve) => {
      onRest = resolve;
      if (underWay === 0) resolve();
    });
  const wake = async () => {
    if (isGathering || !isDue()) return;
    isGathering = true;
    await pause(gatherMs, signal);
    const over = new AbortController();
    await Promise.race([callsHaveEnded(), pause(longestHoldMs, AbortSignal.any([signal, over.signal]))]);
    over.abort();
    if (isDue() && ring()) {
      await pause(toldMs, signal);
      isUntold = false;
      lookAgain();
    }
    isGathering = false;
  };
  signal.addEventListener(
    'abort',
    onWaiter(() => void wake()),
    { once: true },
  );
  return {
    found(now) {
      isUntold = now;
      void wake();
    },
    calls() {
      underWay += 1;
      return () => {
        underWay -= 1;
        if (underWay === 0) onRest();
        void wake();
      };
    },
  };
}
