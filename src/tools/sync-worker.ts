import { syncInput, syncOutput } from '../wire/landing.ts';
import { defineTool } from './tool.ts';
import { lines } from './words.ts';

export const syncWorker = defineTool({
  name: 'sync_worker',
  title: 'Bring a worker up to date',
  description: `Rebases an idle worker's branch on its base as that stands now, or merges that in, in the worker's worktree. Use it when the base has moved on and the worker is to go on with it, or before a pull request. Refuses while the worker works or has uncommitted changes. Conflicts change nothing: they are listed, with a prompt for the worker. The branch as it was stays under backup_ref. Fetches nothing, runs no hook, and does not tell the worker. merge_worker needs no sync before.`,
  input: syncInput,
  output: syncOutput,
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  handler: (crew, { session_id: worker, ...wish }, call) => crew.sync({ worker, ...wish }, call),
  text: ({ outcome, strategy, branch, from, before, after, conflicts, backup_ref, reason, hint }) =>
    lines([
      `${branch} from ${from}: ${outcome} (${strategy}), ${before.slice(0, 12)} -> ${after.slice(0, 12)}.`,
      ...conflicts.map(({ file }) => `conflict: ${file}`),
      ...(backup_ref === null ? [] : [`As it was: ${backup_ref}`]),
      ...(reason === undefined ? [] : [reason]),
      ...(hint === undefined ? [] : [hint]),
    ]),
});
