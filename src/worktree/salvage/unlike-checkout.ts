// Whether unchanged files hold bytes that a new checkout would not write.
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { newNonce } from '../../model/ids.ts';
import { indexEntries, topOf } from '../draft-index.ts';
import type { FolderFacts } from '../inspect.ts';
import { rawGit, tryReadGit } from '../repo.ts';
import { diskPath, nulEnded, type RawName } from './raw-name.ts';
import { listed } from './salvage-trees.ts';
import { storeFiles } from './store-files.ts';
import { conversionsOf, type TrackedFile, trackedFiles } from './tracked.ts';

/** Of a worktree in which git sees no change. What a user's own filter makes of a file is left to the filter. */
export async function isUnlike(folder: FolderFacts): Promise<boolean> {
  const tracked = trackedFiles(await indexEntries(folder)).filter((file) => !file.leftOut);
  const conversions = await conversionsOf(folder, tracked);
  const lines = tracked.filter(({ path }) => conversions.get(path) === 'lines');
  const rewritten = tracked.filter(({ path }) => conversions.get(path) === 'rewritten');
  return (await hasStrayReturns(folder, lines)) || (await isWrittenAnew(folder, rewritten));
}

/** Reads all of them, but hashes only those with a return in them. */
async function hasStrayReturns(folder: FolderFacts, files: readonly TrackedFile[]): Promise<boolean> {
  if (files.length === 0) return false;
  const plain = ['--no-color', '--no-recurse-submodules', '--text', '--fixed-strings'];
  const args = ['grep', ...plain, '--files-with-matches', '-z', '-e', '\r'];
  const told = await tryReadGit(topOf(folder), args);
  // It ends with 1 when there is none.
  if (told.exitCode > 1 || told.exitCode < 0) throw new Error(`git grep failed: ${told.stderr.trim()}`);
  const found = new Set(nulEnded(told.bytes.toString('latin1')));
  const suspects = files.filter(({ path }) => found.has(path));
  const { stored } = await storeFiles(
    topOf(folder),
    suspects.map(({ path }) => path),
  );
  const now = new Map(stored.map(({ path, sha }) => [path, sha]));
  return suspects.some(({ path, sha }) => now.get(path) !== sha);
}

/** Has git write them once more beside the worktree, and compares. */
async function isWrittenAnew(folder: FolderFacts, files: readonly TrackedFile[]): Promise<boolean> {
  if (files.length === 0) return false;
  const names = files.map(({ path }) => path);
  const dir = join(folder.gitDir, `crewmux-look-${newNonce()}`);
  await mkdir(dir);
  try {
    const args = ['--no-optional-locks', 'checkout-index', `--prefix=${dir}/`, '-z', '--stdin'];
    await rawGit(topOf(folder), args, { input: listed(names) });
    for (const name of names) if (!(await isSame(name, dir, topOf(folder).path))) return true;
    return false;
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

async function isSame(name: RawName, a: string, b: string): Promise<boolean> {
  const [left, right] = await Promise.all([readFile(diskPath(a, name)), readFile(diskPath(b, name))]);
  return left.equals(right);
}
