import { z } from 'zod';
import { attention, event, list, shortened, spareWorkerFields, worker } from './shapes.ts';
import { defineTool } from './tool.ts';
import { attentionLines, lines, orNone } from './words.ts';

export const pollWorkerChanges = defineTool({
  name: 'poll_worker_changes',
  title: 'Poll worker changes',
  description: `Tells what happened in the crew since a cursor or a time: who started, finished, died, was messaged, got stuck, or needs someone. Use it to catch up after other work or a lost call: pass the cursor of the last answer and nothing is missed. To wait for workers use wait_idle_workers; for the present state list_workers or crew_status. It answers at once. Stuck means working without a sign of life for the threshold; look with read_worker_screen before you act.`,
  input: z.strictObject({
    since: z.string().min(1).max(40).exactOptional().describe('ISO 8601 time to start from, when you have no cursor.'),
    stale_threshold_minutes: z
      .number()
      .min(0)
      .max(100_000)
      .exactOptional()
      .describe('Minutes of silence after which a working worker counts as stuck; 20 unless configured.'),
    include_snapshots: z.boolean().default(false).describe('Add the present state of every worker.'),
    cursor: z.string().min(1).max(500).exactOptional().describe('The cursor of an earlier answer; goes before since.'),
  }),
  output: z.object({
    events: list(event),
    summary: z.object({
      started: list(z.string()),
      completed: list(z.string()),
      stuck: list(z.string()),
      attention: list(attention),
    }),
    snapshots: list(worker).exactOptional(),
    active_count: z.number(),
    idle_count: z.number(),
    poll_ts: z.string(),
    cursor: z.string(),
    ...shortened,
  }),
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  shed: [...spareWorkerFields, 'snapshots'],
  handler: (crew, args) => crew.changes(args),
  text: ({ events, summary, active_count, idle_count, cursor }) =>
    lines([
      `${events.length} events; ${active_count} active, ${idle_count} idle. Cursor: ${cursor}`,
      `Started: ${orNone(summary.started)}. Completed: ${orNone(summary.completed)}. Stuck: ${orNone(summary.stuck)}.`,
      ...attentionLines(summary.attention),
    ]),
});
