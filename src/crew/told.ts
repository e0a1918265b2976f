// Which needs have ended a wait of this manager already, so that one does not end every wait.
import type { AttentionView } from '../model/worker.ts';
import { attentionKey } from './attention.ts';

const mostKept = 5_000;

export class Told {
  readonly #keys = new Set<string>();

  note(attention: readonly AttentionView[]): void {
    for (const need of attention) this.#keys.add(attentionKey(need));
    for (const key of this.#keys) {
      if (this.#keys.size <= mostKept) break;
      this.#keys.delete(key);
    }
  }

  has(key: string): boolean {
    return this.#keys.has(key);
  }
}
