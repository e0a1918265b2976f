// The needs and ends of turns that a manager has seen in the answer of a wait: they end no second wait.
import { type AttentionView, attentionKey } from '../../wire/attention.ts';

const mostKept = 5_000;

export class AlreadyShown {
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

/** The end of one turn of one worker. */
export const idleKey = (workerId: string, turn: number): string => `${workerId} idle ${turn}`;
