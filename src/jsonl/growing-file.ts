// Reads what a file has gained since the last look, in bounded chunks.
import { type Stats, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { unlessMissing } from '../system/disk.ts';
import { lineSplitter } from './lines.ts';

const chunkBytes = 256 * 1024;
const markBytes = 32;

export interface LinesAt {
  /** Just past the last whole line that was handed out; a later reader may start here. */
  readonly offset: number;
  /** The file was cut or replaced: what was read before is no longer in it, and these lines are its first. */
  readonly restarted: boolean;
}

export type OnLines = (lines: readonly string[], at: LinesAt) => void;

/** One file that others append to, truncate or replace. Not for two readers at once. */
export class GrowingFile {
  readonly #path: string;
  readonly #onLines: OnLines;
  readonly #splitter = lineSplitter();
  #handle: FileHandle | undefined;
  #opened: Stats | undefined;
  #readTo: number;
  #restarted = false;
  // The bytes before `#readTo`: a file rewritten in place and grown past it does not have them there.
  #mark: Buffer = Buffer.alloc(0);

  constructor(path: string, from: number, onLines: OnLines) {
    this.#path = path;
    this.#readTo = from;
    this.#onLines = onLines;
  }

  get offset(): number {
    return this.#readTo - this.#splitter.pendingBytes;
  }

  /** Reads to where the file ends now. A missing file is nothing to read; throws what the system says otherwise. */
  async readNew(): Promise<void> {
    // Nothing has changed at most looks, and to ask without a wait costs a fraction of a wait.
    const now = statSync(this.#path, { throwIfNoEntry: false });
    if (this.#handle && !isSameFile(this.#opened, now)) await this.#leave(this.#handle);
    if (now === undefined) return;
    if (!this.#handle) await this.#open();
    const size = isSameFile(this.#opened, now) ? now.size : this.#opened?.size;
    if (this.#handle && size !== undefined) await this.#readUpTo(this.#handle, size);
  }

  async close(): Promise<void> {
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.close();
  }

  async #open(): Promise<void> {
    this.#handle = await unlessMissing(open(this.#path, 'r'));
    this.#opened = await this.#handle?.stat();
  }

  // The old file may have grown between the last look and its replacement.
  async #leave(handle: FileHandle): Promise<void> {
    await this.#readUpTo(handle, (await handle.stat()).size);
    await this.close();
    this.#restart();
  }

  #restart(): void {
    this.#readTo = 0;
    this.#mark = Buffer.alloc(0);
    this.#splitter.reset();
    this.#restarted = true;
  }

  async #readUpTo(handle: FileHandle, size: number): Promise<void> {
    if (size < this.#readTo) this.#restart();
    while (this.#readTo < size) {
      const back = this.#mark.length;
      const chunk = Buffer.allocUnsafe(back + Math.min(chunkBytes, size - this.#readTo));
      const { bytesRead } = await handle.read(chunk, 0, chunk.length, this.#readTo - back);
      // Cut since it was measured; the next look sees the new size.
      if (bytesRead <= back) return;
      if (chunk.subarray(0, back).equals(this.#mark)) this.#take(chunk.subarray(back, bytesRead));
      else this.#restart();
    }
    if (this.#restarted) this.#hand([]);
  }

  #take(bytes: Buffer): void {
    this.#readTo += bytes.length;
    this.#mark = Buffer.from(bytes.subarray(-markBytes));
    const lines = this.#splitter.push(bytes);
    if (lines.length > 0) this.#hand(lines);
  }

  #hand(lines: readonly string[]): void {
    const restarted = this.#restarted;
    this.#restarted = false;
    this.#onLines(lines, { offset: this.offset, restarted });
  }
}

const isSameFile = (a: Stats | undefined, b: Stats | undefined): boolean =>
  a !== undefined && b !== undefined && a.ino === b.ino && a.dev === b.dev;

/** Where the last line of a file begins that no newline has ended yet; its size when all are ended. */
export async function lastLineStart(path: string, size: number): Promise<number> {
  const handle = size > 0 ? await unlessMissing(open(path, 'r')) : undefined;
  if (!handle) return 0;
  try {
    for (let end = size; end > 0; ) {
      const start = Math.max(0, end - 64 * 1024);
      const chunk = Buffer.allocUnsafe(end - start);
      const { bytesRead } = await handle.read(chunk, 0, chunk.length, start);
      const newline = chunk.subarray(0, bytesRead).lastIndexOf(0x0a);
      if (newline !== -1) return start + newline + 1;
      end = start;
    }
    return 0;
  } finally {
    await handle.close();
  }
}
