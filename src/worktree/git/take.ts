// Files as they lie on disk, taken into a draft index while somebody may go on writing them.
import { lstat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pLimit from 'p-limit';
import { unlessMissing } from '../../system/disk.ts';
import type { DraftGit } from './draft-index.ts';
import { differsOnDisk, type FileChange, listed } from './porcelain.ts';

export interface TakenFiles {
  /** Left as the index had them. */
  readonly tooLarge: readonly string[];
  /** Not on disk, and so no longer in the index. */
  readonly gone: readonly string[];
}

export interface TakeLimits {
  readonly fileBytes: number;
  readonly allBytes: number;
}

export const noLimits: TakeLimits = { fileBytes: Number.POSITIVE_INFINITY, allBytes: Number.POSITIVE_INFINITY };

const tries = 3;

/** Nothing is read of what is too large. Rejects when git cannot read a file that stays. */
export async function takeInto(
  draft: DraftGit,
  {
    top,
    changes,
    limits,
  }: { readonly top: string; readonly changes: readonly FileChange[]; readonly limits: TakeLimits },
): Promise<TakenFiles> {
  for (let attempt = 1; ; attempt++) {
    const found = await look(top, changes.filter(differsOnDisk));
    const { small, tooLarge } = within(found.there, limits);
    try {
      // Gone ones first: a folder may stand where a file was, and the other way round.
      await update(draft, ['--force-remove'], found.gone);
      await update(draft, ['--add', '--remove', '--replace'], small);
      return { tooLarge, gone: found.gone };
    } catch (error) {
      // A file may have become a folder since it was looked at.
      if (attempt === tries) throw error;
    }
  }
}

async function update(draft: DraftGit, how: readonly string[], paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return;
  await draft(['update-index', ...how, '-z', '--stdin'], listed(paths));
}

interface There {
  readonly path: string;
  readonly bytes: number;
}

const atOnce = 32;

async function look(top: string, changes: readonly FileChange[]) {
  const limit = pLimit(atOnce);
  const folders = new Map<string, Promise<boolean>>();
  const isReal = (folder: string): Promise<boolean> => {
    const known = folders.get(folder) ?? isRealFolder(top, folder, isReal);
    folders.set(folder, known);
    return known;
  };
  const found = await Promise.all(
    changes.map(async (change) => {
      const { path } = change;
      const bytes = (await isReal(dirname(path))) ? await limit(() => bytesOf(join(top, path), change)) : undefined;
      return { path, bytes };
    }),
  );
  return {
    there: found.flatMap(({ path, bytes }): There[] => (bytes === undefined ? [] : [{ path, bytes }])),
    gone: found.filter(({ bytes }) => bytes === undefined).map(({ path }) => path),
  };
}

/** Git follows no symlink on the way to a file. */
async function isRealFolder(
  top: string,
  folder: string,
  isReal: (folder: string) => Promise<boolean>,
): Promise<boolean> {
  if (folder === '.') return true;
  if (!(await isReal(dirname(folder)))) return false;
  return (await unlessMissing(lstat(join(top, folder))))?.isDirectory() ?? false;
}

/** Undefined where there is no such file; a folder is one only as a submodule. */
async function bytesOf(path: string, change: FileChange): Promise<number | undefined> {
  const facts = await unlessMissing(lstat(path));
  if (facts === undefined) return undefined;
  if (facts.isDirectory()) return change.kind === 'tracked' && change.submodule ? 0 : undefined;
  return facts.isFile() ? facts.size : 0;
}

/** The smallest first, as many as there is room for. Pure. */
export function within(
  there: readonly There[],
  { fileBytes, allBytes }: TakeLimits,
): { readonly small: readonly string[]; readonly tooLarge: readonly string[] } {
  const small: string[] = [];
  const tooLarge: string[] = [];
  let sum = 0;
  for (const { path, bytes } of [...there].sort((a, b) => a.bytes - b.bytes)) {
    sum += bytes;
    (bytes > fileBytes || sum > allBytes ? tooLarge : small).push(path);
  }
  return { small, tooLarge };
}
