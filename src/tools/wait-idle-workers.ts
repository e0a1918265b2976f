import { waitInput, waitOutput } from '../wire/events.ts';
import { defineTool, waitMs } from './tool.ts';
import { attentionLines, lines, orNone } from './words.ts';

export const waitIdleWorkers = defineTool({
  name: 'wait_idle_workers',
  title: 'Wait for idle workers',
  description: `Waits until all (or any) of the workers are done and idle: turn ended, no message of ours outstanding, no background task. Use it after spawn_workers or message_workers; one wait for all the agents, instead of looking again and again. It returns at once when that is already so, and as soon as a waited-for worker needs someone or dies (see attention, with the call that answers it). timed_out is not a failure: wait again, nothing is lost. Your client may move a long wait to the background: end your turn, you will be notified. Idle means the turn is over, not that the work is good: read_worker_logs tells. What happened meanwhile poll_worker_changes tells, given the cursor. It does not touch the workers, and cancelling it leaves them alone.`,
  input: waitInput,
  output: waitOutput,
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  alwaysLoad: true,
  async handler(crew, { session_ids: workers, mode, timeout, on_attention: onAttention }, call) {
    const { turns: _, ...waited } = await crew.wait(
      { workers, mode, timeoutMs: waitMs(timeout, call), onAttention },
      call,
    );
    return waited;
  },
  text: ({ idle_session_ids, waiting_on, waited_seconds, timed_out, attention }) =>
    lines([
      `Idle: ${orNone(idle_session_ids)}. Not yet: ${orNone(waiting_on)}. Waited ${waited_seconds} s.${timed_out ? ' Timed out: wait again to go on.' : ''}`,
      ...attentionLines(attention),
    ]),
});
