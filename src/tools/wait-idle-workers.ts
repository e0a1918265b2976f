import { waitInput, waitOutput } from '../wire/events.ts';
import { defineTool, waitMs } from './tool.ts';
import { meant } from './whom.ts';
import { attentionLines, lines, orNone, saidLine } from './words.ts';

export const waitIdleWorkers = defineTool({
  name: 'wait_idle_workers',
  set: 'core',
  title: 'Wait for idle workers',
  description: `Waits for agents to be done: all or any workers idle, turn over, no message outstanding, no background task. Use it after spawn_workers or message_workers, not check_idle_workers in a loop. Returns at once when a worker needs someone or dies: see attention. timed_out: wait again. Done is no proof of good work: read_worker_logs.`,
  input: waitInput,
  output: waitOutput,
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  alwaysLoad: true,
  async handler(crew, { session_ids, mode, timeout, on_attention: onAttention }, call) {
    const workers = await meant(crew, session_ids);
    const {
      turns: _,
      replies: __,
      typed: ___,
      ...waited
    } = await crew.wait({ workers, mode, timeoutMs: waitMs(timeout, call), onAttention }, call);
    return waited;
  },
  text: ({ idle_session_ids, waiting_on, waited_seconds, timed_out, last_words = {}, note = '', attention }) =>
    lines([
      `Idle: ${orNone(idle_session_ids)}. Not yet: ${orNone(waiting_on)}. Waited ${waited_seconds} s.${timed_out ? ' Timed out: wait again to go on.' : ''}`,
      ...attentionLines(attention),
      ...Object.entries(last_words).map(([ref, words]) => saidLine(ref, words)),
      note,
    ]),
});
