// Worktrees: what they hold, which can go, and what was saved of those that went.
import { z } from 'zod';
import { list, path, type Shape, sessionIds, shortened } from './parts.ts';

export const worktreesInput = z.strictObject({
  repo_path: path.exactOptional().describe('The repository or a folder in it; "auto" unless given.'),
  project_path: path.exactOptional().describe('The same.'),
  remove_orphans: z.boolean().default(false).describe('Remove orphans that hold no work.'),
});
export type WorktreesRequest = Shape<typeof worktreesInput>;

const worktree = z.object({
  path: z.string(),
  name: z.string(),
  branch: z.string().nullable(),
  commit: z.string().nullable(),
  worker: z.string().exactOptional(),
  /** Live workers. */
  in_use_by: list(z.string()).exactOptional(),
  registered: z.boolean(),
  dirty: z.boolean(),
  ahead: z.number(),
  behind: z.number(),
  merged: z.boolean(),
  /** The branch or commit that it is compared with. */
  base: z.string().exactOptional(),
  orphan: z.boolean(),
  /** Not made by crewmux. */
  foreign: z.boolean(),
  detached: z.boolean(),
  locked: z.boolean(),
  lock_reason: z.string().exactOptional(),
  /** Its folder, or the link in it, is gone. */
  prunable: z.boolean(),
  prune_reason: z.string().exactOptional(),
  operation: z.string().exactOptional(),
  unreachable: z.literal(true).exactOptional(),
  /** A symlink in the place of a worktree, which is not followed. */
  symlink_to: z.string().exactOptional(),
  /** Why its state cannot be told; it counts as dirty then. */
  unreadable: z.string().exactOptional(),
  removed: z.boolean(),
});
export type WorktreeView = Shape<typeof worktree>;

export const worktreesOutput = z.object({
  repo_path: z.string(),
  worktrees: list(worktree),
  total: z.number(),
  orphan_count: z.number(),
  removed_count: z.number(),
  ...shortened,
});
export type WorktreesResult = Shape<typeof worktreesOutput>;

export const cleanupInput = z.strictObject({
  repo_path: path.exactOptional().describe('Every known repository unless given.'),
  session_ids: sessionIds.exactOptional().describe('Only these workers’ worktrees.'),
  merged: z.boolean().default(true).describe('false: also what is pushed and not merged.'),
  delete_branches: z.boolean().default(false).describe('Also branches that crewmux made.'),
  discard: z.boolean().default(false).describe('Also unmerged work of session_ids, saved first.'),
  dry_run: z.boolean().default(true).describe('Change nothing.'),
});

/** The action taken, or in a dry run foreseen, for one worktree. */
const cleanup = z.object({
  path: z.string(),
  action: z.enum(['remove', 'keep']),
  reason: z.string(),
  worker: z.string().exactOptional(),
  branch: z.string().nullable(),
  /** The ref under which everything in it was saved before. */
  salvage: z.string().exactOptional(),
  /** The call that brings it back. */
  restore: z.string().exactOptional(),
  branch_action: z.enum(['delete', 'keep']).exactOptional(),
  branch_reason: z.string().exactOptional(),
  branch_deleted: z.boolean().exactOptional(),
});
export type CleanupView = Shape<typeof cleanup>;

export const cleanupOutput = z.object({
  worktrees: list(cleanup),
  removed_count: z.number(),
  dry_run: z.boolean(),
  ...shortened,
});
export type CleanupResult = Shape<typeof cleanupOutput>;

export const restoreInput = z.strictObject({
  salvage_id: z.string().min(1).max(500).exactOptional().describe('As listed; only lists unless given.'),
  repo_path: path.exactOptional().describe('Every known repository unless given.'),
});
export type RestoreRequest = Shape<typeof restoreInput>;

const salvage = z.object({
  salvage_id: z.string(),
  ref: z.string(),
  /** Our own records show that crewmux made it; every other field is what the salvage says of itself. */
  ours: z.boolean(),
  repo_path: z.string(),
  session_id: z.string().exactOptional(),
  /** Of the worker, where it is still known. */
  name: z.string().exactOptional(),
  saved_at: z.string(),
  reason: z.string(),
  branch: z.string().nullable(),
  head: z.string().nullable(),
  /** The worktree's former path. */
  path: z.string(),
  files_changed: z.number(),
  files_deleted: z.number(),
  files_untracked: z.number(),
  conflicts: z.number(),
});
export type SalvageView = Shape<typeof salvage>;

export const restoreOutput = z.object({
  salvages: list(salvage),
  count: z.number(),
  restored: z
    .object({
      path: z.string(),
      at_original_path: z.boolean(),
      branch: z.string().nullable(),
      head: z.string().nullable(),
      /** Files, modes and index were compared with what was saved. */
      exact: z.boolean(),
      notes: list(z.string()),
      /** The call that lets a worker go on there. */
      next: z.string(),
    })
    .exactOptional(),
  ...shortened,
});
export type RestoreResult = Shape<typeof restoreOutput>;
