// Submodules that a commit points into, at commits that only one worktree has.
import { join } from 'node:path';
import { exists } from '../../system/disk.ts';
import type { Repo } from '../git/inspect.ts';
import type { PathChange } from '../git/path-changes.ts';
import { tryReadGit } from '../git/repo.ts';

export interface Pointer {
  readonly path: string;
  readonly commit: string;
}

/** What a landing would point everybody to and nobody else could fetch. */
export async function unpublishedPointers(
  repo: Repo,
  { worktree, changes }: { readonly worktree: string; readonly changes: readonly PathChange[] },
): Promise<readonly Pointer[]> {
  const pointers = changes.flatMap(({ path, pointsAt }) =>
    pointsAt === undefined ? [] : [{ path, commit: pointsAt }],
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
