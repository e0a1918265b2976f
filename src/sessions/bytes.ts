// Bytes of an open file, and the lines in them.
import type { FileHandle } from 'node:fs/promises';

/** Fewer where the file ends before. */
export async function textAt(handle: FileHandle, from: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(Math.max(0, length));
  const { bytesRead } = await handle.read(buffer, 0, buffer.length, from);
  return buffer.subarray(0, bytesRead);
}

export const linesIn = (text: Buffer): readonly string[] => text.toString('utf8').split('\n');
