// Appends to a shared file in one write, so that lines of several processes never mix.
import { type FileHandle, open } from 'node:fs/promises';

/** Appends one line and its newline. Makes the file 0600 when it is missing; with `fsync` it is on disk when done. */
export const appendLine = (path: string, line: string, options: AppendOptions = {}): Promise<void> =>
  appendBytes(path, Buffer.from(`${line}\n`), options);

interface AppendOptions {
  readonly fsync?: boolean;
}

/** As `appendLine`, for whole lines. */
export async function appendBytes(path: string, bytes: Buffer, options: AppendOptions): Promise<void> {
  const handle = await open(path, 'a', 0o600);
  try {
    await writeWhole(handle, bytes);
    if (options.fsync) await handle.datasync();
  } finally {
    await handle.close();
  }
}

/** Writes all bytes at once at the end of an appending handle; throws when the disk takes only a part. */
export async function writeWhole(handle: FileHandle, bytes: Buffer): Promise<void> {
  const { bytesWritten } = await handle.write(bytes);
  if (bytesWritten === bytes.length) return;
  throw new Error(`Only ${bytesWritten} of ${bytes.length} bytes were written; is the disk full?`);
}
