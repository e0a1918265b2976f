// Wakes the manager's idle session where something is untold: when, and never while a call is under way.
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
  { signal, lookAgain }: { readonly signal: AbortSignal; readonly lookAgain: () => void },
): Waking {
  let isUntold = false;
  let underWay = 0;
  let isGathering = false;
  const isDue = () => isUntold && underWay === 0 && !signal.aborted && hasWaiter();
  const wake = async () => {
    if (isGathering || !isDue()) return;
    isGathering = true;
    await pause(gatherMs, signal).catch(() => undefined);
    if (isDue() && ring()) {
      await pause(toldMs, signal).catch(() => undefined);
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
        void wake();
      };
    },
  };
}
