// The commit a new branch starts from, resolved once so that it cannot move.
import { CrewError } from '../../model/errors.ts';
import { nearest } from '../../model/nearest.ts';
import { topOf } from '../git/draft-index.ts';
import type { FolderFacts } from '../git/inspect.ts';
import { readGit, tryReadGit } from '../git/repo.ts';
import { defaultBranch } from './default-branch.ts';

export interface BaseCommit {
  /** As asked; the branch's name where HEAD is on one. */
  readonly ref: string;
  readonly sha: string;
}

/** Rejects with `base_not_found`, the default branch and names that are near, or `worktree_failed` in a repository without a commit. */
export async function resolveBase(folder: FolderFacts, asked: string | undefined): Promise<BaseCommit> {
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
  const args = ['for-each-ref', '--sort=-committerdate', '--format=%(refname:lstrip=2)%00%(symref)'];
  const listed = await readGit(topOf(folder), [...args, 'refs/heads', 'refs/remotes', 'refs/tags']);
  const rows = listed.split('\n').map((line) => line.split('\0'));
  const names = rows.flatMap(([name = '', target = '']) => (name === '' || target !== '' ? [] : [name]));
  const remoteHeads = rows.flatMap(([, target = '']) => (target === '' ? [] : [target]));
  const usual = defaultBranch({ names, remoteHeads, current: folder.head.branch });
  const near = nearNames(
    asked,
    names.filter((name) => name !== usual),
  );
  const words = [
    ...(usual === undefined ? [] : [`The default branch is ${usual}.`]),
    ...(near.length === 0 ? [] : [`Near it: ${near.join(', ')}.`]),
  ];
  return new CrewError(
    'base_not_found',
    `No commit named ${JSON.stringify(asked)} in ${folder.mainRepoPath}. ${words.join(' ') || 'It has no branches or tags.'}`,
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
