// The shapes of the wire that several tools share. The compiler holds them to the crew's own types.
import { z } from 'zod';
import { progressStatuses } from '../model/report.ts';
import { waitingKinds } from '../model/turn.ts';
import { statuses } from '../model/worker.ts';

export const list = <Item extends z.ZodType>(item: Item) => z.array(item).readonly();

/** Fields that say that an answer was shortened. */
export const shortened = { truncated: z.boolean().exactOptional(), note: z.string().exactOptional() };

export const evidence = z.object({
  source: z.enum(['pane', 'agent', 'hook', 'transcript', 'screen', 'us']),
  at: z.string(),
  detail: z.string(),
});

const turnEnd = z.enum(['completed', 'interrupted', 'error', 'limit']);

const limit = z
  .object({ detail: z.string(), resets_at: z.string().exactOptional(), goes_on: z.literal(true).exactOptional() })
  .exactOptional();

export const worker = z.object({
  session_id: z.string(),
  name: z.string(),
  terminal_id: z.string().nullable(),
  agent_type: z.string(),
  status: z.enum(statuses),
  waiting_for: z.enum(waitingKinds).exactOptional(),
  evidence,
  is_idle: z.boolean(),
  turn: z
    .object({
      id: z.string(),
      started_at: z.string(),
      ended_at: z.string().exactOptional(),
      ended_by: turnEnd.exactOptional(),
    })
    .exactOptional(),
  last_error: z.string().exactOptional(),
  limit,
  background_tasks: z.number(),
  project_path: z.string(),
  main_repo_path: z.string().exactOptional(),
  worktree_path: z.string().exactOptional(),
  branch: z.string().exactOptional(),
  base: z.object({ ref: z.string(), sha: z.string().exactOptional() }).exactOptional(),
  annotation: z.string().exactOptional(),
  bead: z.string().exactOptional(),
  role: z.string().exactOptional(),
  model: z.string().exactOptional(),
  permission_mode: z.string(),
  sandbox: z.enum(['on', 'off', 'unknown']),
  agent_session_id: z.string().exactOptional(),
  transcript_path: z.string().exactOptional(),
  tmux: z.object({ socket: z.string(), session: z.string(), window: z.string(), attach: z.string() }).exactOptional(),
  managed_by: z.object({ manager: z.string(), alive: z.boolean(), mine: z.boolean() }),
  created_at: z.string(),
  last_activity: z.string(),
  pending_messages: z.number(),
  restarts: z.number(),
  source: z.enum(['spawned', 'adopted', 'restarted']),
});

/** The fields of a worker that a long list can spare, the most easily missed last. */
export const spareWorkerFields = ['transcript_path', 'agent_session_id', 'main_repo_path', 'base', 'tmux'];

export const attention = z.object({
  session_id: z.string(),
  name: z.string(),
  waiting_for: z.enum([...waitingKinds, 'dead']),
  request_id: z.string().exactOptional(),
  since: z.string(),
  title: z.string(),
  detail: z.string(),
  limit,
  tool: z
    .object({ name: z.string(), input: z.unknown(), cwd: z.string(), path: z.string().exactOptional() })
    .exactOptional(),
  options: list(z.string()).exactOptional(),
  rule: z.string().exactOptional(),
  suggestions: list(z.unknown()).exactOptional(),
  answer_with: z.string(),
});

export const event = z.object({
  seq: z.number(),
  ts: z.string(),
  type: z.string(),
  worker_id: z.string(),
  data: z.record(z.string(), z.unknown()),
});

/** The worker's own words. */
export const report = z.object({
  session_id: z.string(),
  name: z.string(),
  report_id: z.string(),
  at: z.string(),
  kind: z.enum(['progress', 'report', 'note', 'finding']),
  status: z.enum(progressStatuses).exactOptional(),
  message: z.string().exactOptional(),
  progress: z.number().exactOptional(),
  files_changed: list(z.string()).exactOptional(),
  what_done: z.string().exactOptional(),
  what_open: z.string().exactOptional(),
  what_tested: z.string().exactOptional(),
  what_untested: z.string().exactOptional(),
  next_steps: z.string().exactOptional(),
  errors_encountered: z.string().exactOptional(),
  preview_url: z.string().exactOptional(),
  to: z.string().exactOptional(),
  file: z.string().exactOptional(),
  severity: z.string().exactOptional(),
});

/** Files of the main checkout that changed while workers with their own worktree had a turn. */
export const escaped = z.object({
  checkout: z.string(),
  workers: list(z.string()),
  files: list(z.string()),
  file_count: z.number(),
  since: z.string(),
  detail: z.string(),
});

/** One line of a report, where many are listed. */
export const word = z.object({
  session_id: z.string(),
  name: z.string(),
  at: z.string(),
  kind: z.string(),
  says: z.string(),
});

export const task = z.object({
  task_id: z.string(),
  kind: z.enum(['task', 'review']),
  title: z.string(),
  status: z.enum(['queued', 'running', 'done', 'failed', 'cancelled']),
  priority: z.number(),
  role: z.string().exactOptional(),
  depends_on: list(z.string()),
  from: z.object({ session_id: z.string(), name: z.string() }).exactOptional(),
  wait_for_me: z.boolean(),
  files: list(z.string()),
  created_at: z.string(),
});

export const spawned = z.object({
  sessions: list(worker),
  layout: z.enum(['auto', 'new']),
  count: z.number(),
  coordinator_guidance: z.string(),
  failed: list(z.object({ name: z.string(), step: z.string(), error: z.string(), hint: z.string() })),
  warnings: list(z.string()),
  ...shortened,
});

export const messageOutcome = z.object({
  success: z.boolean(),
  verdict: z.enum(['submitted', 'queued', 'held', 'unconfirmed', 'failed']),
  turn: z.object({ id: z.string(), ended_by: turnEnd.exactOptional() }).nullable(),
  evidence,
  hint: z.string().exactOptional(),
});
