// The crew's memory is its event log; a worker's record is the fold of its events.
import type { WorkerRecord } from './worker.ts';

/** Of tasks, plans, schedules and loops; `data` names them. */
export const jobEventTypes = [
  'task_created',
  'task_started',
  'task_waiting',
  'task_bounced',
  'task_ended',
  'task_changed',
  'plan_created',
  'plan_started',
  'plan_checkpoint',
  'plan_changed',
  'plan_ended',
  'schedule_changed',
  'schedule_fired',
  'schedule_passed',
  'schedule_paused',
  'loop_changed',
  'loop_paused',
  'loop_ended',
] as const;
export type JobEventType = (typeof jobEventTypes)[number];

export interface JobEvent {
  readonly type: JobEventType;
  /** The worker it is about, else the task, plan, schedule or loop. */
  readonly subject: string;
  readonly crew: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export const eventTypes = [
  'worker_spawning',
  'worker_started',
  'worker_ready',
  'worker_idle',
  'worker_active',
  'worker_waiting',
  'worker_trouble',
  'worker_stuck',
  'worker_context',
  'worker_answered',
  'worker_dead',
  'worker_closing',
  'worker_closed',
  'worker_adopted',
  'worker_restarted',
  'worker_annotated',
  'message_sent',
  'message_queued',
  'message_held',
  'message_kept',
  'message_returned',
  'turn_started',
  'turn_ended',
  'limit',
  'report',
  ...jobEventTypes,
  'conflict',
  'landed',
  'bounced',
  'synced',
  'proposed',
  'salvaged',
  'escaped',
  'ref_moved',
  'sandbox_failed',
  'worktree_removed',
  'restored',
  'reconciled',
] as const;
export type EventType = (typeof eventTypes)[number];

/** Something that happened, before the log has numbered it. */
export interface EventDraft {
  readonly type: EventType;
  /** Of an event about a task or plan without a worker, the id of that. */
  readonly workerId: string;
  /** Small facts for readers; never prompts, screens or secrets. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Fields of the worker's record that this event changes; null removes one. */
  readonly set?: RecordChange;
}

export type RecordChange = { readonly [K in keyof WorkerRecord]?: WorkerRecord[K] | null };

/** One line of the log. `seq` grows by one with each event of a log. */
export interface CrewEvent extends EventDraft {
  readonly seq: number;
  /** Epoch ms. */
  readonly at: number;
}

/** Lays a change over a record. A first event must carry a whole record. */
export function applyChange(
  record: WorkerRecord | undefined,
  change: RecordChange | undefined,
): WorkerRecord | undefined {
  if (change === undefined) return record;
  const merged = { ...record, ...change };
  const kept = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null && value !== undefined));
  return isWholeRecord(kept) ? kept : record;
}

const isWholeRecord = (value: object): value is WorkerRecord =>
  'id' in value && 'name' in value && 'phase' in value && 'launch' in value && 'manager' in value;
