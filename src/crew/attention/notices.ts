// Hears of what a person may want to know, and passes on what the manager was not told already.
import type { Disposer } from '../../model/clock.ts';
import type { CrewEvent } from '../../model/event.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import type { House } from '../house.ts';
import type { Change } from '../watching/roster.ts';
import { attentionFor, attentionKey } from './attention.ts';
import { idleNotice, type Notice, needNotice, reportNotice } from './notice.ts';
import { openTeller } from './teller.ts';
import { idleKey, Told } from './told.ts';

// A manager that waits is told within this time, and what it can answer at once troubles nobody.
const graceMs = 2_000;

/** `told` has what the waits of the manager have answered. */
export function giveNotices(house: House, told: Told): Disposer {
  const teller = openTeller(house);
  const seen = new Told();
  const timers = new Set<Disposer>();
  /** Once for each key, if it still holds then and nobody was told. */
  const later = (key: string, still: () => Notice | undefined) => {
    if (seen.has(key)) return;
    seen.noteKeys([key]);
    const cancel = house.clock.after(graceMs, () => {
      timers.delete(cancel);
      const notice = told.has(key) ? undefined : still();
      if (notice !== undefined) teller.tell(notice);
    });
    timers.add(cancel);
  };
  const onChange = ({ workerId, before, after }: Change) => {
    const record = mine(house, workerId);
    if (record === undefined) return;
    for (const key of attentionFor(house, record).map(attentionKey)) later(key, () => stillNeeded(house, record, key));
    const turn = after.turn;
    if (after.is === 'idle' && before.is !== 'idle' && turn?.endedAt !== undefined)
      later(idleKey(record.id, turn.number), () => stillIdle(house, record, turn.number));
  };
  const onEvents = (events: readonly CrewEvent[]) => {
    for (const event of events) {
      const record = event.type === 'report' ? mine(house, event.workerId) : undefined;
      if (record !== undefined) teller.tell(reportNotice(record, event.data));
    }
  };
  const stops = [house.roster.onChange(onChange), house.log.onEvents(onEvents), teller.close];
  return () => {
    for (const stop of [...stops, ...timers]) stop();
  };
}

function mine(house: House, workerId: string): WorkerRecord | undefined {
  const record = house.log.records().get(workerId);
  return record !== undefined && house.roster.isMine(record) ? record : undefined;
}

function stillNeeded(house: House, { id }: WorkerRecord, key: string): Notice | undefined {
  const record = mine(house, id);
  const need = record && attentionFor(house, record).find((one) => attentionKey(one) === key);
  return record !== undefined && need !== undefined ? needNotice(record, need) : undefined;
}

function stillIdle(house: House, { id }: WorkerRecord, turn: number): Notice | undefined {
  const record = mine(house, id);
  const state = house.roster.turn(id);
  if (record === undefined || record.phase !== 'live' || state?.is !== 'idle') return undefined;
  return state.turn?.number === turn ? idleNotice(record, state.turn.endedBy ?? 'completed') : undefined;
}
