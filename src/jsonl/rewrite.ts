// Makes a file of lines shorter while others append to it: what they write meanwhile is carried over.
import { type FileHandle, open, stat } from 'node:fs/promises';
import { writeAtomic } from '../system/atomic.ts';
import { pause } from '../system/clock.ts';
import { unlessMissing } from '../system/disk.ts';
import { appendBytes } from './append.ts';
import { lineSplitter } from './lines.ts';

/** Whoever has opened the old file to append has written by then. */
const settleMs = 200;

/**
 * Replaces the lines by those that `shorter` makes of them; undefined leaves the file as it is. Readers see another file
 * that begins anew. Returns how many bytes went. Not for two at once.
 */
export async function rewriteLines(
  path: string,
  shorter: (lines: readonly string[]) => readonly string[] | undefined,
): Promise<number> {
  const old = await unlessMissing(open(path, 'r'));
  if (old === undefined) return 0;
  try {
    const before = await old.readFile();
    const splitter = lineSplitter();
    const kept = shorter(splitter.push(before));
    // Half a line may be one that somebody is writing now.
    if (kept === undefined || splitter.pendingBytes > 0) return 0;
    const bytes = Buffer.from(kept.map((line) => `${line}\n`).join(''));
    await writeAtomic(path, bytes);
    await pause(settleMs);
    await carryOver(old, before.length, path);
    return before.length - bytes.length;
  } finally {
    await old.close();
  }
}

async function carryOver(old: FileHandle, from: number, path: string): Promise<void> {
  const { size } = await old.stat();
  if (size <= from) return;
  const late = Buffer.alloc(size - from);
  await old.read(late, 0, late.length, from);
  await appendBytes(path, late, { fsync: true });
}

/** 0 for a file that is not there. */
export const bytesOf = async (path: string): Promise<number> => (await unlessMissing(stat(path)))?.size ?? 0;
