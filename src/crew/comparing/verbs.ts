// What the branches of workers have, and where they conflict.
import type { ConflictsResult, DiffResult } from '../../wire/landing.ts';
import { type CrewContext, upToDate } from '../workers/roster.ts';
import { type BranchFacts, type BranchQuery, readBranch } from './branch-facts.ts';
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
