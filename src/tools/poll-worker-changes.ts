import { defined } from '../model/defined.ts';
import { counted } from '../model/plural.ts';
import { changesInput, changesOutput } from '../wire/events.ts';
import { spareWorkerFields } from '../wire/worker.ts';
import { defineTool } from './tool.ts';
import { attentionLines, lines, orNone } from './words.ts';

export const pollWorkerChanges = defineTool({
  name: 'poll_worker_changes',
  set: 'core',
  title: 'Poll worker changes',
  description: `Tells what happened in the crew since a cursor or a time: who started, finished, died, got stuck or needs someone. Use it to catch up after other work or a lost call; with the last answer's cursor nothing is missed. It does not wait: use wait_idle_workers. Stuck means at work without a sign of life; look with read_worker_screen.`,
  input: changesInput,
  output: changesOutput,
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  shed: [...spareWorkerFields, 'snapshots'],
  handler: (crew, { since, cursor, stale_threshold_minutes: staleMinutes, include_snapshots: includeSnapshots }) =>
    crew.changes({ includeSnapshots, ...defined({ since, cursor, staleMinutes }) }),
  text: ({ events, summary, active_count, idle_count, cursor }) =>
    lines([
      `${counted(events.length, 'event')}; ${active_count} active, ${idle_count} idle. Cursor: ${cursor}`,
      `Started: ${names(summary.started)}. Completed: ${names(summary.completed)}. Stuck: ${names(summary.stuck)}.`,
      ...attentionLines(summary.attention),
    ]),
});

const names = (some: readonly { readonly name: string }[]): string => orNone(some.map(({ name }) => name));
