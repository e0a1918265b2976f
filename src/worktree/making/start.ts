// The commit a new branch starts from, resolved once so that it cannot move.
import { CrewError } from '../../model/errors.ts';
import { nearest } from '../../model/nearest.ts';
import { topOf } from '../draft-index.ts';
import type { FolderFacts } from '../inspect.ts';
import { readGit, tryReadGit } from '../repo.ts';

export interface Base {
  /** As asked; the branch's name where HEAD is on one. */
  readonly ref: string;
  readonly sha: string;
}

/** Rejects with `base_not_found` and names that are near, or `worktree_failed` in a repository without a commit. */
export async function resolveBase(folder: FolderFacts, asked: string | undefined): Promise<Base> {
  const { sha, branch } = folder.head;
  if (asked === undefined || asked === 'HEAD' || asked === '@') {
    if (sha !== undefined) return { ref: branch ?? sha, sha };
    throw unborn(folder);
  }
  const result = await tryReadGit(topOf(folder), ['rev-parse', '--verify', '--quiet', `${asked}^{commit}`]);
  if (result.exitCode === 0) return { ref: asked, sha: result.stdout.trim() };
  throw await notFound(folder, asked);
}

const unborn = (folder: FolderFacts) =>
  new CrewError(
    'worktree_failed',
    `${folder.mainRepoPath} has no commit yet, so there is nothing a worktree could start from.`,
    'Make a first commit, or pass use_worktree: false.',
  );

async function notFound(folder: FolderFacts, asked: string): Promise<CrewError> {
  const args = ['for-each-ref', '--sort=-committerdate', '--format=%(refname:short)'];
  const listed = await readGit(topOf(folder), [...args, 'refs/heads', 'refs/remotes', 'refs/tags']);
  const known = listed.split('\n').filter((name) => name !== '');
  const near = nearNames(asked, known);
  return new CrewError(
    'base_not_found',
    `No commit named ${JSON.stringify(asked)} in ${folder.mainRepoPath}. ${near.length === 0 ? 'It has no branches or tags.' : `Near it: ${near.join(', ')}.`}`,
    'Pass a branch, tag or commit that exists here; a remote branch must have been fetched.',
  );
}

const shown = 3;

/** The likeliest meant first, then the most recent. */
export function nearNames(asked: string, known: readonly string[]): readonly string[] {
  const best = nearest(asked, known);
  const rest = known.filter((name) => name !== best);
  return [...(best === undefined ? [] : [best]), ...rest].slice(0, shown);
}
