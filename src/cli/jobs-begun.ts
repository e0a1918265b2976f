// Plans and tasks by the beginning of what a person calls them.
import { CrewError } from '../model/errors.ts';
import { nearest } from '../model/nearest.ts';
import type { JobsView } from '../work/api.ts';
import type { CommandWorld } from './world.ts';

interface Called {
  readonly id: string;
  readonly name: string;
}

/** The id of the one that is called so, or else begins so; as it stands where none is near. Pure. */
export function begunBy(ref: string, known: readonly Called[]): string {
  const wanted = ref.toLowerCase();
  if (wanted === '' || known.some(({ id }) => id === ref)) return ref;
  const named = known.filter(({ name }) => name === ref);
  const begins = ({ id, name }: Called) => [id, name].some((word) => word.toLowerCase().startsWith(wanted));
  const meant = named.length > 0 ? named : known.filter(begins);
  const [only] = meant;
  const close = nearest(
    ref,
    known.map(({ name }) => name),
  );
  if (only === undefined && close !== undefined) throw notCalled(ref, close);
  if (only === undefined || meant.length === 1) return only?.id ?? ref;
  const list = meant.map(({ id, name }) => `${id} (${name})`).join(', ');
  throw new CrewError('invalid_argument', `"${ref}" means several: ${list}.`, 'Use the id of the one you mean.');
}

const notCalled = (ref: string, close: string): CrewError =>
  new CrewError(
    'invalid_argument',
    `No plan or task is called ${JSON.stringify(ref)}. Did you mean ${close}?`,
    '`crewmux plan` and `crewmux task list` show those there are.',
  );

/** The plans of the project that is looked at. */
export const plansOf = async (jobs: Pick<JobsView, 'planStatus'>): Promise<readonly Called[]> =>
  ((await jobs.planStatus({})).plans ?? []).map(({ planId, name }) => ({ id: planId, name }));

/** The tasks, without the jobs of plans: a person names those by their plan. */
export const tasksOf = async (
  jobs: Pick<JobsView, 'list'>,
): Promise<readonly (Called & { readonly isOver: boolean })[]> =>
  (await jobs.list({})).tasks
    .filter(({ kind }) => kind !== 'job')
    .map(({ taskId: id, title = '', endedAt }) => ({ id, name: title, isOver: endedAt !== undefined }));

/** The id of the plan or task that a person means. */
export async function jobBegun(what: 'plan' | 'task', ref: string, world: CommandWorld): Promise<string> {
  const crew = await world.look();
  const known = what === 'plan' ? plansOf(crew.jobs) : tasksOf(crew.jobs);
  return begunBy(ref, await known.finally(() => crew.dispose()));
}
