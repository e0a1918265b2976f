import { nothing } from '../wire/parts.ts';
import { statusOutput } from '../wire/status.ts';
import { defineTool } from './tool.ts';
import { attentionLines, escapeLines, lines } from './words.ts';

export const crewStatus = defineTool({
  name: 'crew_status',
  title: 'Crew status',
  description: `The crew at one look: workers by status, who needs someone with the exact call that answers, recent events and failures, tokens, and suggested next calls. Use it to start, to get back on track, or to report to the user. For full fields use list_workers or examine_worker; for all that happened since a cursor poll_worker_changes. It does not wait and changes nothing.`,
  input: nothing,
  output: statusOutput,
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  alwaysLoad: true,
  handler: (crew) => crew.status(),
  text: ({ workers, attention, escapes, reports, tasks, suggested_calls, attach }) =>
    lines([
      ...Object.entries(workers)
        .filter(([, held]) => held.length > 0)
        .map(
          ([status, held]) => `${status}: ${held.map(({ name, session_id }) => `${name} [${session_id}]`).join(', ')}`,
        ),
      ...attentionLines(attention),
      ...escapeLines(escapes),
      ...reports.map(({ name, at, kind, says }) => `${name} at ${at}, ${kind}: ${says}`),
      ...tasks.map(({ task_id, kind, title, status }) => `${kind} ${task_id}, ${status}: ${title}`),
      ...suggested_calls.map((call) => `Next: ${call}`),
      attach === null ? 'No workers yet.' : `Watch with: ${attach}`,
    ]),
});
