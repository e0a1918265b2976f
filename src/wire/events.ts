// What happened in the crew, and waiting for it.
import { z } from 'zod';
import { attention } from './attention.ts';
import { list, onAttention, type Shape, sessionIds, shortened, sinceText, timeoutSeconds } from './parts.ts';
import { worker } from './worker.ts';

export const event = z.object({
  seq: z.number(),
  ts: z.string(),
  type: z.string(),
  worker_id: z.string(),
  name: z.string().exactOptional(),
  data: z.record(z.string(), z.unknown()),
});
export type EventView = Shape<typeof event>;

/** Files of a main checkout that changed while these workers, with worktrees of their own, had a turn. */
export const escaped = z.object({
  checkout: z.string(),
  /** The names of all that had a turn then. */
  workers: list(z.string()),
  files: list(z.string()),
  file_count: z.number(),
  since: z.string(),
  detail: z.string(),
});
export type EscapeView = Shape<typeof escaped>;

export const changesInput = z.strictObject({
  since: sinceText.exactOptional().describe('ISO 8601 time or 12h, without a cursor.'),
  stale_threshold_minutes: z
    .number()
    .min(0)
    .max(100_000)
    .exactOptional()
    .describe('Minutes of silence that count as stuck; 20 unless configured.'),
  include_snapshots: z.boolean().default(false).describe('Add the state of every worker.'),
  cursor: z.string().min(1).max(500).exactOptional().describe('Of an earlier answer; goes before since.'),
});

const changed = z.object({
  session_id: z.string(),
  name: z.string(),
  project: z.string(),
  bead: z.string().exactOptional(),
  annotation: z.string().exactOptional(),
});
/** How long the turn that ended took, or the one that runs has run; `duration_min` is the same in minutes. */
const took = { duration_seconds: z.number().exactOptional(), duration_min: z.number().exactOptional() };
const completed = changed.extend(took);
const stuck = completed.extend({ inactive_minutes: z.number() });
export type ChangedWorker = Shape<typeof completed>;

export const changesOutput = z.object({
  events: list(event),
  summary: z.object({
    started: list(changed),
    completed: list(completed),
    stuck: list(stuck),
    attention: list(attention),
  }),
  snapshots: list(worker).exactOptional(),
  active_count: z.number(),
  idle_count: z.number(),
  poll_ts: z.string(),
  cursor: z.string(),
  ...shortened,
});
export type ChangesResult = Shape<typeof changesOutput>;

export const checkIdleInput = z.strictObject({ session_ids: sessionIds });

export const checkIdleOutput = z.object({
  session_ids: list(z.string()),
  idle: z.record(z.string(), z.boolean()),
  all_idle: z.boolean(),
  idle_count: z.number(),
  busy_count: z.number(),
  attention: list(attention),
  ...shortened,
});
export type CheckIdleResult = Shape<typeof checkIdleOutput>;

export const waitInput = z.strictObject({
  session_ids: sessionIds,
  mode: z.enum(['all', 'any']).default('all').describe('Wait for all, or for the first.'),
  timeout: timeoutSeconds,
  poll_interval: z.number().min(0).max(86_400).default(2).describe('Accepted and without effect: nothing polls.'),
  on_attention: onAttention,
});

export const waitOutput = z.object({
  session_ids: list(z.string()),
  idle_session_ids: list(z.string()),
  all_idle: z.boolean(),
  waiting_on: list(z.string()),
  mode: z.enum(['all', 'any']),
  waited_seconds: z.number(),
  timed_out: z.boolean(),
  last_words: z.record(z.string(), z.string()).exactOptional(),
  attention: list(attention),
  cursor: z.string(),
  ...shortened,
});
export type WaitResult = Shape<typeof waitOutput>;
