// What the branches of workers have, and where they conflict; what of a worktree no commit has.
import { exists } from '../../system/disk.ts';
import type { ConflictsResult, DiffResult } from '../../wire/landing.ts';
import { inspectFolder, type Repo } from '../../worktree/git/inspect.ts';
import { aheadBehind } from '../../worktree/state/ahead-behind.ts';
import { lookAtWork } from '../../worktree/state/work-state.ts';
import { type CrewContext, upToDate } from '../workers/crew-context.ts';
import { checkConflicts } from './conflicts.ts';
import { type DiffQuery, diffWorker } from './diff.ts';

export interface Comparing {
  diff(query: DiffQuery): Promise<DiffResult>;
  conflicts(query: { readonly workers?: readonly string[] }): Promise<ConflictsResult>;
  /**
   * The branch of a worker: commits that its base lacks, newest first, and files that no commit has. After it `work`
   * knows all that the worker has said before. `base` takes the place of its own.
   */
  branchOf(query: BranchQuery): Promise<BranchFacts>;
}

/** `settled` resolves when the log has every change so far. */
export const verbs = (context: CrewContext, { settled }: { readonly settled: () => Promise<void> }): Comparing => ({
  diff: (query) => upToDate(context, () => diffWorker(context, query)),
  conflicts: (query) => upToDate(context, () => checkConflicts(context, query)),
  async branchOf(query) {
    await settled();
    return upToDate(context, () => readBranch(context, query));
  },
});

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

interface BranchQuery {
  readonly worker: string;
  /** A branch or commit to compare with, in place of the branch that it was begun from. */
  readonly base?: string;
}

/** Changes nothing, and does not wait for the worker. Rejects where git cannot tell. */
async function readBranch(context: CrewContext, query: BranchQuery): Promise<BranchFacts> {
  const { branch, base: own, worktreePath, mainRepoPath } = context.roster.resolve(query.worker);
  if (branch === undefined || mainRepoPath === undefined) return { commits: [], behind: 0, dirtyFiles: 0 };
  const tree = await treeAt(context, worktreePath);
  const repo = tree?.repo ?? (await inspectFolder({ path: mainRepoPath, env: context.environment.git }));
  const base = { ...own, ref: query.base ?? own?.ref ?? branch };
  const wanted = { branch, base, most: mostCommits };
  const since = repo === undefined ? { commits: [], behind: 0 } : await aheadBehind(repo, wanted);
  return { branch, ...since, dirtyFiles: tree?.dirtyFiles ?? 0 };
}

/** Undefined where it is gone. */
async function treeAt(
  { environment: { git: env } }: CrewContext,
  worktreePath: string | undefined,
): Promise<{ readonly repo: Repo; readonly dirtyFiles: number } | undefined> {
  if (worktreePath === undefined || !(await exists(worktreePath))) return undefined;
  const { folder, state } = await lookAtWork({ worktreePath, env, base: 'none' });
  return { repo: folder, dirtyFiles: state.dirtyFiles + state.untrackedFiles };
}
