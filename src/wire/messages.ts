// Messages to workers, and the interruption of their turns.
import { z } from 'zod';
import { attention, evidence } from './attention.ts';
import { agentText, hint, list, onAttention, type Shape, sessionIds, shortened, timeoutSeconds } from './parts.ts';
import { turnEnd } from './worker.ts';

export const messageInput = z.strictObject({
  session_ids: sessionIds,
  message: agentText.min(1).describe('The text, whole; at most 120,000 bytes.'),
  wait_mode: z.enum(['none', 'any', 'all']).default('none').describe('Wait for none, any or all to finish.'),
  timeout: timeoutSeconds,
  delivery: z
    .enum(['queue', 'steer', 'interrupt'])
    .default('queue')
    .describe('At work: queue = after this turn; steer = into it if the agent can; interrupt = end it first.'),
  keep: z.boolean().default(false).describe('Keep what would be held, and type it once the way is free.'),
  as_command: z.boolean().default(false).describe("Run it as the agent's own command, such as /compact."),
  on_attention: onAttention,
});

export const messageOutcome = z.object({
  success: z.boolean(),
  verdict: z.enum(['submitted', 'queued', 'held', 'kept', 'unconfirmed', 'failed']),
  turn: z.object({ id: z.string(), ended_by: turnEnd.exactOptional() }).nullable(),
  evidence,
  /** Of one that is held or kept by a bound on turns or cost. */
  reason: z.literal('over_limit').exactOptional(),
  /** After a wait: what the worker said last in the turn of this message. */
  reply: z.string().exactOptional(),
  truncated: z.boolean().exactOptional(),
  hint: hint.exactOptional(),
});
export type MessageOutcome = Shape<typeof messageOutcome>;
export type Verdict = MessageOutcome['verdict'];

export const messageOutput = z.object({
  success: z.boolean(),
  session_ids: list(z.string()),
  results: z.record(z.string(), messageOutcome),
  idle_session_ids: list(z.string()).exactOptional(),
  all_idle: z.boolean().exactOptional(),
  timed_out: z.boolean().exactOptional(),
  attention: list(attention).exactOptional(),
  ...shortened,
});

export const interruptInput = z.strictObject({
  session_ids: sessionIds,
  then_message: agentText.min(1).exactOptional().describe('Sent once the turn has ended.'),
});

const interruptOutcome = z.object({
  success: z.boolean(),
  /** `interrupted`: a working worker became idle. `nothing_running`: there was nothing to end. */
  outcome: z.enum(['interrupted', 'nothing_running', 'unconfirmed', 'failed']),
  detail: z.string(),
  /** Messages that were queued and went back into the prompt box instead: they will not run by themselves. */
  returned: list(z.string()).exactOptional(),
  message: messageOutcome.exactOptional(),
});
export type InterruptOutcome = Shape<typeof interruptOutcome>;

export const interruptOutput = z.object({
  session_ids: list(z.string()),
  results: z.record(z.string(), interruptOutcome),
  success: z.boolean(),
  ...shortened,
});
