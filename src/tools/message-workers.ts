import { z } from 'zod';
import { agentText, onAttention, sessionIds, timeoutSeconds } from './parameters.ts';
import { attention, list, messageOutcome, shortened } from './shapes.ts';
import { defineTool } from './tool.ts';
import { attentionLines, lines, orNone, outcomeLines } from './words.ts';

export const messageWorkers = defineTool({
  name: 'message_workers',
  title: 'Message workers',
  description: `Sends one message to one or more workers, and can wait for the turn it starts. Use it to give follow-up work, answer or correct. For a new task with a fresh context spawn_workers is better.
The verdict for each worker is the truth: submitted = the agent shows it has it; queued = accepted, comes after the running turn or what is in the way; held = nothing of it stays in the prompt, because a dialog, a start-up screen or a person's draft is in the way; unconfirmed = typed, no proof yet, or not sent: look with read_worker_screen and do not send it again blindly; failed = nothing was typed. The text arrives exactly as given and is never run as a command of the agent, unless as_command is true. It never types into a dialog, so it cannot answer one. With wait_mode any or all it returns when that turn has ended, or when someone is needed; wait_idle_workers does the same later. A long wait may be moved to the background by your client: end your turn, you will be notified.`,
  input: z.strictObject({
    session_ids: sessionIds,
    message: agentText.min(1).describe('The text, whole; at most 120,000 bytes.'),
    wait_mode: z
      .enum(['none', 'any', 'all'])
      .default('none')
      .describe('Return at once, or when any or all have finished.'),
    timeout: timeoutSeconds,
    delivery: z
      .enum(['queue', 'steer', 'interrupt'])
      .default('queue')
      .describe(
        'For a working worker: queue = after this turn; steer = into this turn if the agent can; interrupt = end it first.',
      ),
    as_command: z.boolean().default(false).describe("Run it as the agent's own command, such as /compact."),
    on_attention: onAttention,
  }),
  output: z.object({
    success: z.boolean(),
    session_ids: list(z.string()),
    results: z.record(z.string(), messageOutcome),
    idle_session_ids: list(z.string()).exactOptional(),
    all_idle: z.boolean().exactOptional(),
    timed_out: z.boolean().exactOptional(),
    attention: list(attention).exactOptional(),
    ...shortened,
  }),
  hints: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
  alwaysLoad: true,
  handler: (crew, { timeout, ...args }, call) => crew.message({ ...args, timeoutSeconds: timeout }, call),
  text: ({ results, idle_session_ids, timed_out, attention }) =>
    lines([
      ...outcomeLines(results),
      idle_session_ids === undefined
        ? ''
        : `Idle: ${orNone(idle_session_ids)}.${timed_out === true ? ' Timed out.' : ''}`,
      ...attentionLines(attention),
    ]),
});
