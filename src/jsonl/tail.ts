// Follows growing files: hints from the system for speed, a sweep for certainty.
import { type FSWatcher, type Stats, statSync, watch as watchNative } from 'node:fs';
import { basename, dirname, sep } from 'node:path';
import { type FSWatcher as DiscoveryWatcher, watch as watchUntilThere } from 'chokidar';
import type { Clock, Disposer } from '../model/clock.ts';
import { oneAtATime } from '../system/pace.ts';
import { GrowingFile, lastLineStart, type OnLines } from './growing-file.ts';
import { sharedByPath } from './shared.ts';
import { onSweep } from './sweep.ts';

export interface FollowOptions {
  readonly clock: Clock;
  /** Default `start`. `end` is where the last unfinished line begins now; a number is an `offset` of before. */
  readonly from?: 'start' | 'end' | number;
  readonly onLines: OnLines;
  /** Called once per kind of failure until a look succeeds again; following goes on. */
  readonly onTrouble?: (error: unknown) => void;
}

export interface Tail {
  /** Resolves when all that the file held at the call was handed out; rejects if it could not be read. */
  drain(): Promise<void>;
  /** Just past the last whole line that was handed out. */
  readonly offset: number;
  /** Nothing is handed out after the call; resolves when the file is let go of. */
  close(): Promise<void>;
}

/** Hands out the whole lines of a file as they come. It, and the folders above it, may not exist yet. */
export function followFile(path: string, options: FollowOptions): Tail {
  const { from = 'start', clock } = options;
  // Measured at the call: what is appended after it belongs to the caller.
  const sizeAtCall = from === 'end' ? (lookAt(path)?.size ?? 0) : 0;
  const startAt = () => (typeof from === 'number' ? from : lastLineStart(path, sizeAtCall));
  let file: GrowingFile | undefined;
  let closed = false;
  const read = oneAtATime(async () => {
    if (closed) return;
    file ??= new GrowingFile(path, await startAt(), (lines, at) => {
      if (!closed) options.onLines(lines, at);
    });
    await file.readNew();
  });
  const look = reporting(read, options.onTrouble);
  const stops = [
    watchFolder(dirname(path), clock, (name) => {
      if (name === undefined || name === basename(path)) look();
    }),
    onSweep(clock, look),
  ];
  look();
  return {
    drain: read,
    get offset() {
      return file?.offset ?? (typeof from === 'number' ? from : 0);
    },
    async close() {
      closed = true;
      for (const stop of stops.splice(0)) stop();
      await read();
      await file?.close();
    },
  };
}

/** Runs `act` without a caller to reject to: reports a failure once per kind until `act` succeeds again. */
export function reporting(act: () => Promise<void>, report: ((error: unknown) => void) | undefined): () => void {
  let reported: string | undefined;
  const well = () => {
    reported = undefined;
  };
  const trouble = (error: unknown) => {
    if (String(error) !== reported) report?.(error);
    reported = String(error);
  };
  return () => {
    act().then(well, trouble);
  };
}

type OnHint = (name: string | undefined) => void;

const watched = sharedByPath((path, clock) => new WatchedFolder(path, clock));

/** Hints that something in a folder changed: a name, or undefined for "look at all of it". Never a guarantee. */
export function watchFolder(path: string, clock: Clock, onHint: OnHint): Disposer {
  const { thing: folder, letGo } = watched(path, clock);
  folder.listeners.add(onHint);
  return () => {
    folder.listeners.delete(onHint);
    letGo();
  };
}

// One watcher for all who listen to one folder: chokidar on the way down to it until it exists, fs.watch on it then.
class WatchedFolder {
  readonly listeners = new Set<OnHint>();
  readonly #path: string;
  readonly #stopSweep: Disposer;
  #native: { readonly watcher: FSWatcher; readonly ino: number } | undefined;
  #discovery: DiscoveryWatcher | undefined;
  #closed = false;

  constructor(path: string, clock: Clock) {
    this.#path = path;
    this.#stopSweep = onSweep(clock, () => this.#attach());
    this.#attach();
  }

  close(): void {
    this.#closed = true;
    this.#stopSweep();
    this.#stopNative();
    this.#stopDiscovery();
  }

  // fs.watch follows the folder it was given, also after another one took the name.
  #attach(): void {
    if (this.#closed) return;
    const now = lookAt(this.#path);
    if (this.#native && this.#native.ino === now?.ino) return;
    this.#stopNative();
    if (!now?.isDirectory()) {
      this.#discover();
      return;
    }
    this.#stopDiscovery();
    if (this.#watch(now.ino)) this.#hint(undefined);
  }

  #watch(ino: number): boolean {
    try {
      const watcher = watchNative(this.#path, { persistent: false }, (_, name) => this.#hint(name ?? undefined));
      watcher.on('error', () => this.#stopNative());
      this.#native = { watcher, ino };
      return true;
    } catch {
      // No watch to be had, as when the user's inotify instances are used up: the sweep alone serves.
      return false;
    }
  }

  #discover(): void {
    if (this.#discovery) return;
    const target = this.#path;
    this.#discovery = watchUntilThere(nearestFolder(target), {
      persistent: false,
      ignored: (path) => path !== target && !target.startsWith(path.endsWith(sep) ? path : path + sep),
    });
    this.#discovery.on('all', () => this.#attach());
    this.#discovery.on('error', () => undefined);
  }

  #stopNative(): void {
    this.#native?.watcher.close();
    this.#native = undefined;
  }

  #stopDiscovery(): void {
    void this.#discovery?.close();
    this.#discovery = undefined;
  }

  #hint(name: string | undefined): void {
    for (const listener of this.listeners) listener(name);
  }
}

function nearestFolder(path: string): string {
  const parent = dirname(path);
  return parent === path || lookAt(parent)?.isDirectory() ? parent : nearestFolder(parent);
}

function lookAt(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
