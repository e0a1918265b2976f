import type { Outcomes, Waited } from '../crew/api.ts';
import { type MessageOutcome, messageInput, messageOutput } from '../wire/messages.ts';
import { defineTool, waitMs } from './tool.ts';
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
  async handler(crew, args, call) {
    const { session_ids, message: text, wait_mode: mode, delivery, as_command: asCommand } = args;
    const results = await crew.send({ workers: session_ids, text, delivery, asCommand });
    const success = Object.values(results).every((outcome) => outcome.success);
    const sent = { success, session_ids, results };
    if (mode === 'none') return sent;
    const workers = Object.keys(results).filter((ref) => isWithWorker(results[ref]));
    // The rest has nothing to be waited for.
    if (workers.length === 0) {
      const attention = await crew.attention({ workers: session_ids });
      return { ...sent, idle_session_ids: [], all_idle: false, timed_out: false, attention };
    }
    const { timeout, on_attention: onAttention } = args;
    const waited = await crew.wait({ workers, mode, timeoutMs: waitMs(timeout, call), onAttention }, call);
    const { idle_session_ids, timed_out, attention } = waited;
    return {
      ...sent,
      results: withEnds(results, waited),
      idle_session_ids,
      all_idle: waited.all_idle && workers.length === Object.keys(results).length,
      timed_out,
      attention,
    };
  },
  text: ({ results, idle_session_ids, timed_out, attention }) =>
    lines([
      ...outcomeLines(results),
      idle_session_ids === undefined
        ? ''
        : `Idle: ${orNone(idle_session_ids)}.${timed_out === true ? ' Timed out.' : ''}`,
      ...attentionLines(attention),
    ]),
});

const isWithWorker = (outcome: MessageOutcome | undefined): boolean =>
  outcome !== undefined && outcome.verdict !== 'held' && outcome.verdict !== 'failed';

/** How the turn ended that a message began, where it has. */
const withEnds = (results: Outcomes<MessageOutcome>, { turns }: Waited): Outcomes<MessageOutcome> =>
  Object.fromEntries(
    Object.entries(results).map(([ref, outcome]) => {
      const turn = turns[ref];
      const isEnded = turn?.id === outcome.turn?.id && turn?.ended_by !== undefined;
      return [ref, isEnded ? { ...outcome, turn } : outcome];
    }),
  );
