// Which events of the log concern the crews that this server shows.
import { type CrewEvent, jobEventTypes } from '../../model/event.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { placeOf } from '../place.ts';
import type { CrewContext } from '../workers/roster.ts';

/** Events that name the crew of a task or plan, since they may be about no worker. */
const namesCrew = new Set<string>([...jobEventTypes, 'landed', 'bounced', 'proposed']);

/** Those of visible workers, and those of tasks and plans of their crews and of the server's own folder. */
export async function shownEvents(
  context: CrewContext,
  events: readonly CrewEvent[],
  visible: readonly Pick<WorkerRecord, 'id' | 'crew'>[],
): Promise<readonly CrewEvent[]> {
  const ids = new Set(visible.map(({ id }) => id));
  const crews = new Set(visible.map(({ crew }) => crew));
  const isForeign = (event: CrewEvent) => !ids.has(event.workerId) && !crews.has(crewOf(event) ?? '');
  if (events.some((event) => crewOf(event) !== undefined && isForeign(event))) {
    const own = await placeOf(context, { project: context.cwd }).catch(() => undefined);
    if (own !== undefined) crews.add(own.crew);
  }
  return events.filter((event) => !isForeign(event));
}

/** Undefined for an event of a worker alone. Pure. */
const crewOf = ({ type, data: { crew } }: CrewEvent): string | undefined =>
  namesCrew.has(type) && typeof crew === 'string' ? crew : undefined;
