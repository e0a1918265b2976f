import { messageInput, messageOutput } from '../wire/messages.ts';
import { defineTool } from './tool.ts';
import { attentionLines, lines, orNone, outcomeLines } from './words.ts';

export const messageWorkers = defineTool({
  name: 'message_workers',
  title: 'Message workers',
  description: `Sends one message to one or more workers, and can wait for the turn it starts. Use it to give follow-up work, answer or correct. For a new task with a fresh context spawn_workers is better.
The verdict for each worker is the truth: submitted = the agent shows it has it; queued = accepted, comes after the running turn or what is in the way; held = nothing of it stays in the prompt, because a dialog, a start-up screen or a person's draft is in the way; unconfirmed = typed, no proof yet, or not sent: look with read_worker_screen and do not send it again blindly; failed = nothing was typed. The text arrives exactly as given and is never run as a command of the agent, unless as_command is true. It never types into a dialog, so it cannot answer one. With wait_mode any or all it returns when that turn has ended, or when someone is needed; wait_idle_workers does the same later. A long wait may be moved to the background by your client: end your turn, you will be notified.`,
  input: messageInput,
  output: messageOutput,
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
