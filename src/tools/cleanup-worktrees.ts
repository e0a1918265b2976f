import { z } from 'zod';
import { path, sessionIds } from './parameters.ts';
import { list, shortened } from './shapes.ts';
import { defineTool } from './tool.ts';
import { lines } from './words.ts';

export const cleanupWorktrees = defineTool({
  name: 'cleanup_worktrees',
  title: 'Clean up worktrees',
  description: `Removes worktrees that crewmux made and nobody needs any more. Use it when work has landed; dry_run, the default, only tells. Whatever is uncommitted, unmerged (a squash counts as merged), locked, in use, not ours or cannot be told stays, with the reason. What could be lost is saved first; restore_work brings it back. To end a worker use close_workers.`,
  input: z.strictObject({
    repo_path: path.exactOptional().describe('Every known repository unless given.'),
    session_ids: sessionIds.exactOptional().describe('Only these workers’ worktrees.'),
    merged: z.boolean().default(true).describe('false: also what is pushed and not merged.'),
    delete_branches: z
      .boolean()
      .default(false)
      .describe('Delete branches that crewmux made too, also of closed workers.'),
    dry_run: z.boolean().default(true).describe('Change nothing.'),
  }),
  output: z.object({
    worktrees: list(
      z.object({
        path: z.string(),
        action: z.enum(['remove', 'keep']),
        reason: z.string(),
        worker: z.string().exactOptional(),
        branch: z.string().nullable(),
        salvage: z.string().exactOptional(),
        branch_action: z.enum(['delete', 'keep']).exactOptional(),
        branch_reason: z.string().exactOptional(),
        branch_deleted: z.boolean().exactOptional(),
      }),
    ),
    removed_count: z.number(),
    dry_run: z.boolean(),
    ...shortened,
  }),
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  handler: (crew, args) => crew.cleanup(args),
  text: ({ worktrees, removed_count, dry_run }) =>
    lines([
      dry_run ? 'Dry run: nothing was removed.' : `${removed_count} worktrees removed.`,
      ...worktrees.map(({ path, action, reason, branch, branch_action, branch_deleted, salvage }) =>
        [
          `${path} (${branch ?? 'no branch'}): ${action}, ${reason}.`,
          branch_action === undefined ? '' : `Branch: ${branch_deleted ? 'deleted' : branch_action}.`,
          salvage === undefined ? '' : `Saved as ${salvage}`,
        ]
          .filter((part) => part !== '')
          .join(' '),
      ),
    ]),
});
