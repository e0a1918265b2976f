// What a wait of this manager has answered, so that it ends no second one and nobody else is troubled with it.
import type { AttentionView } from '../../wire/attention.ts';
import { attentionKey } from './attention.ts';

const mostKept = 5_000;

export class Told {
  readonly #keys = new Set<string>();

  note(attention: readonly AttentionView[]): void {
    this.noteKeys(attention.map(attentionKey));
  }

  noteKeys(keys: readonly string[]): void {
    for (const key of keys) this.#keys.add(key);
    for (const key of this.#keys) {
      if (this.#keys.size <= mostKept) break;
      this.#keys.delete(key);
    }
  }

  has(key: string): boolean {
    return this.#keys.has(key);
  }
}

/** The end of one turn of one launch's worker. */
export const idleKey = (workerId: string, turn: number): string => `${workerId} idle ${turn}`;
