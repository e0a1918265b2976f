import { z } from 'zod';
import { sessionId } from './parameters.ts';
import { list, shortened } from './shapes.ts';
import { defineTool } from './tool.ts';
import { lines } from './words.ts';

const defaultChars = 20_000;
const mostChars = 40_000;

export const diffWorker = defineTool({
  name: 'diff_worker',
  title: 'Read what a worker changed',
  description: `Shows what a worker has changed since it left its base: commits, uncommitted and untracked files together, with renames, and without ignored files and what crewmux itself put there. Use it to review before merge_worker. stat gives files and counts without text. It does not touch the worktree. For the state of the branch use examine_worker, for clashes with others check_conflicts.`,
  input: z.strictObject({
    session_id: sessionId,
    stat: z.boolean().default(false).describe('Files and counts only.'),
    paths: list(z.string().min(1)).exactOptional().describe('Only these files and folders, relative to the top.'),
    max_chars: z.int().min(500).max(mostChars).default(defaultChars).describe('Longest text; the whole is in a file.'),
  }),
  output: z.object({
    session_id: z.string(),
    branch: z.string().nullable(),
    base: z.object({ ref: z.string().nullable(), commit: z.string() }),
    uncommitted_files: z.number(),
    files: list(
      z.object({
        path: z.string(),
        old_path: z.string().exactOptional(),
        status: z.enum(['added', 'modified', 'deleted', 'renamed', 'copied', 'type_changed']),
        additions: z.number().nullable(),
        deletions: z.number().nullable(),
        binary: z.boolean(),
        mode: z.string().exactOptional(),
      }),
    ),
    file_count: z.number(),
    additions: z.number(),
    deletions: z.number(),
    left_out: list(z.string()).exactOptional(),
    too_large: list(z.string()).exactOptional(),
    diff: z.string().exactOptional(),
    path: z.string().exactOptional(),
    ...shortened,
  }),
  shed: ['diff', 'files'],
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  handler: (crew, args) => crew.diff(args),
  text: ({
    branch,
    base,
    file_count,
    additions,
    deletions,
    uncommitted_files,
    too_large,
    note,
    diff,
    truncated,
    path,
  }) =>
    lines([
      `${branch ?? 'its work'} since ${base.ref ?? base.commit.slice(0, 12)}: ${file_count} files, +${additions} -${deletions}, ${uncommitted_files} not committed.`,
      note ?? '',
      too_large === undefined ? '' : `Too large to be looked into: ${too_large.join(', ')}.`,
      ...(truncated === true ? [`Shortened; the whole is in ${path ?? 'no file'}.`] : []),
      ...(diff === undefined ? [] : [diff]),
    ]),
});
