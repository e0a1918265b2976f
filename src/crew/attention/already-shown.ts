// The needs and ends of turns that a manager has seen in the answer of a wait: they end no second wait.
import type { Clock } from '../../model/clock.ts';
import { type AttentionView, attentionKey } from '../../wire/attention.ts';

const mostKept = 5_000;

export class AlreadyShown {
  readonly #clock: Pick<Clock, 'now'>;
  /** With the time at which it was seen last. */
  readonly #keys = new Map<string, number>();

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  note(attention: readonly AttentionView[]): void {
    this.noteKeys(attention.map(attentionKey));
  }

  noteKeys(keys: readonly string[]): void {
    for (const key of keys) this.#keys.set(key, this.#clock.now());
    for (const key of this.#keys.keys()) {
      if (this.#keys.size <= mostKept) break;
      this.#keys.delete(key);
    }
  }

  has(key: string): boolean {
    return this.#keys.has(key);
  }

  /** For what can come again under the same key. */
  hasSince(key: string, at: number): boolean {
    return (this.#keys.get(key) ?? Number.NEGATIVE_INFINITY) >= at;
  }
}

/** The end of one turn of one worker. */
export const idleKey = (workerId: string, turn: number): string => `${workerId} idle ${turn}`;
