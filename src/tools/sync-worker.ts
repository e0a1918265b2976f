import { syncInput, syncOutput } from '../wire/landing.ts';
import { defineTool } from './tool.ts';
import { lines } from './words.ts';

export const syncWorker = defineTool({
  name: 'sync_worker',
  set: 'git',
  title: 'Bring a worker up to date',
  description: `Rebases an idle worker's branch on its base as that stands now, or merges that in. Use it when the worker is to go on with a base that has moved, or before a pull request; merge_worker does not need it. Refuses while it works or has uncommitted changes. Conflicts are listed and change nothing. It fetches nothing; backup_ref keeps the old branch.`,
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
