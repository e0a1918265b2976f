/** Asks once for each key, and gives the same promise to everybody who asks for it again. */
export function once<T>(): (key: string, ask: () => Promise<T>) => Promise<T> {
  const known = new Map<string, Promise<T>>();
  return (key, ask) => {
    const answer = known.get(key) ?? ask();
    known.set(key, answer);
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
