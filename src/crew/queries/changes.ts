// The log's events since a time or a cursor, with a summary that a manager can act on.
import { z } from 'zod';
import { isoTime } from '../../model/clock.ts';
import { defined } from '../../model/defined.ts';
import { CrewError } from '../../model/errors.ts';
import type { CrewEvent } from '../../model/event.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import type { TurnState } from '../../turn/reduce-turn.ts';
import type { ChangesResult, EventView } from '../../wire/events.ts';
import { attentionFor } from '../attention/attention.ts';
import type { ChangesQuery } from '../orders.ts';
import { type CrewContext, visibleTo } from '../workers/roster.ts';

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
  const ids = new Set(visible.map((record) => record.id));
  const relevant = found.filter((event) => ids.has(event.workerId) && !internal.has(event.type));
  const shown = relevant.slice(0, mostEvents);
  const records = visible.filter((record) => record.phase === 'live' || record.phase === 'spawning');
  const staleMs = (order.staleMinutes ?? settings.stale_threshold_minutes) * 60_000;
  const now = context.clock.now();
  const attention = visible.flatMap((record) => attentionFor(context, record));
  const views = records.map((record) => context.roster.view(record));
  return {
    events: shown.map(eventView(context)),
    summary: {
      started: namesOf(context, shown, 'worker_started'),
      completed: namesOf(context, shown, 'worker_idle'),
      stuck: records.filter(({ id }) => isStuck(context.roster.turn(id), { now, staleMs })).map(({ name }) => name),
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

/** Longer than an agent's own retries take. */
const troubledMs = 30_000;

/** Working, and either silent for the threshold or in trouble for a while. Pure. */
export function isStuck(turn: TurnState | undefined, at: { readonly now: number; readonly staleMs: number }): boolean {
  if (turn?.is !== 'working') return false;
  const { trouble } = turn.facts;
  return at.now - turn.lastActivityAt >= at.staleMs || (trouble !== undefined && at.now - trouble.at >= troubledMs);
}

/** Epoch ms; a time without an offset is UTC. Not a number for what is no time. Pure. */
export const timeOf = (text: string): number =>
  Date.parse(/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?$/.test(text) ? `${text.replace(' ', 'T')}Z` : text);

async function eventsOf(context: CrewContext, order: ChangesQuery, recentHours: number): Promise<readonly CrewEvent[]> {
  if (order.cursor !== undefined) return context.log.since(seqOf(order.cursor));
  const since = order.since === undefined ? context.clock.now() - recentHours * 3_600_000 : timeOf(order.since);
  if (Number.isFinite(since)) return context.log.sinceTime(since);
  throw new CrewError(
    'invalid_argument',
    `"${order.since}" is not a time.`,
    'Pass ISO 8601, such as 2030-01-31T12:00:00Z.',
  );
}

function namesOf(context: CrewContext, events: readonly CrewEvent[], type: string): readonly string[] {
  const ids = new Set(events.filter((event) => event.type === type).map((event) => event.workerId));
  const byId = new Map<string, WorkerRecord>(context.roster.records().map((record) => [record.id, record]));
  return [...ids].map((id) => byId.get(id)?.name ?? id);
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
