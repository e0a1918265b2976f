// Names for new workers: the ones given, if they are free, and ours for the rest.
import { CrewError } from '../../model/errors.ts';
import { newNonce } from '../../model/ids.ts';
import { pickNames } from '../../model/name.ts';
import type { WorkerRequest } from '../api.ts';
import type { House } from '../house.ts';

/** Given names must be free; the rest comes from one theme. Throws before anything is made. */
export function namesFor(house: House, workers: readonly WorkerRequest[]): readonly string[] {
  const inUse = house.roster.records().filter((record) => record.phase === 'live' || record.phase === 'spawning');
  const { max_workers } = house.settingsFor(house.cwd).settings.limits;
  if (inUse.length + workers.length > max_workers) {
    throw new CrewError(
      'limit_reached',
      `${inUse.length} workers live and ${workers.length} more were asked for; limits.max_workers is ${max_workers}.`,
      'Close some with close_workers, or raise limits.max_workers in the configuration.',
    );
  }
  const taken = inUse.map((record) => record.name);
  const given = workers.flatMap(({ name }) => (name === undefined ? [] : [name]));
  for (const [index, name] of given.entries()) refuseTaken(name, [...taken, ...given.slice(0, index)]);
  const free = pickNames({ taken: [...taken, ...given], count: workers.length - given.length, seed: newNonce() });
  let next = 0;
  return workers.map(({ name }) => name ?? free[next++] ?? newNonce());
}

function refuseTaken(name: string, taken: readonly string[]): void {
  if (!taken.some((other) => other.toLowerCase() === name.trim().toLowerCase())) return;
  throw new CrewError(
    'name_taken',
    `The name "${name}" is in use.`,
    'Choose another name, or leave it out for one of ours.',
  );
}
