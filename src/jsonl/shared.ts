// One watcher or scan for all who look at the same path.
import type { Clock } from '../model/clock.ts';

interface Closable {
  close(): void;
}

interface Held<T> {
  readonly thing: T;
  holders: number;
}

/** Hands out one `make(path, clock)` to all who hold it at the same time; the last to let go closes it. */
export function sharedByPath<T extends Closable>(make: (path: string, clock: Clock) => T) {
  const byClock = new WeakMap<Clock, Map<string, Held<T>>>();
  return (path: string, clock: Clock): { readonly thing: T; letGo(): void } => {
    const byPath = byClock.get(clock) ?? new Map<string, Held<T>>();
    byClock.set(clock, byPath);
    const entry = byPath.get(path) ?? { thing: make(path, clock), holders: 0 };
    byPath.set(path, entry);
    entry.holders += 1;
    let held = true;
    return {
      thing: entry.thing,
      letGo() {
        if (!held) return;
        held = false;
        entry.holders -= 1;
        if (entry.holders > 0) return;
        byPath.delete(path);
        entry.thing.close();
      },
    };
  };
}
