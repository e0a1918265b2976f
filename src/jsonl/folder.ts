// Follows a folder of small files that are rewritten in place or replaced.
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock, Disposer } from '../model/clock.ts';
import { unlessMissing } from '../system/disk.ts';
import { oneAtATime } from '../system/pace.ts';
import { sharedByPath } from './shared.ts';
import { onSweep } from './sweep.ts';
import { reporting, watchFolder } from './tail.ts';

// A file system may stamp two writes within a few milliseconds alike.
const sameStampMs = 100;

type Stamps = ReadonlyMap<string, string>;

export interface FollowDirOptions {
  readonly clock: Clock;
  /** Names that came, changed or went; a change may be reported twice, and a file be half-written. */
  readonly onChange: (names: readonly string[]) => void;
  readonly onTrouble?: (error: unknown) => void;
}

const feeds = sharedByPath((path, clock) => new FolderFeed(path, clock));

/** Tells first of all the folder holds, then of every change. The folder may not exist yet. */
export function followDir(path: string, options: FollowDirOptions): { close(): void } {
  const { thing: feed, letGo } = feeds(path, options.clock);
  feed.join(options);
  return {
    close() {
      feed.leave(options);
      letGo();
    },
  };
}

class FolderFeed {
  readonly #path: string;
  readonly #clock: Clock;
  readonly #listeners = new Set<FollowDirOptions>();
  // Joined since the last look, which reports the whole folder to them.
  readonly #newcomers = new Set<FollowDirOptions>();
  readonly #stops: readonly Disposer[];
  readonly #look: () => void;
  #stamps: Stamps = new Map();

  constructor(path: string, clock: Clock) {
    this.#path = path;
    this.#clock = clock;
    this.#look = reporting(
      oneAtATime(() => this.#scan()),
      (error) => this.#each((listener) => listener.onTrouble?.(error)),
    );
    this.#stops = [
      watchFolder(path, clock, (name) => (name === undefined ? this.#look() : this.#tell([name]))),
      onSweep(clock, this.#look),
    ];
  }

  join(listener: FollowDirOptions): void {
    this.#newcomers.add(listener);
    this.#look();
  }

  leave(listener: FollowDirOptions): void {
    this.#newcomers.delete(listener);
    this.#listeners.delete(listener);
  }

  close(): void {
    for (const stop of this.#stops) stop();
  }

  async #scan(): Promise<void> {
    const now = await stampsOf(this.#path, this.#clock.now());
    const changed = changedNames(this.#stamps, now);
    this.#stamps = now;
    this.#tell(changed);
    for (const listener of this.#newcomers) {
      this.#newcomers.delete(listener);
      this.#listeners.add(listener);
      if (now.size > 0) listener.onChange([...now.keys()]);
    }
  }

  #tell(names: readonly string[]): void {
    if (names.length === 0) return;
    for (const listener of this.#listeners) listener.onChange(names);
  }

  #each(act: (listener: FollowDirOptions) => void): void {
    for (const listener of [...this.#listeners, ...this.#newcomers]) act(listener);
  }
}

/** Names whose stamps differ between two looks; an empty stamp is never the same as another. */
export function changedNames(before: Stamps, now: Stamps): string[] {
  const names = new Set([...before.keys(), ...now.keys()]);
  return [...names].filter((name) => before.get(name) !== now.get(name) || now.get(name) === '');
}

async function stampsOf(path: string, now: number): Promise<Stamps> {
  const names = (await unlessMissing(readdir(path))) ?? [];
  const stamps = await Promise.all(
    names.map(async (name): Promise<[string, string] | undefined> => {
      const file = await unlessMissing(stat(join(path, name)));
      if (file === undefined) return undefined;
      const mayChangeUnseen = Math.abs(now - file.mtimeMs) < sameStampMs;
      return [name, mayChangeUnseen ? '' : `${file.ino} ${file.size} ${file.mtimeMs}`];
    }),
  );
  return new Map(stamps.filter((stamp) => stamp !== undefined));
}
