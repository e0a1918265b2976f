// What checkouts are on, and the history of their HEAD, read from git's files without git.
import { type FileHandle, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { exists } from '../../system/disk.ts';
import { mostBytes, openPlain, plainText } from '../../system/plain-file.ts';
import { markPath } from './mark.ts';
import type { HeadEntry } from './tips.ts';

/** The git folders of all checkouts that crewmux did not make: the main one's first. */
export async function foreignCheckouts(gitCommonDir: string): Promise<readonly string[]> {
  const all = join(gitCommonDir, 'worktrees');
  const linked = (await readdir(all).catch(() => [])).map((name) => join(all, name));
  const isOurs = await Promise.all(linked.map((gitDir) => exists(markPath(gitDir))));
  return [gitCommonDir, ...linked.filter((_, at) => !isOurs[at])];
}

/** The branch that a checkout is on; undefined where it is on none. */
export async function branchAt(gitDir: string): Promise<string | undefined> {
  return /^ref: refs\/heads\/(.+)\n?$/.exec(await plainText(join(gitDir, 'HEAD')))?.[1];
}

/** How far a history was read. */
export interface ReadTo {
  readonly bytes: number;
  readonly last: string;
}

const lineBytes = 16_384;

export const unread: ReadTo = { bytes: 0, last: '' };

/** The end of a history as it is now. */
export const endOfLog = (gitDir: string): Promise<ReadTo> =>
  readLog(gitDir, async (file, size) => {
    const tail = await readFrom(file, Math.max(0, size - lineBytes), size);
    return { bytes: size, last: lastLine(tail) };
  });

/** What came after `known`, also where git has written the file anew without its old lines. */
export async function newEntries(
  gitDir: string,
  known: ReadTo,
): Promise<ReadTo & { readonly entries: readonly HeadEntry[] }> {
  const nothing = { ...known, entries: [] };
  const read = await withPlain(logPath(gitDir), async (file) => {
    const { size } = await file.stat();
    const start = known.bytes - Buffer.byteLength(known.last);
    const text = size < known.bytes ? '' : await readFrom(file, Math.max(start, size - mostBytes.other), size);
    if (text.startsWith(known.last)) return { size, text: text.slice(known.last.length) };
    const whole = await readFrom(file, Math.max(0, size - mostBytes.other), size);
    const at = whole.lastIndexOf(known.last);
    return { size, text: at === -1 ? whole : whole.slice(at + known.last.length) };
  });
  // A line that is still being written is for the next time.
  const ended = read?.text.slice(0, read.text.lastIndexOf('\n') + 1) ?? '';
  if (read === undefined || ended === '') return nothing;
  const open = Buffer.byteLength(read.text) - Buffer.byteLength(ended);
  return { bytes: read.size - open, last: lastLine(ended), entries: entriesIn(ended) };
}

const logPath = (gitDir: string) => join(gitDir, 'logs', 'HEAD');

async function readLog(gitDir: string, act: (file: FileHandle, size: number) => Promise<ReadTo>): Promise<ReadTo> {
  return (await withPlain(logPath(gitDir), async (file) => act(file, (await file.stat()).size))) ?? unread;
}

const lastLine = (text: string): string => text.slice(text.lastIndexOf('\n', text.length - 2) + 1);

/** Pure. */
export const entriesIn = (text: string): readonly HeadEntry[] =>
  text.split('\n').flatMap((line) => {
    const [, from, to, message] = /^([0-9a-f]{40,64}) ([0-9a-f]{40,64}) [^\t]*\t?(.*)$/.exec(line) ?? [];
    return from === undefined || to === undefined ? [] : [{ from, to, message: message ?? '' }];
  });

/** Undefined for anything but a plain file. Of a long one the end is read, and what came before counts as not said. */
async function withPlain<T>(path: string, act: (file: FileHandle) => Promise<T>): Promise<T | undefined> {
  const file = await openPlain(path, Number.MAX_SAFE_INTEGER).catch(() => undefined);
  try {
    return file && (await act(file));
  } finally {
    await file?.close();
  }
}

async function readFrom(file: FileHandle, start: number, end: number): Promise<string> {
  const buffer = Buffer.alloc(Math.max(0, end - start));
  const { bytesRead } = await file.read(buffer, 0, buffer.length, start);
  return buffer.toString('utf8', 0, bytesRead);
}
