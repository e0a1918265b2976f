// What a worker has alone: its name, given if it is free, else crewmux's own; and its block of ports.

import type { Clock } from '../../model/clock.ts';
import { CrewError } from '../../model/errors.ts';
import { newNonce } from '../../model/ids.ts';
import { checkName, numberedName, pickNames } from '../../model/name.ts';
import { counted } from '../../model/plural.ts';
import { dayMs } from '../../model/time-zone.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { listeningPorts } from '../../system/listening.ts';
import { freeBlock } from '../environments.ts';
import type { CrewContext } from '../workers/crew-context.ts';
import type { Roster } from '../workers/roster.ts';
import type { StartOrder } from './start-order.ts';

/** Where names are given out. */
type Named = Pick<CrewContext, 'settingsFor' | 'cwd'> & {
  readonly clock: Pick<Clock, 'now'>;
  readonly roster: Pick<Roster, 'records' | 'lives'>;
};

/** Given names must be free; the rest comes from one theme. Throws before anything is made. */
export function namesFor(context: Named, workers: readonly StartOrder[]): readonly string[] {
  const taken = namesInUse(context);
  const { max_workers } = context.settingsFor(context.cwd).settings.limits;
  if (taken.length + workers.length > max_workers) {
    throw new CrewError(
      'limit_reached',
      `${counted(taken.length, 'worker')} ${taken.length === 1 ? 'lives' : 'live'} and ${workers.length} more ${workers.length === 1 ? 'was' : 'were'} asked for; limits.max_workers is ${max_workers}.`,
      'Close some with close_workers, or raise limits.max_workers in the configuration.',
    );
  }
  const notAgain = namesOfThePast(context);
  const given = workers.flatMap(({ name }) => (name === undefined ? [] : [name]));
  for (const [index, name] of given.entries())
    refuseTaken(name, [...taken, ...given.slice(0, index)], 'leave it out for one of ours');
  const count = workers.length - given.length;
  const free = pickNames({ taken: [...taken, ...notAgain, ...given], count, seed: newNonce() });
  let next = 0;
  return workers.map(({ name }) => name ?? free[next++] ?? newNonce());
}

/**
 * A dead worker may come back, and keeps its name until then unless an order gives it to another. The name of one that
 * was closed today still means that one to whoever resumes, forks or merges it.
 */
const namesOfThePast = ({ roster, clock }: Pick<Named, 'roster' | 'clock'>): readonly string[] =>
  roster
    .records()
    .filter((record) =>
      record.phase === 'closed' ? clock.now() - (record.endedAt ?? record.createdAt) < dayMs : !roster.lives(record),
    )
    .map(({ name }) => name);

/** The name of a worker that comes back: its own, or a numbered one where another worker has that name by now. */
export const nameOfReturned = (context: CrewContext, { id, name }: Pick<WorkerRecord, 'id' | 'name'>): string =>
  numberedName(name, namesInUse(context, id));

/** The name of an adopted worker: the one asked for, else its own, else one from a theme. Throws `name_taken`. */
export function nameOfAdopted(
  context: CrewContext,
  { id, asked, own }: { readonly id: string; readonly asked: string | undefined; readonly own?: string },
): string {
  const taken = namesInUse(context, id);
  if (asked === undefined) return own ?? pickNames({ taken, count: 1, seed: id })[0] ?? id;
  const name = checkName(asked);
  refuseTaken(name, taken, 'leave it out');
  return name;
}

const namesInUse = ({ roster }: Pick<Named, 'roster'>, exceptId?: string): readonly string[] =>
  roster.records().flatMap((record) => (roster.lives(record) && record.id !== exceptId ? [record.name] : []));

function refuseTaken(name: string, taken: readonly string[], otherwise: string): void {
  if (!taken.some((other) => other.toLowerCase() === name.trim().toLowerCase())) return;
  throw new CrewError('name_taken', `The name "${name}" is in use.`, `Choose another name, or ${otherwise}.`);
}

/** The first port of each worker's block; a worker that returns keeps its block where no other has it. */
export async function portsFor(
  { roster }: CrewContext,
  workers: readonly { readonly id: string; readonly port?: number }[],
): Promise<ReadonlyMap<string, number>> {
  const ids = new Set(workers.map(({ id }) => id));
  const others = roster.records().filter(({ id, phase }) => phase !== 'closed' && !ids.has(id));
  const given = new Set(others.flatMap(({ port }) => port ?? []));
  const ports = new Map<string, number>();
  const listening = await listeningPorts();
  for (const { id: workerId, port: own } of workers) {
    const port = own === undefined || given.has(own) ? freeBlock({ workerId, given, listening }) : own;
    if (port === undefined) continue;
    given.add(port);
    ports.set(workerId, port);
  }
  return ports;
}
