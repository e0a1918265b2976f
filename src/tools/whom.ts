// Whom a list of workers means: those it names, or with "all" those of the manager that calls.
import type { Crew } from '../crew/api.ts';
import { CrewError } from '../model/errors.ts';
import { everyone } from '../model/name.ts';
import type { Status } from '../model/worker.ts';

const among = {
  live: { includeClosed: false, has: (status: Status) => status !== 'dead' && status !== 'closed' },
  dead: { includeClosed: false, has: (status: Status) => status === 'dead' },
  any: { includeClosed: true, has: () => true },
} as const;

export const isEveryone = ([first, ...more]: readonly string[]): boolean =>
  first?.toLowerCase() === everyone && more.length === 0;

/** Throws `unknown_worker` where all are meant and there is none. */
export async function meant(
  crew: Pick<Crew, 'list'>,
  refs: readonly string[],
  which: keyof typeof among = 'live',
): Promise<readonly string[]> {
  if (!isEveryone(refs)) return refs;
  const { includeClosed, has } = among[which];
  const { workers } = await crew.list({ includeClosed, fields: 'brief' });
  // A brief worker names its manager only where that is another.
  const mine = workers.filter(({ managed_by, status }) => managed_by?.mine !== false && has(status));
  if (mine.length > 0) return mine.map(({ session_id }) => session_id);
  throw new CrewError(
    'unknown_worker',
    `session_ids is "${everyone}", and this manager has no ${which === 'any' ? '' : `${which} `}worker.`,
    'Call list_workers for ids and names.',
  );
}

/** Those of the manager that calls, with this role or in this status; throws `unknown_worker` where there is none. */
export async function alike(
  crew: Pick<Crew, 'list'>,
  { role, status }: { readonly role: string | undefined; readonly status: Status | undefined },
): Promise<readonly string[]> {
  const { workers } = await crew.list({ includeClosed: false, fields: 'brief' });
  const found = workers.filter(
    (one) =>
      one.managed_by?.mine !== false &&
      (role === undefined || one.role === role) &&
      (status === undefined || one.status === status),
  );
  if (found.length > 0) return found.map(({ session_id }) => session_id);
  throw new CrewError(
    'unknown_worker',
    `This manager has no worker ${role === undefined ? `that is ${status}` : `with role ${JSON.stringify(role)}`}.`,
    'Call list_workers for those there are.',
  );
}

/** Throws where something that cannot be taken back would be done to all. */
export function refuseEveryone(refs: readonly string[], parameter: string): void {
  if (!isEveryone(refs)) return;
  throw new CrewError(
    'invalid_argument',
    `session_ids is "${everyone}" and ${parameter} is true: ${parameter} takes workers by name alone.`,
    `Nothing was changed. Name the workers, or leave ${parameter} out.`,
  );
}
