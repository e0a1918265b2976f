// The folder of a repository's worktrees.
import { mkdir, realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CrewError } from '../../model/errors.ts';
import { below } from '../../system/disk.ts';
import { hidePath } from '../git/hide.ts';
import type { Repo } from '../git/inspect.ts';

/** Its real path, made and hidden. Rejects with `worktree_failed` where it lies otherwise than its name says. */
export async function makeRoot(repo: Repo, asked: string): Promise<string> {
  const wanted = resolve(repo.mainRepoPath, asked);
  await mkdir(wanted, { recursive: true });
  const root = await realpath(wanted);
  const inside = below(repo.mainRepoPath, root);
  if (root === repo.mainRepoPath || (inside === undefined && below(repo.mainRepoPath, wanted) !== undefined)) {
    throw new CrewError(
      'worktree_failed',
      `The folder for worktrees, ${wanted}, is really ${root}.`,
      'Set worktrees.dir to a folder inside the repository, or to an absolute path outside of it.',
    );
  }
  if (inside !== undefined && repo.mainRepoPath !== repo.gitCommonDir) await hidePath(repo.gitCommonDir, inside);
  return root;
}
