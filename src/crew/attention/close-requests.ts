// Closes the files of requests that were answered elsewhere, so that no hook waits in vain.
import type { Disposer } from '../../model/clock.ts';
import type { RequestAnswer } from '../../model/request.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { launchPlace } from '../../store/launch-place.ts';
import { answerRequest, openRequests } from '../../store/requests.ts';
import type { TurnState } from '../../turn/reduce-turn.ts';
import type { CrewContext } from '../workers/crew-context.ts';

/** The requests that a hook of ours held before and that are gone from the facts. */
function endedElsewhere(before: TurnState, after: TurnState): readonly string[] {
  const still = new Set(after.facts.asked.map(({ requestId }) => requestId));
  return before.facts.asked.flatMap(({ requestId, held, answered }) =>
    requestId === undefined || held === undefined || answered !== undefined || still.has(requestId) ? [] : [requestId],
  );
}

/** A person may answer at the pane first: then an answer in the file ends the wait of the hook. */
export function watchRequests(context: CrewContext): Disposer {
  return context.roster.onChange(({ workerId, signal, before, after }) => {
    if (before.facts.asked.length === 0 || (signal.from === 'hook' && signal.kind === 'answered')) return;
    const record = context.log.records().get(workerId);
    if (record === undefined) return;
    const by = after.is === 'gone' ? 'none' : 'pane';
    for (const id of endedElsewhere(before, after)) void letGo(context, record, { id, by });
  });
}

/** Nobody waits for the requests of launches that are over. */
export async function closeLeftRequests(context: CrewContext, record: WorkerRecord): Promise<void> {
  const { workerDir, launch } = launchPlace(record.launch.dir);
  const isOver = record.phase === 'closed' || record.phase === 'dead';
  const left = (await openRequests(workerDir)).filter((request) => isOver || request.launch < launch);
  await Promise.all(left.map(({ id }) => letGo(context, record, { id, by: 'none' })));
}

async function letGo(
  context: CrewContext,
  record: WorkerRecord,
  { id, by }: { readonly id: string; readonly by: RequestAnswer['by'] },
): Promise<void> {
  const { workerDir } = launchPlace(record.launch.dir);
  const answer: RequestAnswer = { at: context.clock.now(), by, decision: 'let-go' };
  await answerRequest(workerDir, id, answer).catch((error: unknown) => {
    context.logger.write('warn', `request ${id} of ${record.name} could not be closed`, error);
  });
}
