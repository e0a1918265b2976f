import { z } from 'zod';
import { path, sessionIds } from './parameters.ts';
import { list, shortened } from './shapes.ts';
import { defineTool } from './tool.ts';
import { lines } from './words.ts';

export const cleanupWorktrees = defineTool({
  name: 'cleanup_worktrees',
  title: 'Clean up worktrees',
  description: `Removes worktrees of crewmux that nobody needs any more. Use it when work has landed and worktrees or branches are left over; call it with the default dry_run first, then with dry_run: false. Only those whose work is merged (a squash counts) go. Anything else stays, with the reason: uncommitted or untracked files, unmerged commits, no branch, a lock, a worker or a process in it, one that crewmux did not make, or when it cannot be told. What could be lost is saved first, and restore_work brings it back. To end a worker use close_workers; for folders that git no longer knows list_worktrees.`,
  input: z.strictObject({
    repo_path: path.exactOptional().describe('The repository, or a folder in it; all that are known unless given.'),
    session_ids: sessionIds.exactOptional().describe('Only the worktrees of these workers.'),
    merged: z
      .boolean()
      .default(true)
      .describe('Only merged work goes; false lets go too what is on a remote but not merged.'),
    delete_branches: z
      .boolean()
      .default(false)
      .describe('Delete their branches too, also of closed workers: only ones crewmux made, each saved first.'),
    dry_run: z.boolean().default(true).describe('Only tell what would happen.'),
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
