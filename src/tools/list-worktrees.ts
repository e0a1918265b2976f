import { z } from 'zod';
import { worktreeLine } from './git-words.ts';
import { path } from './parameters.ts';
import { list, shortened } from './shapes.ts';
import { defineTool } from './tool.ts';
import { lines } from './words.ts';

export const listWorktrees = defineTool({
  name: 'list_worktrees',
  title: 'List worktrees',
  description: `Lists the worktrees of a repository: branch, commit, whose they are and who works there, uncommitted work, commits ahead of and behind their base, merged (also by squash or rebase), detached, locked, prunable, an unfinished merge or rebase. An orphan is a folder that git no longer knows; a foreign one crewmux did not make. Use it to see what is left over. With remove_orphans those that hold no work are removed; ones with uncommitted or unreachable work stay, and branches always stay. To end a worker with its worktree use close_workers. It never touches worktrees that crewmux did not make.`,
  input: z.strictObject({
    repo_path: path.describe('The repository, or any folder in it.'),
    remove_orphans: z.boolean().default(false).describe('Remove orphans that hold no work.'),
  }),
  output: z.object({
    repo_path: z.string(),
    worktrees: list(
      z.object({
        path: z.string(),
        name: z.string(),
        branch: z.string().nullable(),
        commit: z.string().nullable(),
        worker: z.string().exactOptional(),
        in_use_by: list(z.string()).exactOptional(),
        registered: z.boolean(),
        dirty: z.boolean(),
        ahead: z.number(),
        behind: z.number(),
        merged: z.boolean(),
        base: z.string().exactOptional(),
        orphan: z.boolean(),
        foreign: z.boolean(),
        detached: z.boolean(),
        locked: z.boolean(),
        lock_reason: z.string().exactOptional(),
        prunable: z.boolean(),
        prune_reason: z.string().exactOptional(),
        operation: z.string().exactOptional(),
        unreachable: z.literal(true).exactOptional(),
        symlink_to: z.string().exactOptional(),
        unreadable: z.string().exactOptional(),
        removed: z.boolean(),
      }),
    ),
    total: z.number(),
    orphan_count: z.number(),
    removed_count: z.number(),
    ...shortened,
  }),
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  handler: (crew, args) => crew.worktrees(args),
  text: ({ worktrees, orphan_count, removed_count }) =>
    lines([
      `${worktrees.length} worktrees, ${orphan_count} orphans, ${removed_count} removed.`,
      ...worktrees.map(worktreeLine),
    ]),
});
