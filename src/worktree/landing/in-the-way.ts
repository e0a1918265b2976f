// Files that git does not track and that would be lost if a worktree became another commit.
import { lstat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { unlessMissing } from '../../system/disk.ts';
import { type PathChange, pathsOf } from '../git/path-changes.ts';
import { nulEnded } from '../git/porcelain.ts';
import { type GitPlace, readGit } from '../git/repo.ts';

/**
 * Paths that lie where these changes bring files of their own. Ignored ones are among them: git would write over those
 * without a word. What is tracked is taken to be committed.
 */
export async function inTheWay(place: GitPlace, changes: readonly PathChange[]): Promise<readonly string[]> {
  const [added, removed] = [pathsOf(changes, 'A'), pathsOf(changes, 'D')];
  const folders = new Set(added.flatMap(foldersOf));
  // Where the disk ignores case, a renamed file lies under its new name already.
  const gone = new Set(removed.map((path) => path.toLowerCase()));
  const found = await Promise.all([
    ...added.filter((path) => !gone.has(path.toLowerCase())).map((path) => atFile(place, path)),
    ...[...folders].filter((path) => !gone.has(path.toLowerCase())).map((path) => atFolder(place, path)),
  ]);
  return [...new Set(found.flat())].sort();
}

/** Every folder above it, the nearest first. */
export function foldersOf(path: string): readonly string[] {
  const folder = dirname(path);
  return folder === '.' ? [] : [folder, ...foldersOf(folder)];
}

async function atFile(place: GitPlace, path: string): Promise<readonly string[]> {
  const facts = await factsOf(place, path);
  if (facts === undefined) return [];
  return facts.isDirectory() ? untrackedIn(place, path) : [path];
}

/** A folder that is one stays; anything else would have to make room. */
async function atFolder(place: GitPlace, path: string): Promise<readonly string[]> {
  const facts = await factsOf(place, path);
  return facts === undefined || facts.isDirectory() ? [] : [path];
}

async function untrackedIn(place: GitPlace, path: string): Promise<readonly string[]> {
  return nulEnded(await readGit(place, ['--literal-pathspecs', 'ls-files', '--others', '-z', '--', path]));
}

const factsOf = (place: GitPlace, path: string) => unlessMissing(lstat(join(place.path, path)));
