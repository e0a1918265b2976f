// Whose a worker is: another manager's is read, and changed by nobody else before it is adopted.
import { advise, call } from '../../model/advice.ts';
import { CrewError } from '../../model/errors.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import type { CrewContext } from './crew-context.ts';

/** Throws `owned_by_another` for a worker of a server that is alive and not this one. */
export function refuseOthers({ roster }: Pick<CrewContext, 'roster'>, record: WorkerRecord): void {
  if (!roster.isOthers(record)) return;
  throw new CrewError(
    'owned_by_another',
    `${record.name} is managed by another server that is alive (pid ${record.manager.pid}).`,
    advise`Leave it to that one, or ${call('adopt_worker with force: true', 'have your manager take it over')} first; that one is told.`,
  );
}
