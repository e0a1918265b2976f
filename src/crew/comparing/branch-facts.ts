// What the branch of a worker has gained, and what of its worktree no commit has.
import { exists } from '../../system/disk.ts';
import { inspectFolder, type Repo } from '../../worktree/git/inspect.ts';
import { aheadBehind } from '../../worktree/state/ahead-behind.ts';
import { lookAtWork } from '../../worktree/state/work-state.ts';
import type { CrewContext } from '../workers/roster.ts';

const mostCommits = 50;

export interface BranchFacts {
  /** Undefined for a worker without a branch of its own. */
  readonly branch?: string;
  /** Those that its base lacks, as `<12 hex> <subject>`, newest first. */
  readonly commits: readonly string[];
  /** Commits of its base that it lacks. */
  readonly behind: number;
  /** Files that no commit has; none where the worktree is gone. */
  readonly dirtyFiles: number;
}

export interface BranchQuery {
  readonly worker: string;
  /** A branch or commit to compare with, in place of the branch that it was begun from. */
  readonly base?: string;
}

/** Changes nothing, and does not wait for the worker. Rejects where git cannot tell. */
export async function readBranch(context: CrewContext, query: BranchQuery): Promise<BranchFacts> {
  const { branch, base: own, worktreePath, mainRepoPath } = context.roster.resolve(query.worker);
  if (branch === undefined || mainRepoPath === undefined) return { commits: [], behind: 0, dirtyFiles: 0 };
  const tree = await treeAt(context, worktreePath);
  const repo = tree?.repo ?? (await inspectFolder({ path: mainRepoPath, env: context.env }));
  const base = { ...own, ref: query.base ?? own?.ref ?? branch };
  const wanted = { branch, base, most: mostCommits };
  const since = repo === undefined ? { commits: [], behind: 0 } : await aheadBehind(repo, wanted);
  return { branch, ...since, dirtyFiles: tree?.dirtyFiles ?? 0 };
}

/** Undefined where it is gone. */
async function treeAt(
  { env }: CrewContext,
  worktreePath: string | undefined,
): Promise<{ readonly repo: Repo; readonly dirtyFiles: number } | undefined> {
  if (worktreePath === undefined || !(await exists(worktreePath))) return undefined;
  const { folder, state } = await lookAtWork({ worktreePath, env, base: 'none' });
  return { repo: folder, dirtyFiles: state.dirtyFiles + state.untrackedFiles };
}
