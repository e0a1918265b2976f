// Reads what the workers of tasks have reported, for whoever goes on with it.
import type { Queries } from '../../crew/api.ts';
import { defined } from '../../model/defined.ts';
import type { Task } from '../../model/task.ts';
import type { HandedOn } from '../judge/handed-on.ts';

/** What each has reported last, else what its worker said last; one that was left out says nothing. */
export async function reported(crew: Pick<Queries, 'reports'>, tasks: readonly Task[]): Promise<readonly HandedOn[]> {
  const said = async ({ title, worker, lastWords = '' }: Task): Promise<readonly HandedOn[]> => {
    if (worker === undefined) return [];
    const { reports } = await crew.reports({ worker: worker.id, next: false }).catch(() => ({ reports: [] }));
    const report = reports.find(({ kind }) => kind === 'report') ?? reports.find(({ kind }) => kind === 'progress');
    const done = report?.what_done ?? report?.message ?? lastWords;
    return [{ title, worker, done, ...defined({ open: report?.what_open, next: report?.next_steps }) }];
  };
  return (await Promise.all(tasks.filter(({ isSkipped }) => !isSkipped).map(said))).flat();
}
