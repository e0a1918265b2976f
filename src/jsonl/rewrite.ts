// Makes a file of lines shorter while others append to it: what they write meanwhile is carried over.
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { newNonce } from '../model/ids.ts';
import { pause } from '../system/clock.ts';
import { unlessMissing } from '../system/disk.ts';
import { writeWhole } from './append.ts';
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
  const draft = `${path}.${newNonce()}.tmp`;
  try {
    const before = await old.readFile();
    const splitter = lineSplitter();
    const kept = shorter(splitter.push(before));
    // Half a line may be one that somebody is writing now.
    if (kept === undefined || splitter.pendingBytes > 0) return 0;
    const bytes = Buffer.from(kept.map((line) => `${line}\n`).join(''));
    await writeDraft(draft, bytes);
    await rename(draft, path);
    await pause(settleMs);
    await carryOver(old, before.length, path);
    return before.length - bytes.length;
  } finally {
    await old.close();
    await rm(draft, { force: true });
  }
}

async function writeDraft(path: string, bytes: Buffer): Promise<void> {
  const handle = await open(path, 'wx', 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function carryOver(old: FileHandle, from: number, path: string): Promise<void> {
  const { size } = await old.stat();
  if (size <= from) return;
  const late = Buffer.alloc(size - from);
  await old.read(late, 0, late.length, from);
  const handle = await open(path, 'a', 0o600);
  try {
    await writeWhole(handle, late);
    await handle.datasync();
  } finally {
    await handle.close();
  }
}

/** 0 for a file that is not there. */
export const bytesOf = async (path: string): Promise<number> => (await unlessMissing(stat(path)))?.size ?? 0;
