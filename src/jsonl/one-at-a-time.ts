// Keeps runs of one action apart.

/** Calls that come while a run goes on share a single further run, begun after all of them. */
export function oneAtATime(act: () => Promise<void>): () => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  let queued: Promise<void> | undefined;
  return () => {
    if (queued !== undefined) return queued;
    const mine = last.then(() => {
      queued = undefined;
      return act();
    });
    queued = mine;
    last = mine.catch(() => undefined);
    return mine;
  };
}
