// What the manager of this server was told.

const mostKept = 5_000;

/** By its key: what stood in the answer of a tool, and what a hook has shown. */
export class ShownKeys {
  readonly #keys = new Set<string>();
  readonly #listeners = new Set<() => void>();

  note(keys: readonly string[]): void {
    const fresh = keys.filter((key) => !this.#keys.has(key));
    for (const key of fresh) this.#keys.add(key);
    for (const key of this.#keys) {
      if (this.#keys.size <= mostKept) break;
      this.#keys.delete(key);
    }
    if (fresh.length > 0) for (const listen of [...this.#listeners]) listen();
  }

  has(key: string): boolean {
    return this.#keys.has(key);
  }

  keys(): readonly string[] {
    return [...this.#keys];
  }

  /** What they name is past, so that it is news when it comes again. */
  forget(keys: readonly string[]): void {
    for (const key of keys) this.#keys.delete(key);
  }

  onTold(listen: () => void): void {
    this.#listeners.add(listen);
  }
}
