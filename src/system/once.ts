import type { Clock } from '../model/clock.ts';

/** Asks once for each key, and gives the same promise to everybody who asks for it again. */
export function once<T>(): (key: string, ask: () => Promise<T>) => Promise<T> {
  const known = new Map<string, Promise<T>>();
  return (key, ask) => {
    const answer = known.get(key) ?? ask();
    known.set(key, answer);
    return answer;
  };
}

/** The answer for each key, asked anew once it is older than `ms`. */
export function rarely<T>({ now }: Pick<Clock, 'now'>, ms: number): (key: string, ask: () => T) => T {
  const known = new Map<string, { readonly answer: T; readonly at: number }>();
  return (key, ask) => {
    const at = now();
    const last = known.get(key);
    if (last !== undefined && at - last.at < ms) return last.answer;
    const answer = ask();
    known.set(key, { answer, at });
    return answer;
  };
}

/** Makes it at the first call. */
export function atFirstCall<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
