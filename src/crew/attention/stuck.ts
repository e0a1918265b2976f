// A worker at work without a sign of life: the event and the need that say so, once a turn.

import type { Disposer } from '../../model/clock.ts';
import { isoTime } from '../../model/clock.ts';
import { messageOf } from '../../model/errors.ts';
import type { CrewEvent } from '../../model/event.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import type { TurnState } from '../../turn/reduce-turn.ts';
import { stuckAt, stuckSince } from '../../turn/stuck.ts';
import type { AttentionView } from '../../wire/attention.ts';
import { projectOf } from '../workers/budget.ts';
import type { CrewContext } from '../workers/crew-context.ts';
import { attentionFor } from './attention.ts';

/** `silentMs`: since its last sign of life. */
type OnStuck = (record: WorkerRecord, silentMs: number) => void;

/** Tells of each turn once in a life of this server. */
export function watchStuck(
  context: Pick<CrewContext, 'clock' | 'recentSettings'> & {
    readonly log: Pick<CrewContext['log'], 'records'>;
    readonly roster: Pick<CrewContext['roster'], 'isMine' | 'onChange' | 'turn'>;
  },
  onStuck: OnStuck,
): Disposer {
  const { clock, log, roster } = context;
  const timers = new Map<string, Disposer>();
  const told = new Map<string, number>();
  const look = (id: string) => {
    timers.delete(id);
    const [record, turn] = [log.records().get(id), roster.turn(id)];
    if (record === undefined || turn?.is !== 'working' || !roster.isMine(record)) return;
    const [now, staleMs] = [clock.now(), staleMsOf(context, record)];
    if (stuckSince(turn, { now, staleMs }) === undefined) {
      arm(id, Math.max(1, stuckAt(turn, staleMs) - now));
      return;
    }
    const since = turn.turn?.startedAt ?? 0;
    if (told.get(id) !== since) onStuck(record, now - turn.lastActivityAt);
    told.set(id, since);
  };
  const arm = (id: string, delayMs: number) => {
    timers.get(id)?.();
    timers.set(
      id,
      clock.after(delayMs, () => look(id)),
    );
  };
  const stop = roster.onChange(({ workerId, before, after }) => {
    const began = after.is === 'working' && before.is !== 'working';
    const troubled = after.facts.trouble !== undefined && before.facts.trouble === undefined;
    if (began || troubled) look(workerId);
  });
  return () => {
    stop();
    for (const cancel of timers.values()) cancel();
  };
}

const staleMsOf = ({ recentSettings }: Pick<CrewContext, 'recentSettings'>, record: WorkerRecord): number =>
  recentSettings(projectOf(record)).events.stale_threshold_minutes * 60_000;

/** Writes the event of this turn; false where a server has written it before. */
export async function noteStuck(context: CrewContext, { id }: WorkerRecord, silentMs: number): Promise<boolean> {
  const turn = context.roster.turn(id)?.turn;
  try {
    const since = turn?.startedAt ?? 0;
    if (isNoted(await context.log.sinceTime(since), { id, since })) return false;
    const data = { turn: turn?.number ?? null, silent_minutes: Math.floor(silentMs / 60_000) };
    await context.log.append([{ type: 'worker_stuck', workerId: id, data }]);
  } catch (thrown) {
    context.logger.write('error', `the event worker_stuck could not be written: ${messageOf(thrown)}`);
  }
  return true;
}

/** Whether the turn that began then was said to be stuck. Pure. */
export const isNoted = (
  events: readonly Pick<CrewEvent, 'type' | 'workerId' | 'at'>[],
  { id, since }: { readonly id: string; readonly since: number },
): boolean => events.some(({ type, workerId, at }) => type === 'worker_stuck' && workerId === id && at >= since);

/** As `attentionFor`, with one that may be stuck: somebody may look at it, and nothing waits for an answer. */
export function attentionOrStuck(context: CrewContext, record: WorkerRecord): readonly AttentionView[] {
  const turn = context.roster.turn(record.id);
  const at = { now: context.clock.now(), staleMs: staleMsOf(context, record) };
  return [...attentionFor(context, record), ...stuckAttention(record, turn, at)];
}

/** None for a worker that is not stuck. Pure. */
export function stuckAttention(
  { id, name }: Pick<WorkerRecord, 'id' | 'name'>,
  turn: TurnState | undefined,
  at: { readonly now: number; readonly staleMs: number },
): readonly AttentionView[] {
  const since = stuckSince(turn, at);
  if (turn === undefined || since === undefined) return [];
  const minutes = Math.floor((at.now - turn.lastActivityAt) / 60_000);
  const { trouble } = turn.facts;
  return [
    {
      session_id: id,
      name,
      waiting_for: 'stuck',
      since: isoTime(since),
      title: `${name} may be stuck`,
      detail:
        trouble?.at === since
          ? `It works, and cannot reach its model: ${trouble.detail}`
          : `It works, and has shown no sign of life for ${minutes} min.`,
      answer_with: [
        `read_worker_screen ${JSON.stringify({ session_id: id })}`,
        `interrupt_workers ${JSON.stringify({ session_ids: [id] })}`,
      ],
    },
  ];
}

/** Ends a wait only of who asks for any need. */
export const isStuckNeed = ({ waiting_for }: Pick<AttentionView, 'waiting_for'>): boolean => waiting_for === 'stuck';
