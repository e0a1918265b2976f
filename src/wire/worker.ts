// A worker as callers see it, and the tools that list or label workers.
import { z } from 'zod';
import { type Doing, doingKinds, turnEnds, waitingKinds } from '../model/turn.ts';
import { olderStatuses, statuses, workerSources } from '../model/worker.ts';
import { attention, evidence, limit } from './attention.ts';
import { list, more, path, type Shape, sessionId, shortened } from './parts.ts';
import { usage } from './usage.ts';

export const turnEnd = z.enum(turnEnds);

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
  /** Of one at work, where its transcript, state file or hooks tell. */
  doing: z
    .object({
      kind: z.enum(doingKinds),
      tool: z.string().exactOptional(),
      detail: z.string().exactOptional(),
      since: z.string(),
    })
    .exactOptional(),
  last_error: z.string().exactOptional(),
  limit,
  /** Percent, as it reported last. */
  progress: z.number().exactOptional(),
  background_tasks: z.number(),
  project_path: z.string(),
  main_repo_path: z.string().exactOptional(),
  worktree_path: z.string().exactOptional(),
  branch: z.string().exactOptional(),
  base: z.object({ ref: z.string(), sha: z.string().exactOptional() }).exactOptional(),
  annotation: z.string().exactOptional(),
  bead: z.string().exactOptional(),
  role: z.string().exactOptional(),
  slot: z.string().exactOptional(),
  model: z.string().exactOptional(),
  permission_mode: z.string(),
  sandbox: z.enum(['on', 'partial', 'off', 'unknown']),
  agent_session_id: z.string().exactOptional(),
  transcript_path: z.string().exactOptional(),
  tmux: z.object({ socket: z.string(), session: z.string(), window: z.string(), attach: z.string() }).exactOptional(),
  managed_by: z.object({ manager: z.string(), alive: z.boolean(), mine: z.boolean() }),
  created_at: z.string(),
  last_activity: z.string(),
  pending_messages: z.number(),
  restarts: z.number(),
  source: z.enum(workerSources),
});
export type WorkerView = Shape<typeof worker>;

const { created_at, restarts, source, terminal_id, background_tasks, managed_by, pending_messages } = worker.shape;
const { permission_mode, last_activity } = worker.shape;

/** A worker in a list: what is at rest is left out, and of a brief one also what `briefWorker` omits. */
const listedWorker = worker.extend({
  terminal_id: terminal_id.exactOptional(),
  background_tasks: background_tasks.exactOptional(),
  managed_by: managed_by.exactOptional(),
  /** Left out of a brief worker where it is the usual one: `acceptEdits` for claude in a worktree, else `manual`. */
  permission_mode: permission_mode.exactOptional(),
  /** Left out of a brief worker where its evidence, its turn or what it does has about that time. */
  last_activity: last_activity.exactOptional(),
  created_at: created_at.exactOptional(),
  pending_messages: pending_messages.exactOptional(),
  restarts: restarts.exactOptional(),
  source: source.exactOptional(),
  /** Left out of a brief worker that works there: `project_path` says so. */
  worktree_path: worker.shape.worktree_path,
  /** Given where it is not the one beside the list. */
  attach: z.string().exactOptional(),
  /** Left out of a brief worker that rests or works as usual. */
  evidence: evidence.extend({ detail: evidence.shape.detail.exactOptional() }),
  /** Given in a list where at most a fifth of its context window, or of an allowance, is left. */
  usage: usage.exactOptional(),
});

/** `main_repo_path` stands here only where it is not the one beside the list. */
export const briefWorker = listedWorker.omit({
  ...{ tmux: true, base: true, transcript_path: true, agent_session_id: true },
  ...{ created_at: true, restarts: true, source: true },
});
export type BriefWorker = Shape<typeof briefWorker>;

const inWords = {
  thinking: 'thinking',
  tool: 'a tool',
  answering: 'answering',
  retrying: 'retrying',
  background: 'in the background',
} as const satisfies Record<Doing['kind'], string>;

/** For a place that names the worker beside it. */
export const doingWords = ({ kind, tool, detail }: Pick<Doing, 'kind' | 'tool' | 'detail'>): string =>
  [tool ?? inWords[kind], detail].filter((part) => part !== undefined).join(tool === undefined ? ', ' : ' ');

/** Who says what of a worker: what it does, where that is known. */
export const evidenceWords = ({
  evidence: { source, detail },
  doing,
}: Pick<BriefWorker, 'evidence' | 'doing'>): string =>
  [source, doing === undefined ? detail : doingWords(doing)].filter((part) => part !== undefined).join(': ');

/** What the workers of a list share, once beside it. */
export const shared = { attach: z.string().nullable(), main_repo_path: z.string().exactOptional() };

/** The fields of a worker that a long list can spare, the most easily missed last. */
export const spareWorkerFields = ['transcript_path', 'agent_session_id', 'main_repo_path', 'base', 'tmux'];

export const listInput = z.strictObject({
  status_filter: z
    .enum([...statuses, ...olderStatuses])
    .exactOptional()
    .describe('ready, busy, spawning: older words for idle, working, starting.'),
  project_filter: path.exactOptional().describe('Part of the path of project, repository or worktree.'),
  include_closed: z.boolean().default(false).describe('List closed workers too.'),
  fields: z.enum(['brief', 'full']).default('brief').describe('brief leaves out fields at rest.'),
});
export type ListRequest = Shape<typeof listInput>;

export const listOutput = z.object({
  workers: list(listedWorker),
  count: z.number(),
  attention: list(attention),
  ...shared,
  more,
  ...shortened,
});
export type ListResult = Shape<typeof listOutput>;

export const annotateInput = z.strictObject({
  session_id: sessionId,
  annotation: z.string().max(500).describe('The new label; empty removes it.'),
});

export const annotateOutput = z.object({
  success: z.boolean(),
  session_id: z.string(),
  annotation: z.string(),
  ...shortened,
});
export type AnnotateResult = Shape<typeof annotateOutput>;
