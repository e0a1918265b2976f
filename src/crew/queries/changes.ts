// The log's events since a time or a cursor, with a summary that a manager can act on.
import { z } from 'zod';
import { isoTime } from '../../model/clock.ts';
import { defined } from '../../model/defined.ts';
import { CrewError } from '../../model/errors.ts';
import { type CrewEvent, jobEventTypes } from '../../model/event.ts';
import { timeOf } from '../../model/since.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import type { TurnState } from '../../turn/reduce-turn.ts';
import { stuckSince } from '../../turn/stuck.ts';
import type { ChangedWorker, ChangesResult, EventView } from '../../wire/events.ts';
import { attentionFor } from '../attention/attention.ts';
import { placeOf } from '../place.ts';
import { type CrewContext, visibleTo } from '../workers/crew-context.ts';

export interface ChangesQuery {
  /** As `timeOf` reads it; the configured recent hours when neither this nor a cursor is given. */
  readonly since?: string;
  readonly staleMinutes?: number;
  readonly includeSnapshots: boolean;
  readonly cursor?: string;
}

const mostEvents = 200;

/** Events that the wire does not name. */
const internal = new Set<string>(['worker_spawning']);

/** An event as clients see it, with the name that its worker has now. */
export const eventView =
  (context: Pick<CrewContext, 'log'>) =>
  ({ seq, at, type, workerId, data }: CrewEvent): EventView => ({
    seq,
    ts: isoTime(at),
    type,
    worker_id: workerId,
    ...defined({ name: context.log.records().get(workerId)?.name }),
    data: withIsoTimes(data),
  });

const evidenceAt = z.looseObject({ at: z.number() });

/** The log keeps epoch ms; clients read ISO 8601. Pure. */
function withIsoTimes(data: CrewEvent['data']): EventView['data'] {
  const evidence = evidenceAt.safeParse(data.evidence).data;
  return evidence === undefined ? data : { ...data, evidence: { ...evidence, at: isoTime(evidence.at) } };
}

export async function readChanges(context: CrewContext, order: ChangesQuery): Promise<ChangesResult> {
  const settings = context.settingsFor(context.cwd).settings.events;
  const found = await eventsOf(context, order, settings.recent_hours);
  const visible = visibleTo(context);
  const relevant = (await shownEvents(context, found, visible)).filter(({ type }) => !internal.has(type));
  const shown = relevant.slice(0, mostEvents);
  const records = visible.filter((record) => record.phase === 'live' || record.phase === 'spawning');
  const staleMs = (order.staleMinutes ?? settings.stale_threshold_minutes) * 60_000;
  const now = context.clock.now();
  const attention = visible.flatMap((record) => attentionFor(context, record));
  const views = records.map((record) => context.roster.view(record));
  return {
    events: shown.map(eventView(context)),
    summary: {
      started: withEvent(context, shown, 'worker_started').map(changedWorker),
      completed: withEvent(context, shown, 'worker_idle').map((record) => ({
        ...changedWorker(record),
        ...duration(lastTurnMs(found, record.id) ?? turnMs(context.roster.turn(record.id))),
      })),
      stuck: records.flatMap((record) => stuckWorker(record, context.roster.turn(record.id), { now, staleMs })),
      attention,
    },
    ...defined({ snapshots: order.includeSnapshots ? views : undefined }),
    active_count: views.filter((view) => view.status === 'working' || view.status === 'starting').length,
    idle_count: views.filter((view) => view.status === 'idle').length,
    poll_ts: isoTime(now),
    // The next call reads the events that did not fit, so the cursor stops where they begin.
    cursor: cursorOf(relevant.length > shown.length ? (shown.at(-1)?.seq ?? 0) : context.log.lastSeq),
  };
}

/** All that the wire names and a manager sees, from a time on in epoch ms, oldest first. */
export async function happenedSince(context: CrewContext, at: number): Promise<readonly EventView[]> {
  const events = await shownEvents(context, await context.log.sinceTime(at), visibleTo(context));
  return events.filter(({ type }) => !internal.has(type)).map(eventView(context));
}

