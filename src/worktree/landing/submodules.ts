// Submodules that a commit points into, at commits that only one worktree has.
import { join } from 'node:path';
import { exists } from '../../system/disk.ts';
import { repoPlace } from '../branch.ts';
import type { Repo } from '../inspect.ts';
import { readGit, tryReadGit } from '../repo.ts';

export interface Pointer {
  readonly path: string;
  readonly commit: string;
}

/** What a landing would point everybody to and nobody else could fetch. */
export async function unpublishedPointers(
  repo: Repo,
  { worktree, from, to }: { readonly worktree: string; readonly from: string; readonly to: string },
): Promise<readonly Pointer[]> {
  const printed = await readGit(repoPlace(repo), ['diff-tree', '-r', '-z', '--no-renames', from, to]);
  const pointers = [...printed.matchAll(/:\d+ 160000 [0-9a-f]+ ([0-9a-f]+) [A-Z]\0([^\0]+)\0/g)].map(
    ([, commit = '', path = '']) => ({ path, commit }),
  );
  const alone = await Promise.all(pointers.map((pointer) => isAlone(repo, worktree, pointer)));
  return pointers.filter((_, at) => alone[at]);
}

async function isAlone(repo: Repo, worktree: string, { path, commit }: Pointer): Promise<boolean> {
  const here = { path: join(worktree, path), env: repo.env };
  const main = { path: join(repo.mainRepoPath, path), env: repo.env };
  if (!(await exists(join(here.path, '.git')))) return false;
  const result = await tryReadGit(here, ['branch', '--remotes', '--contains', commit]);
  if (result.exitCode !== 0 || result.stdout.trim() !== '') return false;
  if (!(await exists(join(main.path, '.git')))) return true;
  return (await tryReadGit(main, ['cat-file', '-e', `${commit}^{commit}`])).exitCode !== 0;
}
