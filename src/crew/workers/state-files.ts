// Routes each agent's state files to the workers that they describe, with one watch for each folder.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Agent, DecodedState } from '../../agents/agent.ts';
import { followDir } from '../../jsonl/folder.ts';
import type { Clock, Disposer } from '../../model/clock.ts';

export interface StateReader {
  readonly agent: Agent;
  /** Whether a state file is this worker's. */
  claims(state: DecodedState): boolean;
  /** Undefined: the file is gone. */
  take(state: DecodedState | undefined): void;
}

interface Folder {
  readonly readers: Set<StateReader>;
  /** The reader that took a file last, by the file's name. */
  readonly owners: Map<string, StateReader>;
  readonly watch: { close(): void };
}

export class StateFiles {
  readonly #clock: Clock;
  readonly #folders = new Map<string, Folder>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Gives the reader its file now and at every change. */
  follow(dir: string, reader: StateReader): Disposer {
    const folder = this.#folders.get(dir) ?? this.#open(dir);
    folder.readers.add(reader);
    return () => {
      folder.readers.delete(reader);
      for (const [name, owner] of folder.owners) if (owner === reader) folder.owners.delete(name);
      if (folder.readers.size > 0) return;
      folder.watch.close();
      this.#folders.delete(dir);
    };
  }

  #open(dir: string): Folder {
    const folder: Folder = {
      readers: new Set(),
      owners: new Map(),
      watch: followDir(dir, {
        clock: this.#clock,
        onChange: (names) => {
          for (const name of names) void this.#read(dir, name);
        },
      }),
    };
    this.#folders.set(dir, folder);
    return folder;
  }

  async #read(dir: string, name: string): Promise<void> {
    const text = await readFile(join(dir, name), 'utf8').catch(() => undefined);
    const folder = this.#folders.get(dir);
    if (folder === undefined) return;
    if (text === undefined) {
      const owner = folder.owners.get(name);
      folder.owners.delete(name);
      owner?.take(undefined);
      return;
    }
    for (const reader of folder.readers) {
      const state = reader.agent.decodeState(text);
      // A half-written file decodes to nothing; its next change comes too.
      if (state === undefined || !reader.claims(state)) continue;
      folder.owners.set(name, reader);
      reader.take(state);
    }
  }
}
