// Names of files as they are on disk: any bytes, each of them one character.
import { lstat } from 'node:fs/promises';
import { hasCode } from '../../system/disk.ts';

/** A path relative to the top of a worktree, one character for each byte. */
export type RawName = string;

export const rawName = (text: string): RawName => Buffer.from(text, 'utf8').toString('latin1');

/** For people; bytes that are no text come out as replacement characters. */
export const shownName = (name: RawName): string => Buffer.from(name, 'latin1').toString('utf8');

/** What the file system takes. */
export const diskPath = (top: string, name: RawName): Buffer =>
  Buffer.concat([Buffer.from(`${top}/`), Buffer.from(name, 'latin1')]);

/** Undefined when there is nothing of that name. Throws when the disk cannot tell. */
export async function lookAtDisk(top: string, name: RawName) {
  try {
    return await lstat(diskPath(top, name));
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return undefined;
    throw error;
  }
}

/** The parts of a listing whose entries end with NUL. */
export const nulEnded = (text: string): readonly string[] => text.split('\0').filter((part) => part !== '');
