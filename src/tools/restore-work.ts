import { z } from 'zod';
import { path } from './parameters.ts';
import { list, shortened } from './shapes.ts';
import { defineTool } from './tool.ts';
import { lines } from './words.ts';

export const restoreWork = defineTool({
  name: 'restore_work',
  title: 'Restore saved work',
  description: `Lists what was saved before worktrees or branches were removed, and brings one of them back. Use it when close_workers with force, cleanup_worktrees or another removal named a salvage and its work is wanted again. Without salvage_id it only lists. With one it makes a worktree with the files byte for byte, the index, HEAD and branch as they were: at the old path and on the old branch when those are free, else at new ones that the answer names. It never overwrites anything, the salvage stays, and the same one can be restored again. It does not start a worker; the answer tells the call that does. Committed work of a closed worker is still on its branch and needs no restore.`,
  input: z.strictObject({
    salvage_id: z
      .string()
      .min(1)
      .max(500)
      .exactOptional()
      .describe('As listed, or the whole ref; nothing is restored without it.'),
    repo_path: path.exactOptional().describe('The repository, or a folder in it; all that are known unless given.'),
  }),
  output: z.object({
    salvages: list(
      z.object({
        salvage_id: z.string(),
        ref: z.string(),
        repo_path: z.string(),
        session_id: z.string().exactOptional(),
        name: z.string().exactOptional(),
        saved_at: z.string(),
        reason: z.string(),
        branch: z.string().nullable(),
        head: z.string().nullable(),
        path: z.string(),
        files_changed: z.number(),
        files_deleted: z.number(),
        files_untracked: z.number(),
        conflicts: z.number(),
      }),
    ),
    count: z.number(),
    restored: z
      .object({
        path: z.string(),
        at_original_path: z.boolean(),
        branch: z.string().nullable(),
        head: z.string().nullable(),
        exact: z.boolean(),
        notes: list(z.string()),
        next: z.string(),
      })
      .exactOptional(),
    ...shortened,
  }),
  hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
  handler: (crew, args) => crew.restore(args),
  text: ({ salvages, count, restored }) =>
    restored === undefined
      ? lines([
          `${count} salvages.`,
          ...salvages.map(
            ({ salvage_id, name, session_id, saved_at, reason, branch, files_changed, files_untracked }) =>
              `${salvage_id}: ${name ?? session_id ?? 'no worker'} at ${saved_at}, ${reason}; branch ${branch ?? 'none'}, ${files_changed} changed, ${files_untracked} untracked`,
          ),
        ])
      : lines([
          `Restored at ${restored.path} on ${restored.branch ?? 'no branch'}, ${restored.exact ? 'as it was' : 'not wholly as it was'}.`,
          ...restored.notes,
          restored.next,
        ]),
});
