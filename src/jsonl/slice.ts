// Reads whole lines of a file as it is now, all of them or a stretch.
import { open, readFile } from 'node:fs/promises';
import type { z } from 'zod';
import { parseJson } from '../model/json.ts';
import { unlessMissing } from '../system/disk.ts';
import { lineSplitter } from './lines.ts';

/** The whole lines between two byte offsets. Rejects when the file is gone. */
export async function readLines(
  path: string,
  range: { readonly from: number; readonly to: number },
): Promise<readonly string[]> {
  const handle = await open(path, 'r');
  try {
    const bytes = Buffer.allocUnsafe(Math.max(0, range.to - range.from));
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, range.from);
    return lineSplitter().push(bytes.subarray(0, bytesRead));
  } finally {
    await handle.close();
  }
}

/** All whole lines of a file; none when it does not exist. */
export async function readWhole(path: string): Promise<readonly string[]> {
  const bytes = await unlessMissing(readFile(path));
  return bytes === undefined ? [] : lineSplitter().push(bytes);
}

/** What the lines of a file hold, in order; a line that holds something else is left out. */
export const readEntries = async <T>(path: string, schema: z.ZodType<T>): Promise<readonly T[]> =>
  (await readWhole(path)).flatMap((line) => schema.safeParse(parseJson(line)).data ?? []);

/** The whole lines within the last bytes of a file, the first of them left out when it may be cut. */
export async function readEnd(path: string, bytes: number): Promise<readonly string[]> {
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    const from = Math.max(0, size - bytes);
    const buffer = Buffer.allocUnsafe(size - from);
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, from);
    const lines = lineSplitter().push(buffer.subarray(0, bytesRead));
    return from > 0 ? lines.slice(1) : lines;
  } finally {
    await handle.close();
  }
}
