import { z } from 'zod';
import { mergeStrategies, testOutcomes } from '../model/train.ts';
import { argWord, sessionId } from './parameters.ts';
import { list, messageOutcome, shortened } from './shapes.ts';
import { defineTool } from './tool.ts';
import { lines } from './words.ts';

const commit = z.object({ sha: z.string(), subject: z.string(), owner: z.string().exactOptional() });
const outcomes = ['landed', 'nothing', 'dry_run', 'conflict', 'checks_failed', 'target_moved'] as const;

export const mergeWorker = defineTool({
  name: 'merge_worker',
  title: 'Land a worker',
  description: `Merges a worker's branch into the branch it was begun from. Use it when an idle worker's work is done and reviewed with diff_worker. What is uncommitted is committed on its branch first; merge and tests run in a scratch worktree, and the target moves only when all is well. Conflicts change nothing: the answer names the files, both sides' commits and a prompt for the worker, which send_back sends. A checkout of the target comes along with its edits of other files; a file in the way there refuses the landing by name. Pushes nothing; the worker's branch is kept and not rewritten.`,
  input: z.strictObject({
    session_id: sessionId,
    into: argWord(1_000).exactOptional().describe('Local branch to land on; the one it was begun from unless given.'),
    strategy: z
      .enum(mergeStrategies)
      .exactOptional()
      .describe('squash: one commit. merge: a merge commit. ff-only: its commits, rebased as a copy.'),
    message: z.string().min(1).exactOptional().describe('Commit message for squash and merge.'),
    test_command: z
      .string()
      .exactOptional()
      .describe("Shell line run before the target moves; found from the project's files unless given; empty for none."),
    dry_run: z.boolean().default(false).describe('Do all but move the target, and tell what would happen.'),
    close: z.boolean().default(false).describe('Close the worker once its work has landed.'),
    send_back: z.boolean().default(false).describe('Send the worker the prompt to solve conflicts.'),
  }),
  output: z.object({
    success: z.boolean(),
    session_id: z.string(),
    outcome: z.enum(outcomes),
    target: z.string(),
    branch: z.string(),
    from_commit: z.string(),
    to_commit: z.string(),
    strategy: z.enum(mergeStrategies),
    leftovers_committed: z.number(),
    tests: z.object({
      status: z.enum(testOutcomes),
      command: z.string().nullable(),
      output: z.string(),
      path: z.string().exactOptional(),
    }),
    conflicts: list(z.object({ file: z.string(), ours: list(commit), theirs: list(commit) })),
    files: list(z.string()),
    file_count: z.number(),
    checkout: z.enum(['updated', 'none']),
    reason: z.string().exactOptional(),
    prompt: z.string().exactOptional(),
    sent_back: messageOutcome.exactOptional(),
    closed: z
      .object({
        success: z.boolean(),
        worktree: z.enum(['removed', 'kept', 'none']),
        branch: z.string().nullable(),
        salvage: z.string().exactOptional(),
        warning: z.string().exactOptional(),
      })
      .exactOptional(),
    warnings: list(z.string()).exactOptional(),
    ...shortened,
  }),
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  shed: ['tests'],
  handler: (crew, args, call) => crew.merge(args, call),
  text: ({ outcome, branch, target, to_commit, tests, conflicts, file_count, checkout, reason }) =>
    lines([
      `${branch} -> ${target}: ${outcome} at ${to_commit.slice(0, 12)}, ${file_count} files, tests ${tests.status}, checkout ${checkout}.`,
      ...conflicts.map(({ file }) => `conflict: ${file}`),
      ...(reason === undefined ? [] : [reason]),
    ]),
});
