// What may be asked about worktrees and branches that stay behind.
import type { CleanupResult, RestoreResult, WorktreesResult } from '../../wire/worktrees.ts';
import { type CrewContext, upToDate } from '../workers/crew-context.ts';
import { type CleanOrder, cleanupWorktrees } from './clean.ts';
import { type RestoreOrder, restoreWork } from './restore.ts';
import { readWorktrees } from './worktrees.ts';

export interface Keeping {
  clean(order: CleanOrder): Promise<CleanupResult>;
  restore(order: RestoreOrder): Promise<RestoreResult>;
  worktrees(order: { readonly repoPath: string; readonly removeOrphans: boolean }): Promise<WorktreesResult>;
}

export const verbs = (context: CrewContext): Keeping => ({
  clean: (order) => upToDate(context, () => cleanupWorktrees(context, order)),
  restore: (order) => upToDate(context, () => restoreWork(context, order)),
  worktrees: (order) => upToDate(context, () => readWorktrees(context, order)),
});
