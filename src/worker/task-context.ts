// The task of a worker, its dependencies, and the open tasks of its crew, for get_context.
import { harmless } from '../model/attributed-note.ts';
import { isoTime } from '../model/clock.ts';
import { defined, unlessEmpty } from '../model/defined.ts';
import type { Book, Task } from '../model/task.ts';
import { stateOf } from '../model/task-progress.ts';
import { hasEnded } from '../model/task-state.ts';
import { readOutbox } from '../store/outbox.ts';
import { dirOf, type Me } from './me.ts';

export type Item = Readonly<Record<string, unknown>>;

const mostTasks = 30;
const mostFiles = 50;
const bytesOfEach = 256 * 1024;

export const cutTo = (chars: number, text: string): string => {
  const clean = harmless(text);
  return clean.length > chars ? `${clean.slice(0, chars - 1)}…` : clean;
};

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
    depends_on: unlessEmpty(await Promise.all(needs.map((need) => aboutNeed(me, need)))),
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

async function aboutNeed(me: Me, need: Task): Promise<Item> {
  const { worker, branch } = need;
  return defined({
    ...headOf(need),
    worker: worker?.name,
    branch,
    report: worker === undefined ? undefined : await lastReport(me, worker.id, need),
  });
}

/** The newest since its work began: a worker that was there before has reported on other work, too. */
async function lastReport(me: Me, workerId: string, { startedAt, at: enteredAt }: Task): Promise<Item | undefined> {
  const entries = await readOutbox(dirOf(me, workerId), bytesOfEach);
  const last = entries.findLast(({ kind, at }) => kind === 'report' && at >= (startedAt ?? enteredAt));
  if (last?.kind !== 'report') return undefined;
  const { files_changed, what_done, what_open, what_tested, what_untested, next_steps } = last.report;
  const told = Object.entries({ what_done, what_open, what_tested, what_untested, next_steps })
    .filter(([, words]) => words.trim() !== '')
    .map(([name, words]) => [name, cutTo(3_000, words)]);
  return { at: isoTime(last.at), ...Object.fromEntries(told), files_changed: files_changed.slice(0, mostFiles) };
}

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
