import { defined } from '../model/defined.ts';
import { type ConflictsResult, conflictsInput, conflictsOutput } from '../wire/landing.ts';
import { defineTool } from './tool.ts';
import { meant } from './whom.ts';
import { lines } from './words.ts';

export const checkConflicts = defineTool({
  name: 'check_conflicts',
  set: 'git',
  title: 'Predict conflicts',
  description: `Says which workers' work would conflict, before anything is merged: each pair of live branches, and each branch with its base; uncommitted work counts. Use it before merge_worker, and while workers run. both_edited names files that two have changed even where they merge. It touches no worktree; to read the changes use diff_worker.`,
  input: conflictsInput,
  output: conflictsOutput,
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  long: { field: 'pairs', hint: 'Pass session_ids for the pairs of these workers alone.' },
  async handler(crew, { session_ids: asked }) {
    const workers = asked && (await meant(crew, asked));
    return worthSaying(await crew.conflicts(defined({ workers })));
  },
  text: ({ pairs_checked, pairs, against_base, unreadable }) => {
    const bad = pairs.filter(({ conflicts }) => conflicts.length > 0);
    return lines([
      `${bad.length} of ${pairs_checked} pairs would conflict.`,
      ...bad.map(({ a, b, conflicts }) => `${a} and ${b}: ${conflicts.join(', ')}`),
      ...against_base.flatMap(({ name, base, conflicts }) =>
        conflicts.length === 0 ? [] : [`${name} and its base ${base}: ${conflicts.join(', ')}`],
      ),
      ...(unreadable ?? []).map(({ session_id, reason }) => `${session_id}: ${reason}`),
    ]);
  },
});

const mostFiles = 20;

type Clash = Pick<ConflictsResult['pairs'][number], 'conflicts' | 'both_edited'>;

/** Only those of whom there is something to say, conflicts first; long lists of files are cut, and the rest counted. */
function worthSaying({ pairs, against_base, ...rest }: ConflictsResult) {
  return { pairs_checked: pairs.length, pairs: saying(pairs), against_base: saying(against_base), ...rest };
}

const saying = <T extends Clash>(all: readonly T[]) => {
  const some = all.filter(({ conflicts, both_edited }) => conflicts.length + both_edited.length > 0);
  const first = some.toSorted((a, b) => Number(b.conflicts.length > 0) - Number(a.conflicts.length > 0));
  return first.map((one) => ({
    ...one,
    conflicts: one.conflicts.slice(0, mostFiles),
    both_edited: one.both_edited.slice(0, mostFiles),
    ...defined({ more_conflicts: leftOf(one.conflicts), more_both_edited: leftOf(one.both_edited) }),
  }));
};

const leftOf = ({ length }: readonly string[]) => (length > mostFiles ? length - mostFiles : undefined);
