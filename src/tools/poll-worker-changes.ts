import { defined } from '../model/defined.ts';
import { changesInput, changesOutput } from '../wire/events.ts';
import { spareWorkerFields } from '../wire/worker.ts';
import { defineTool } from './tool.ts';
import { attentionLines, lines, orNone } from './words.ts';

export const pollWorkerChanges = defineTool({
  name: 'poll_worker_changes',
  title: 'Poll worker changes',
  description: `Tells what happened in the crew since a cursor or a time: who started, finished, died, was messaged, got stuck, or needs someone. Use it to catch up after other work or a lost call: pass the cursor of the last answer and nothing is missed. To wait for workers use wait_idle_workers; for the present state list_workers or crew_status. It answers at once. Stuck means working without a sign of life for the threshold; look with read_worker_screen before you act.`,
  input: changesInput,
  output: changesOutput,
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  shed: [...spareWorkerFields, 'snapshots'],
  handler: (crew, { since, cursor, stale_threshold_minutes: staleMinutes, include_snapshots: includeSnapshots }) =>
    crew.changes({ includeSnapshots, ...defined({ since, cursor, staleMinutes }) }),
  text: ({ events, summary, active_count, idle_count, cursor }) =>
    lines([
      `${events.length} events; ${active_count} active, ${idle_count} idle. Cursor: ${cursor}`,
      `Started: ${orNone(summary.started)}. Completed: ${orNone(summary.completed)}. Stuck: ${orNone(summary.stuck)}.`,
      ...attentionLines(summary.attention),
    ]),
});
