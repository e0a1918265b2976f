// Reads again a stretch of a file that was read before.
import { open } from 'node:fs/promises';
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
