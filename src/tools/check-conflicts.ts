import { defined } from '../model/defined.ts';
import { conflictsInput, conflictsOutput } from '../wire/landing.ts';
import { defineTool } from './tool.ts';
import { lines } from './words.ts';

export const checkConflicts = defineTool({
  name: 'check_conflicts',
  title: 'Predict conflicts',
  description: `Says which workers' work would conflict, before anything is merged: every pair of live branches of a repository, and each branch against its base as it stands now. Uncommitted work counts. Use it before merge_worker, and while workers run, to see who is about to edit the same files; both_edited names files that two have changed even where they merge. It does not touch any worktree and solves nothing; to read the changes use diff_worker.`,
  input: conflictsInput,
  output: conflictsOutput,
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  shed: ['pairs'],
  handler: (crew, { session_ids: workers }) => crew.conflicts(defined({ workers })),
  text: ({ pairs, against_base, unreadable }) => {
    const bad = pairs.filter(({ conflicts }) => conflicts.length > 0);
    return lines([
      `${bad.length} of ${pairs.length} pairs would conflict.`,
      ...bad.map(({ a, b, conflicts }) => `${a} and ${b}: ${conflicts.join(', ')}`),
      ...against_base.flatMap(({ name, base, conflicts }) =>
        conflicts.length === 0 ? [] : [`${name} and its base ${base}: ${conflicts.join(', ')}`],
      ),
      ...(unreadable ?? []).map(({ session_id, reason }) => `${session_id}: ${reason}`),
    ]);
  },
});
