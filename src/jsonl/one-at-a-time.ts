// Keeps runs of one action apart: calls that come during a run share the next.

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
