// Paths that differ between two commits.
import { defined } from '../../model/defined.ts';
import { type GitPlace, readGit } from './repo.ts';

export interface Commits {
  readonly from: string;
  readonly to: string;
}

export interface PathChange {
  /** As git names it: added, deleted, modified or of another type. */
  readonly letter: string;
  readonly path: string;
  /** Before or after. */
  readonly isSubmodule: boolean;
  /** The commit of another repository that it is to point at. */
  readonly pointsAt?: string;
}

/** Paths that differ between two commits, and how. */
export async function changesBetween(place: GitPlace, { from, to }: Commits): Promise<readonly PathChange[]> {
  const printed = await readGit(place, ['diff-tree', '-r', '-z', '--raw', '--no-renames', from, to, '--']);
  return [...printed.matchAll(/:(\d{6}) (\d{6}) \S+ (\S+) ([A-Z])\0([^\0]+)\0/g)].map(
    ([, old, now, sha, letter = '', path = '']) => ({
      letter,
      path,
      isSubmodule: old === submodule || now === submodule,
      ...defined({ pointsAt: now === submodule ? sha : undefined }),
    }),
  );
}

const submodule = '160000';

export const pathsBetween = async (place: GitPlace, commits: Commits): Promise<readonly string[]> =>
  (await changesBetween(place, commits)).map(({ path }) => path);

export const pathsOf = (changes: readonly PathChange[], letter: 'A' | 'D'): readonly string[] =>
  changes.filter((change) => change.letter === letter).map(({ path }) => path);
