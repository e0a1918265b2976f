// Names for new workers: the ones given, if they are free, and ours for the rest.
import { CrewError } from '../../model/errors.ts';
import { newNonce } from '../../model/ids.ts';
import { numberedName, pickNames } from '../../model/name.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import type { StartOrder } from '../orders.ts';
import type { CrewContext } from '../workers/roster.ts';

/** Given names must be free; the rest comes from one theme. Throws before anything is made. */
export function namesFor(context: CrewContext, workers: readonly StartOrder[]): readonly string[] {
  const inUse = context.roster.records().filter(isInUse);
  const { max_workers } = context.settingsFor(context.cwd).settings.limits;
  if (inUse.length + workers.length > max_workers) {
    throw new CrewError(
      'limit_reached',
      `${inUse.length} workers live and ${workers.length} more were asked for; limits.max_workers is ${max_workers}.`,
      'Close some with close_workers, or raise limits.max_workers in the configuration.',
    );
  }
  const taken = inUse.map((record) => record.name);
  // One that has died may come back, and keeps its name until then unless somebody asks for it.
  const fallen = context.roster.records().flatMap(({ phase, name }) => (phase === 'dead' ? [name] : []));
  const given = workers.flatMap(({ name }) => (name === undefined ? [] : [name]));
  for (const [index, name] of given.entries()) refuseTaken(name, [...taken, ...given.slice(0, index)]);
  const count = workers.length - given.length;
  const free = pickNames({ taken: [...taken, ...fallen, ...given], count, seed: newNonce() });
  let next = 0;
  return workers.map(({ name }) => name ?? free[next++] ?? newNonce());
}

/** The name of a worker that comes back: its own, or a numbered one where another has got that meanwhile. */
export function nameOfReturned(context: CrewContext, { id, name }: Pick<WorkerRecord, 'id' | 'name'>): string {
  const others = context.roster.records().filter((record) => record.id !== id && isInUse(record));
  return numberedName(
    name,
    others.map((other) => other.name),
  );
}

const isInUse = ({ phase }: WorkerRecord): boolean => phase === 'live' || phase === 'spawning';

function refuseTaken(name: string, taken: readonly string[]): void {
  if (!taken.some((other) => other.toLowerCase() === name.trim().toLowerCase())) return;
  throw new CrewError(
    'name_taken',
    `The name "${name}" is in use.`,
    'Choose another name, or leave it out for one of ours.',
  );
}
