// The one door to files that a sandboxed worker can write: it never waits, follows no link and reads no more than it may.

import { type BigIntStats, closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { advise, call } from '../model/advice.ts';
import { CrewError, codeOf, isMissing } from '../model/errors.ts';

/** The most that a file may hold. */
export const mostBytes = { index: 512 * 1024 * 1024, other: 4 * 1024 * 1024 } as const;

/** Without these a pipe would hold the caller until somebody writes into it, and a link would lead anywhere. */
export const carefully = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

/** The reason why a file is not read; undefined for a plain file that is small enough. Pure. */
export function oddness(facts: Stats | BigIntStats, most: number = mostBytes.other): string | undefined {
  if (facts.isSymbolicLink()) return 'is a symbolic link';
  if (facts.isFIFO()) return 'is a named pipe';
  if (facts.isDirectory()) return 'is a folder';
  if (!facts.isFile()) return 'is no plain file';
  return facts.size > most ? `has ${facts.size} bytes, and at most ${most} are read` : undefined;
}

/** A worktree with such a file cannot be read. */
export const notPlain = (path: string, why: string): CrewError =>
  new CrewError(
    'worktree_failed',
    `${path} ${why}. git or crewmux would read it there, so the worktree is left as it is.`,
    advise`Nothing was changed. ${call('close_workers with force: true', '`crewmux close --force`')} saves what can be saved, and removes the worktree.`,
  );

/** Undefined where nothing is there. Throws `worktree_failed`, naming the file, for anything but a plain one. */
export async function readPlain(path: string, most: number = mostBytes.other): Promise<Buffer | undefined> {
  const handle = await openPlain(path, most);
  if (handle === undefined) return undefined;
  try {
    const chunks: Buffer[] = [];
    for (let length = 0; ; ) {
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes, null);
      if (bytesRead === 0) return Buffer.concat(chunks);
      chunks.push(buffer.subarray(0, bytesRead));
      length += bytesRead;
      if (length > most) throw notPlain(path, `has more than ${most} bytes`);
    }
  } finally {
    await handle.close();
  }
}

const chunkBytes = 256 * 1024;

/** The same, open for reading. Whoever gets it closes it. */
export async function openPlain(path: string, most: number = mostBytes.other): Promise<FileHandle | undefined> {
  const handle = await open(path, carefully).catch((error: unknown) => unlessGone(path, error));
  if (handle === undefined) return undefined;
  const why = oddness(await handle.stat(), most);
  if (why === undefined) return handle;
  await handle.close();
  throw notPlain(path, why);
}

/** As text; '' for whatever is no plain file. */
export async function plainText(path: string): Promise<string> {
  const bytes = await readPlain(path).catch(() => undefined);
  return bytes?.toString('utf8') ?? '';
}

/** As `readPlain`, without waiting for a turn. For files of a few lines. */
export function readPlainSync(path: string): string | undefined {
  const handle = openSyncPlain(path);
  if (handle === undefined) return undefined;
  try {
    const facts = fstatSync(handle);
    const why = oddness(facts);
    if (why !== undefined) throw notPlain(path, why);
    const bytes = Buffer.alloc(facts.size);
    return bytes.toString('utf8', 0, readSync(handle, bytes, 0, bytes.length, 0));
  } finally {
    closeSync(handle);
  }
}

function openSyncPlain(path: string): number | undefined {
  try {
    return openSync(path, carefully);
  } catch (error) {
    return unlessGone(path, error);
  }
}

function unlessGone(path: string, error: unknown): undefined {
  if (isMissing(error)) return undefined;
  // The system's words for a link, and for a socket or a device without a driver.
  if (codeOf(error) === 'ELOOP') throw notPlain(path, 'is a symbolic link');
  if (codeOf(error) === 'ENXIO') throw notPlain(path, 'is no plain file');
  throw error;
}
