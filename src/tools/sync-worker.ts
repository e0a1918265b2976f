import { z } from 'zod';
import { syncStrategies } from '../model/train.ts';
import { argWord, sessionId } from './parameters.ts';
import { list, shortened } from './shapes.ts';
import { defineTool } from './tool.ts';
import { lines } from './words.ts';

const commit = z.object({ sha: z.string(), subject: z.string(), owner: z.string().exactOptional() });

export const syncWorker = defineTool({
  name: 'sync_worker',
  title: 'Bring a worker up to date',
  description: `Rebases an idle worker's branch on its base as that stands now, or merges that in, in the worker's worktree. Use it when the base has moved on and the worker is to go on with it, or before a pull request. Refuses while the worker works or has uncommitted changes. Conflicts change nothing: they are listed, with a prompt for the worker. The branch as it was stays under backup_ref. Fetches nothing, runs no hook, and does not tell the worker. merge_worker needs no sync before.`,
  input: z.strictObject({
    session_id: sessionId,
    strategy: z
      .enum(syncStrategies)
      .exactOptional()
      .describe('rebase unless given; merge where its commits were pushed.'),
    from: argWord(1_000).exactOptional().describe('Another branch, or a fetched one such as origin/main.'),
  }),
  output: z.object({
    success: z.boolean(),
    session_id: z.string(),
    outcome: z.enum(['synced', 'nothing', 'conflict', 'refused']),
    strategy: z.enum(syncStrategies),
    branch: z.string(),
    from: z.string(),
    from_commit: z.string(),
    before: z.string(),
    after: z.string(),
    commits_replayed: z.number(),
    conflicts: list(z.object({ file: z.string(), ours: list(commit), theirs: list(commit) })),
    backup_ref: z.string().nullable(),
    reason: z.string().exactOptional(),
    hint: z.string().exactOptional(),
    prompt: z.string().exactOptional(),
    ...shortened,
  }),
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  handler: (crew, args, call) => crew.sync(args, call),
  text: ({ outcome, strategy, branch, from, before, after, conflicts, backup_ref, reason, hint }) =>
    lines([
      `${branch} from ${from}: ${outcome} (${strategy}), ${before.slice(0, 12)} -> ${after.slice(0, 12)}.`,
      ...conflicts.map(({ file }) => `conflict: ${file}`),
      ...(backup_ref === null ? [] : [`As it was: ${backup_ref}`]),
      ...(reason === undefined ? [] : [reason]),
      ...(hint === undefined ? [] : [hint]),
    ]),
});
