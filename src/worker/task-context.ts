// The task of a worker, its dependencies, and the open tasks of its crew, for get_context.
import { harmless } from '../model/attributed-note.ts';
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
export async function aboutTask(me: Me, task: Task, book: Book): Promise<Item> {
  const plan = book.plans.get(task.planId ?? '');
  const needs = task.dependsOn.flatMap((id) => book.tasks.get(id) ?? []);
  // Another worker wrote it where it has an author.
  const text = (words: string) => (task.from === undefined ? words : harmless(words));
  return defined({
    ...headOf(task),
    acceptance_criteria: task.acceptanceCriteria,
    touch_set: unlessEmpty(task.touchSet),
    files: unlessEmpty(task.files),
    plan: plan && defined({ name: plan.name, goal: plan.goal }),
    depends_on: unlessEmpty(await Promise.all(needs.map((need) => aboutNeed(me, need, book)))),
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

async function aboutNeed(me: Me, need: Task, book: Book): Promise<Item> {
  const [last] = await reportsOn(me, need, book);
  return defined({
    ...headOf(need),
    worker: need.worker?.name,
    branch: need.branch,
    report: last && itemOf(last, reportChars),
  });
}

const itemOf = (entry: ReportEntry, chars: number): Item => outward(taskReport, shownReport(entry, chars));

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
