// What a salvage holds is data, and may name any place: what of it would leave the worktree.
import { lstat, mkdir, realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { below, exists } from '../../system/disk.ts';
import { type RawName, shownName } from './raw-name.ts';

/** What the file systems of some machines leave out of a name. */
const unseen = /[\u{200c}-\u{200f}\u{202a}-\u{202e}\u{206a}-\u{206f}\u{feff}]/gu;

/** Whether a path of an index leads out of the worktree, or to git's own files. Pure. */
export const escapes = (name: RawName): boolean =>
  shownName(name)
    .split('/')
    .some((part) => ['', '.', '..', '.git'].includes(part.replace(unseen, '').toLowerCase()));

export const isFile = (path: string): Promise<boolean> => isOfKind(path, 'isFile');
export const isFolder = (path: string): Promise<boolean> => isOfKind(path, 'isDirectory');

/** A link to one is none. */
const isOfKind = (path: string, kind: 'isFile' | 'isDirectory'): Promise<boolean> =>
  lstat(path).then(
    (facts) => facts[kind](),
    () => false,
  );

/** Makes the folders above `to`, and tells whether they lie in `top`; where a link leads out of it nothing is made. */
export async function makeParents(top: string, to: string): Promise<boolean> {
  if (below(top, to) === undefined) return false;
  const nearest = await nearestThere(dirname(to));
  const real = await realpath(nearest).catch(() => '/');
  if (real !== top && below(top, real) === undefined) return false;
  if (!(await lstat(real)).isDirectory()) return false;
  await mkdir(dirname(to), { recursive: true });
  return true;
}

const nearestThere = async (path: string): Promise<string> =>
  (await exists(path)) || dirname(path) === path ? path : nearestThere(dirname(path));
