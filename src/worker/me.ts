// The worker that holds the token: its crew, and its outbox.
import { join } from 'node:path';
import type { Clock } from '../model/clock.ts';
import { CrewError } from '../model/errors.ts';
import type { CrewEvent } from '../model/event.ts';
import { newNonce } from '../model/ids.ts';
import type { WorkerRecord } from '../model/worker.ts';
import { appendToOutbox, type OutboxEntry } from '../store/outbox.ts';
import { readLog } from '../store/read-log.ts';
import type { Bearer } from '../store/worker-token.ts';
import type { Taken } from '../wire/desk.ts';

export interface Me extends Bearer {
  readonly home: string;
  readonly launchDir: string;
  readonly clock: Clock;
}

export const dirOf = ({ home }: Pick<Me, 'home'>, workerId: string): string => join(home, 'workers', workerId);

export interface Crewmates {
  readonly mine: WorkerRecord;
  /** The other live workers of the same crew. */
  readonly others: readonly WorkerRecord[];
  /** The events of the crew, oldest first. */
  readonly events: readonly CrewEvent[];
}

export async function crewOf(me: Me): Promise<Crewmates> {
  const { records, recent } = await readLog(me.home);
  const mine = records.get(me.workerId);
  if (mine === undefined) {
    throw new CrewError('unknown_worker', `Worker ${me.workerId} is not in the log of ${me.home}.`, 'Go on without.');
  }
  const all = [...records.values()].filter(({ crew }) => crew === mine.crew);
  const ids = new Set(all.map(({ id }) => id));
  return {
    mine,
    others: all.filter(({ id, phase }) => id !== mine.id && (phase === 'live' || phase === 'spawning')),
    events: recent.filter(({ workerId }) => ids.has(workerId)),
  };
}

type Without<Entry> = Entry extends OutboxEntry ? Omit<Entry, 'v' | 'id' | 'at' | 'launch'> : never;

/** Appends an entry to the worker's outbox. */
export async function say(me: Me, entry: Without<OutboxEntry>, id = newNonce()): Promise<Taken> {
  await appendToOutbox(dirOf(me, me.workerId), { v: 1, id, at: me.clock.now(), launch: me.launch, ...entry });
  return { taken: true, id };
}
