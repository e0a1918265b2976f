// Hears of what a person may want to know, and passes on what the manager was not told already.
import type { Disposer } from '../../model/clock.ts';
import type { CrewEvent } from '../../model/event.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import type { Change, CrewContext } from '../workers/roster.ts';
import { attentionFor, attentionKey } from './attention.ts';
import { idleNotice, type Notice, needNotice, reportNotice } from './notice.ts';
import { openTeller } from './teller.ts';
import { idleKey, Told } from './told.ts';

// A manager that waits is told within this time, and what it can answer at once troubles nobody.
const graceMs = 2_000;

/** `told` has what the waits of the manager have answered. */
export function giveNotices(context: CrewContext, told: Told): Disposer {
  const teller = openTeller(context);
  const seen = new Told();
  const timers = new Set<Disposer>();
  /** Once for each key, if it still holds then and nobody was told. */
  const later = (key: string, still: () => Notice | undefined) => {
    if (seen.has(key)) return;
    seen.noteKeys([key]);
    const cancel = context.clock.after(graceMs, () => {
      timers.delete(cancel);
      const notice = told.has(key) ? undefined : still();
      if (notice !== undefined) teller.tell(notice);
    });
    timers.add(cancel);
  };
  const onChange = ({ workerId, before, after }: Change) => {
    const record = mine(context, workerId);
    if (record === undefined) return;
    for (const key of attentionFor(context, record).map(attentionKey))
      later(key, () => stillNeeded(context, record, key));
    const turn = after.turn;
    if (after.is === 'idle' && before.is !== 'idle' && turn?.endedAt !== undefined)
      later(idleKey(record.id, turn.number), () => stillIdle(context, record, turn.number));
  };
  const onEvents = (events: readonly CrewEvent[]) => {
    for (const event of events) {
      const record = event.type === 'report' ? mine(context, event.workerId) : undefined;
      if (record !== undefined) teller.tell(reportNotice(record, event.data));
    }
  };
  const stops = [context.roster.onChange(onChange), context.log.onEvents(onEvents), teller.close];
  return () => {
    for (const stop of [...stops, ...timers]) stop();
  };
}

function mine(context: CrewContext, workerId: string): WorkerRecord | undefined {
  const record = context.log.records().get(workerId);
  return record !== undefined && context.roster.isMine(record) ? record : undefined;
}

function stillNeeded(context: CrewContext, { id }: WorkerRecord, key: string): Notice | undefined {
  const record = mine(context, id);
  const need = record && attentionFor(context, record).find((one) => attentionKey(one) === key);
  return record !== undefined && need !== undefined ? needNotice(record, need) : undefined;
}

function stillIdle(context: CrewContext, { id }: WorkerRecord, turn: number): Notice | undefined {
  const record = mine(context, id);
  const state = context.roster.turn(id);
  if (record === undefined || record.phase !== 'live' || state?.is !== 'idle') return undefined;
  return state.turn?.number === turn ? idleNotice(record, state.turn.endedBy ?? 'completed') : undefined;
}
