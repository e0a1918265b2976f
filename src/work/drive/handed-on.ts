// Reads what the workers of tasks have reported, for whoever goes on with it.
import type { Queries } from '../../crew/api.ts';
import { defined } from '../../model/defined.ts';
import type { Book, Task } from '../../model/task.ts';
import { spanOf } from '../../model/task-state.ts';
import type { ReportView } from '../../wire/reports.ts';
import type { HandedOn } from '../judge/handed-on.ts';

type Reading = Pick<Queries, 'reports'>;

/** What each has reported last, else what its worker said last; one that was left out says nothing. */
export async function reported(crew: Reading, book: Book, tasks: readonly Task[]): Promise<readonly HandedOn[]> {
  const said = async (task: Task): Promise<readonly HandedOn[]> => {
    const { title, worker, lastWords = '' } = task;
    if (worker === undefined) return [];
    const reports = await reportsOn(crew, book, task).catch(() => []);
    const report = reports.find(({ kind }) => kind === 'report') ?? reports.find(({ kind }) => kind === 'progress');
    const done = report?.what_done ?? report?.message ?? lastWords;
    return [{ title, worker, done, ...defined({ open: report?.what_open, next: report?.next_steps }) }];
  };
  return (await Promise.all(tasks.filter(({ isSkipped }) => !isSkipped).map(said))).flat();
}

/** Newest first; what its worker reported on other tasks is not among them. */
export async function reportsOn(crew: Reading, book: Book, task: Task): Promise<readonly ReportView[]> {
  if (task.worker === undefined) return [];
  const workers = [{ worker: task.worker.id, ...spanOf(task, book) }];
  return (await crew.reports({ workers, next: false })).reports;
}
