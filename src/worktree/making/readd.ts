// Checks a branch out again where its worktree was.
import { CrewError } from '../../model/errors.ts';
import { repoPlace } from '../branch.ts';
import type { Repo } from '../inspect.ts';
import { writeMark } from '../mark.ts';
import { lastLines, tryGit } from '../repo.ts';

/** Ends with the branch checked out at the path, or rejects with `worktree_failed` and nothing made. */
export async function readdWorktree(repo: Repo, at: { readonly path: string; readonly branch: string }): Promise<void> {
  const told = await tryGit(repoPlace(repo), ['worktree', 'add', '--quiet', '--', at.path, at.branch]);
  if (told.exitCode === 0) {
    await writeMark(repo, at.path, { branch: at.branch, branch_created: false });
    return;
  }
  throw new CrewError(
    'worktree_failed',
    `The branch ${at.branch} could not be checked out at ${at.path}: ${lastLines(told.stderr)}`,
    'Put right what git names, or spawn a new worker.',
  );
}
