// So many acts at once, and the others after them; one that is called off while it waits never begins.
import pLimit from 'p-limit';

export type InTurn = <T>(signal: AbortSignal, act: () => Promise<T>) => Promise<T | undefined>;

/** Resolves to undefined, and at once, for an act that is called off before its turn; one that runs is awaited. */
export function inTurn(mostAtOnce: number): InTurn {
  const limit = pLimit(mostAtOnce);
  return async (signal, act) => {
    let isBegun = false;
    const acted = limit(async () => {
      if (signal.aborted) return undefined;
      isBegun = true;
      return act();
    });
    await Promise.race([acted.catch(() => undefined), abortOf(signal)]);
    return isBegun || !signal.aborted ? acted : undefined;
  };
}

const abortOf = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
