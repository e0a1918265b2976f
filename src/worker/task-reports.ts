// What was reported on a task. Its worker may have reported on other work before and after it.
import { harmless } from '../model/attributed-note.ts';
import { isoTime } from '../model/clock.ts';
import { defined, unlessEmpty } from '../model/defined.ts';
import type { Book, Task } from '../model/task.ts';
import { spanOf } from '../model/task-state.ts';
import { type OutboxEntry, readOutbox } from '../store/outbox.ts';
import type { TaskReport } from '../wire/desk.ts';
import { dirOf, type Me } from './me.ts';

const mostFiles = 50;
const bytesOfEach = 256 * 1024;

export type ReportEntry = Extract<OutboxEntry, { kind: 'report' }>;

export const cutTo = (chars: number, text: string): string => {
  const clean = harmless(text);
  return clean.length > chars ? `${clean.slice(0, chars - 1)}…` : clean;
};

export const isReport = (entry: OutboxEntry): entry is ReportEntry => entry.kind === 'report';

/** Newest first. */
export async function reportsOn(me: Me, task: Task, book: Book): Promise<readonly ReportEntry[]> {
  if (task.worker === undefined) return [];
  const entries = await readOutbox(dirOf(me, task.worker.id), bytesOfEach);
  const { from, until } = spanOf(task, book);
  return entries
    .filter(isReport)
    .filter(({ at }) => at >= from && at < until)
    .reverse();
}

/** Each part shortened and made harmless; what is empty is left out. Pure. */
export function shownReport({ at, report }: ReportEntry, chars: number): TaskReport {
  const part = (text: string): string | undefined => (text.trim() === '' ? undefined : cutTo(chars, text));
  return defined({
    at: isoTime(at),
    whatDone: cutTo(chars, report.what_done),
    whatOpen: part(report.what_open),
    whatTested: part(report.what_tested),
    whatUntested: part(report.what_untested),
    nextSteps: part(report.next_steps),
    errorsEncountered: part(report.errors_encountered),
    filesChanged: unlessEmpty(report.files_changed.slice(0, mostFiles)),
  });
}
