// Starts a worker of ours again whose agent has crashed in the midst of a turn, where the settings say so.
import type { Disposer } from '../../model/clock.ts';
import { defined } from '../../model/defined.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { oneAtATime } from '../../system/pace.ts';
import type { SpawnFailure } from '../../wire/starting.ts';
import { projectOf } from '../workers/budget.ts';
import type { CrewContext } from '../workers/crew-context.ts';
import { failureIn } from '../workers/failures.ts';
import { isCrashed } from './left-crash.ts';
import { restartWorkers } from './restart.ts';

/** `left`: crashed before this server was there to see it, and its own by now. */
export function watchCrashes(context: CrewContext, left: readonly string[]): Disposer {
  const { roster, log } = context;
  const { returning } = roster;
  const due = new Set<string>();
  const stopped = new AbortController();
  const begin = oneAtATime(async () => {
    const workers = [...due];
    due.clear();
    const run = { signal: stopped.signal, tell: () => undefined };
    if (workers.length === 0) return;
    const { failed } = await restartWorkers(context, { workers, fresh: false, isNamed: false }, run);
    if (!stopped.signal.aborted) await letGo(context, workers, failed);
  });
  const start = () =>
    void begin().catch((error: unknown) => {
      // What this server leaves undone, the next one does.
      if (stopped.signal.aborted) return;
      context.logger.write('error', 'workers that crashed could not be started again', error);
      return letGo(context, [...returning], []);
    });
  const take = (workerId: string) => {
    returning.add(workerId);
    due.add(workerId);
  };
  const stops = [
    roster.onChange((change) => {
      const record = log.records().get(change.workerId);
      if (record === undefined || failureIn(change) !== 'crash' || !comesBack(context, record)) return;
      // At once: until it is back, nobody is needed for it and its task goes on.
      returning.add(record.id);
    }),
    log.onEvents((events) => {
      for (const { workerId, set } of events) {
        const record = log.records().get(workerId);
        if (record === undefined) continue;
        // Whoever hears of what it does next sees it as it is, though another is still on its way.
        if (roster.lives(record)) returning.delete(workerId);
        else if (set?.lostTurn && (returning.has(workerId) || (isCrashed(record) && comesBack(context, record))))
          take(workerId);
      }
      if (due.size > 0) start();
    }),
    () => stopped.abort(),
  ];
  for (const id of left) take(id);
  if (due.size > 0) start();
  return () => {
    for (const stop of stops) stop();
  };
}

const comesBack = ({ roster, settingsFor }: CrewContext, record: WorkerRecord): boolean =>
  roster.isMine(record) &&
  !roster.closing.has(record.id) &&
  settingsFor(projectOf(record)).settings.restart.auto === 'crash';

/** One that has not come back needs somebody from now on. */
async function letGo(
  { roster, log }: CrewContext,
  workers: readonly string[],
  failed: readonly SpawnFailure[],
): Promise<void> {
  for (const id of workers) roster.returning.delete(id);
  const left = workers.map((id) => roster.record(id)).filter((record) => !roster.lives(record));
  const drafts = left.map(({ id: workerId, name, endDetail = '', lostTurn }) => {
    const why = failed.find((one) => one.name === name);
    const detail = `${endDetail}; it was not started again${why ? `: ${why.error} ${why.hint}` : ''}`;
    const set = lostTurn && { lostTurn: { ...lostTurn, left: true as const } };
    return { type: 'worker_dead' as const, workerId, data: { detail }, ...defined({ set }) };
  });
  if (drafts.length > 0) await log.append(drafts);
}
