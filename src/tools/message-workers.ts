import type { Outcomes, WaitOutcome } from '../crew/api.ts';
import { type MessageOutcome, messageInput, messageOutput } from '../wire/messages.ts';
import { defineTool, waitMs } from './tool.ts';
import { meant } from './whom.ts';
import { attentionLines, lines, orNone, outcomeLines } from './words.ts';

export const messageWorkers = defineTool({
  name: 'message_workers',
  set: 'core',
  title: 'Message workers',
  description: `Sends a message to workers, and can wait for the turn it starts. Use it for more work or corrections; for a fresh task spawn_workers. The verdict is the truth: submitted, queued, held (something in the way), kept, unconfirmed (read_worker_screen before you send again), failed (nothing typed). It never types into a dialog: answer_worker does.`,
  input: messageInput,
  output: messageOutput,
  hints: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
  alwaysLoad: true,
  async handler(crew, args, call) {
    const { message: text, wait_mode: mode, delivery, keep, as_command: asCommand } = args;
    const session_ids = await meant(crew, args.session_ids);
    const results = await crew.send({ workers: session_ids, text, delivery, asCommand, keep });
    const sent = { success: isSuccess(results), session_ids, results };
    if (mode === 'none') return sent;
    const workers = Object.keys(results).filter((ref) => isWithWorker(results[ref]));
    // The rest has nothing to be waited for.
    if (workers.length === 0) {
      const attention = await crew.attention({ workers: session_ids });
      return { ...sent, idle_session_ids: [], all_idle: false, timed_out: false, attention };
    }
    const { timeout, on_attention: onAttention } = args;
    const message = { text, asCommand };
    const order = { workers, mode, timeoutMs: waitMs(timeout, call), onAttention, message };
    const waited = await crew.wait(order, call);
    const { idle_session_ids, timed_out, attention } = waited;
    const ends = withEnds(results, waited);
    return {
      success: isSuccess(ends),
      session_ids,
      results: ends,
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

const isSuccess = (results: Outcomes<MessageOutcome>) => Object.values(results).every(({ success }) => success);

const isWithWorker = (outcome: MessageOutcome | undefined): boolean =>
  outcome !== undefined && outcome.verdict !== 'held' && outcome.verdict !== 'failed';

/** How the turn ended that a message began, where it has, and what was said last in it. */
const withEnds = (
  results: Outcomes<MessageOutcome>,
  { turns, replies, typed }: WaitOutcome,
): Outcomes<MessageOutcome> =>
  Object.fromEntries(
    Object.entries(results).map(([ref, sent]) => {
      const outcome = sent.verdict === 'kept' ? (typed[ref] ?? sent) : sent;
      const turn = turns[ref];
      const isEnded = turn?.id === outcome.turn?.id && turn?.ended_by !== undefined;
      const reply = replies[ref];
      const hint = [outcome.hint, reply?.hint].filter(Boolean).join(' ');
      return [ref, { ...outcome, ...(isEnded && { turn }), ...reply, ...(hint !== '' && { hint }) }];
    }),
  );
