// One holder at a time, for as long as it lives: a server that is gone loses it to the next that wants it.
import type { Clock } from '../../model/clock.ts';
import { asCrewError } from '../../model/errors.ts';
import { withLock } from '../../system/lock.ts';
import type { ProcessRef } from '../../system/process.ts';

export interface LeaseParts {
  readonly path: string;
  readonly me: ProcessRef;
  readonly clock: Clock;
  readonly isWanted: () => boolean;
  readonly onTaken: () => void;
  readonly onTrouble: (error: unknown) => void;
}

export interface Lease {
  readonly isHeld: boolean;
  tryNow(): void;
  close(): Promise<void>;
}

const retryMs = 2_000;

/** Tries now and again while it is wanted, since nothing tells that a holder is gone. */
export function openLease({ path, me, clock, isWanted, onTaken, onTrouble }: LeaseParts): Lease {
  let isHeld = false;
  let isTrying = false;
  let isClosed = false;
  let letGo: () => void = () => undefined;
  let held: Promise<void> = Promise.resolve();
  const hold = () =>
    new Promise<void>((resolve) => {
      if (isClosed) return resolve();
      letGo = resolve;
      isHeld = true;
      onTaken();
    });
  const tryNow = () => {
    if (isClosed || isTrying || !isWanted()) return;
    isTrying = true;
    const onRefused = (thrown: unknown) => {
      if (asCrewError(thrown).code !== 'state_locked') onTrouble(thrown);
    };
    held = withLock(path, hold, { me, timeoutMs: 0 })
      .catch(onRefused)
      .finally(() => {
        isTrying = false;
      });
  };
  const again = () => {
    clock.after(retryMs, () => {
      if (isClosed) return;
      tryNow();
      again();
    });
  };
  tryNow();
  again();
  return {
    get isHeld() {
      return isHeld;
    },
    tryNow,
    async close() {
      isClosed = true;
      letGo();
      await held;
    },
  };
}
