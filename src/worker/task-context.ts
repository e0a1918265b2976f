// The task of a worker, its dependencies, and the open tasks of its crew, for get_context.
import { harmless } from '../model/attributed-note.ts';
import { isoTime } from '../model/clock.ts';
import { defined, unlessEmpty } from '../model/defined.ts';
import type { Book, Task } from '../model/task.ts';
import { stateOf } from '../model/task-progress.ts';
import { hasEnded } from '../model/task-state.ts';
import { taskReport } from '../wire/desk.ts';
import { outward } from '../wire/spoken.ts';
import type { Me } from './me.ts';
import { cutTo, type ReportEntry, reportsOn, shownReport } from './task-reports.ts';

export type Item = Readonly<Record<string, unknown>>;

const mostTasks = 30;
const reportChars = 3_000;

/** The whole of it, with what it depends on and what was reported there. */
export async function aboutTask(me: Me, task: Task, { book, isOwn }: { readonly book: Book; readonly isOwn: boolean }) {
  const plan = book.plans.get(task.planId ?? task.plansFor ?? '');
  const needs = task.dependsOn.flatMap((id) => book.tasks.get(id) ?? []);
  // Another worker wrote it where it has an author, and only its own task tells a worker what to do.
  const text = (words: string) => (isOwn && task.from === undefined ? words : harmless(words));
  return defined({
    ...headOf(task),
    ...(isOwn ? {} : await outcomeOf(me, task, { book, chars: reportChars })),
    acceptance_criteria: task.acceptanceCriteria === undefined ? undefined : text(task.acceptanceCriteria),
    touch_set: unlessEmpty(task.touchSet),
    files: unlessEmpty(task.files),
    plan: plan && defined({ name: plan.name, goal: plan.goal }),
    depends_on: unlessEmpty(await Promise.all(needs.map((need) => aboutEnded(me, need, { book, chars: reportChars })))),
    prompt: text(task.prompt),
  });
}

const headOf = (task: Task): Item =>
  defined({
    task_id: task.id,
    kind: task.kind,
    [task.kind === 'job' ? 'name' : 'title']: cutTo(200, task.title),
    state: stateOf(task),
    role: task.role,
    from: task.from?.name,
  });

/** With who worked on it, and what was said at last. */
export const aboutEnded = async (me: Me, task: Task, shown: Shown): Promise<Item> => ({
  ...headOf(task),
  ...(await outcomeOf(me, task, shown)),
});

interface Shown {
  readonly book: Book;
  /** Of each part of a report, at most. */
  readonly chars: number;
}

async function outcomeOf(me: Me, task: Task, { book, chars }: Shown): Promise<Item> {
  const [last] = await reportsOn(me, task, book);
  const words = task.lastWords ?? '';
  return defined({
    worker: task.worker?.name,
    branch: task.branch,
    ended_at: task.endedAt === undefined ? undefined : isoTime(task.endedAt),
    reason: task.reason === undefined ? undefined : cutTo(chars, task.reason),
    report: last && itemOf(last, chars),
    last_words: last !== undefined || words === '' ? undefined : cutTo(chars, words),
  });
}

export const itemOf = (entry: ReportEntry, chars: number): Item => outward(taskReport, shownReport(entry, chars));

/** Nothing where there are none. Pure. */
export function openTasks({ tasks, plans }: Book): readonly Item[] {
  const open = [...tasks.values()].filter((task) => !hasEnded(task));
  if (open.length === 0) return [];
  const shown = open.slice(0, mostTasks).map((task) =>
    defined({
      ...headOf(task),
      worker: task.worker?.name,
      plan: plans.get(task.planId ?? '')?.name,
    }),
  );
  return [{ open_tasks: shown, count: open.length }];
}

/** Newest first. Pure. */
export const endedTasks = ({ tasks }: Book): readonly Task[] =>
  [...tasks.values()].filter(hasEnded).toSorted((a, b) => (b.endedAt ?? 0) - (a.endedAt ?? 0));