async function eventsOf(context: CrewContext, order: ChangesQuery, recentHours: number): Promise<readonly CrewEvent[]> {
  if (order.cursor !== undefined) return context.log.since(seqOf(order.cursor));
  const now = context.clock.now();
  return context.log.sinceTime(order.since === undefined ? now - recentHours * 3_600_000 : timeOf(order.since, now));
}

function withEvent(context: CrewContext, events: readonly CrewEvent[], type: string): readonly WorkerRecord[] {
  const ids = new Set(events.filter((event) => event.type === type).map((event) => event.workerId));
  return [...ids].flatMap((id) => context.log.records().get(id) ?? []);
}

const changedWorker = ({ id, name, mainRepoPath, projectPath, bead, annotation }: WorkerRecord): ChangedWorker => ({
  session_id: id,
  name,
  project: mainRepoPath ?? projectPath,
  ...defined({ bead, annotation }),
});

const duration = (ms: number | undefined) =>
  ms === undefined ? {} : { duration_seconds: Math.round(ms / 1_000), duration_min: Math.floor(ms / 60_000) };

/** How long the newest turn took that has begun and ended in these events. Pure. */
export function lastTurnMs(events: readonly CrewEvent[], workerId: string): number | undefined {
  const own = events.filter((event) => event.workerId === workerId);
  const end = own.findLast(({ type }) => type === 'turn_ended');
  if (end === undefined) return undefined;
  const isStart = ({ type, seq, data }: CrewEvent) =>
    type === 'turn_started' && seq < end.seq && data.turn === end.data.turn;
  const start = own.findLast(isStart);
  return start === undefined ? undefined : Math.max(0, end.at - start.at);
}

const turnMs = (state: TurnState | undefined): number | undefined =>
  state?.turn?.endedAt === undefined ? undefined : state.turn.endedAt - state.turn.startedAt;

/** None for a worker that is not stuck. Pure. */
export function stuckWorker(
  record: WorkerRecord,
  turn: TurnState | undefined,
  at: { readonly now: number; readonly staleMs: number },
): ChangesResult['summary']['stuck'] {
  if (turn === undefined || stuckSince(turn, at) === undefined) return [];
  const startedAt = turn.turn?.endedAt === undefined ? turn.turn?.startedAt : undefined;
  const inactive_minutes = Math.floor((at.now - turn.lastActivityAt) / 60_000);
  return [
    {
      ...changedWorker(record),
      inactive_minutes,
      ...duration(startedAt === undefined ? undefined : at.now - startedAt),
    },
  ];
}

/** A place in the event log, as an opaque word. */
export const cursorOf = (seq: number): string => `c${seq.toString(36)}`;

/** Throws `invalid_argument` for any text that `cursorOf` does not make. */
export function seqOf(cursor: string): number {
  const seq = /^c[0-9a-z]{1,11}$/.test(cursor) ? Number.parseInt(cursor.slice(1), 36) : Number.NaN;
  if (Number.isSafeInteger(seq)) return seq;
  throw new CrewError(
    'invalid_argument',
    `"${cursor}" is not a cursor.`,
    'Pass the cursor of an earlier answer as it was, or leave it out.',
  );
}

/** Events that name the crew of a task or plan, since they may be about no worker. */
const namesCrew = new Set<string>([...jobEventTypes, 'landed', 'bounced', 'proposed']);

/** Those of visible workers, and those of tasks and plans of their crews and of the server's own folder. */
export async function shownEvents(
  context: CrewContext,
  events: readonly CrewEvent[],
  visible: readonly Pick<WorkerRecord, 'id' | 'crew'>[],
): Promise<readonly CrewEvent[]> {
  const ids = new Set(visible.map(({ id }) => id));
  const crews = new Set(visible.map(({ crew }) => crew));
  const isForeign = (event: CrewEvent) => !ids.has(event.workerId) && !crews.has(crewOf(event) ?? '');
  if (events.some((event) => crewOf(event) !== undefined && isForeign(event))) {
    const own = await placeOf(context, { project: context.cwd }).catch(() => undefined);
    if (own !== undefined) crews.add(own.crew);
  }
  return events.filter((event) => !isForeign(event));
}

/** Undefined for an event of a worker alone. Pure. */
const crewOf = ({ type, data: { crew } }: CrewEvent): string | undefined =>
  namesCrew.has(type) && typeof crew === 'string' ? crew : undefined;
