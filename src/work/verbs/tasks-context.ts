// What the verbs of the room share: books, drivers, and how a task or plan is found and shown.
import type { Attention, Comparing, Feed, Planning, Proposing, Queries } from '../../crew/api.ts';
import type { Clock } from '../../model/clock.ts';
import { defined } from '../../model/defined.ts';
import { CrewError } from '../../model/errors.ts';
import { nearest } from '../../model/nearest.ts';
import type { Book, Plan, Task } from '../../model/task.ts';
import { planOf } from '../../model/task-state.ts';
import type { OpenBook } from '../../store/job-book.ts';
import { taskView } from '../../wire/task-view.ts';
import type { TaskView } from '../../wire/tasks.ts';
import type { JobBooks, Works } from '../drive/job-books.ts';
import { nextCallsOf } from '../judge/calls.ts';
import { shownTask, workOf } from '../judge/facts.ts';
import { pauseWords } from '../judge/pause.ts';
import type { TemplateSource } from '../templates/known.ts';

/** Enough to find and show. */
export interface TasksReader {
  readonly crew: Pick<Queries, 'work' | 'usageOf' | 'whoIs'> & Pick<Comparing, 'conflicts'> & Pick<Planning, 'place'>;
  readonly jobBooks: JobBooks;
  readonly clock: Clock;
  readonly limit: () => number;
  readonly drives: (crew: string) => boolean;
  /** The files that may be templates in a project, and with its user. */
  readonly templates: (project: string) => Promise<TemplateSource>;
}

/** Besides, what may hold up a plan. */
export type WarnsAhead = (plan: Plan, jobs: readonly Task[]) => Promise<readonly string[]>;

export interface TasksContext extends TasksReader {
  readonly crew: TasksReader['crew'] &
    Pick<Queries, 'reports'> &
    Planning &
    Feed &
    Proposing &
    Pick<Attention, 'deniesEditing' | 'seen'>;
  /** What is held starts by itself when there is room. */
  readonly startsHeld: () => boolean;
  /** Opens the book of a crew, and drives it if nobody else does. */
  readonly drive: (crew: string) => Promise<OpenBook>;
}

export interface FoundTask {
  readonly book: OpenBook;
  readonly task: Task;
}
export interface FoundPlan {
  readonly book: OpenBook;
  readonly plan: Plan;
}

/** By its id, in whatever book; rejects with those that are near. */
export async function findTask(room: TasksReader, id: string): Promise<FoundTask> {
  const found = await findIn(room, (book) => book.tasks.get(id));
  if (found !== undefined) return { book: found.book, task: found.value };
  const known = room.jobBooks.opened().flatMap((book) => [...book.now().tasks.values()].map((task) => task.id));
  throw unknown('task', id, { known, list: 'list_tasks' });
}

/** By its id, or by its name where only one that has not ended is called so. */
export async function findPlan(room: TasksReader, id: string): Promise<FoundPlan> {
  const found = (await findIn(room, (book) => book.plans.get(id))) ?? (await findIn(room, (book) => named(book, id)));
  if (found !== undefined) return { book: found.book, plan: found.value };
  const known = room.jobBooks.opened().flatMap((book) => [...book.now().plans.values()].map((plan) => plan.id));
  throw unknown('plan', id, { known, list: 'plan_status' });
}

function named({ plans }: Book, name: string): Plan | undefined {
  const called = [...plans.values()].filter((plan) => plan.name === name);
  return called.length === 1 ? called[0] : undefined;
}

export async function findIn<T>(
  { jobBooks }: TasksReader,
  look: (book: Book) => T | undefined,
): Promise<{ readonly book: OpenBook; readonly value: T } | undefined> {
  const among = () => {
    for (const book of jobBooks.opened()) {
      const value = look(book.now());
      if (value !== undefined) return { book, value };
    }
    return undefined;
  };
  await Promise.all(jobBooks.opened().map((book) => book.catchUp()));
  const near = among();
  if (near !== undefined) return near;
  await jobBooks.openAll();
  return among();
}

/** With those that are near. */
export function unknown(
  what: string,
  id: string,
  { known, list }: { readonly known: readonly string[]; readonly list: string },
): CrewError {
  const close = nearest(id, known);
  return new CrewError(
    'invalid_argument',
    `No ${what} has the id ${JSON.stringify(id)}.`,
    `${close === undefined ? '' : `Did you mean ${close}? `}${list} shows those there are.`,
  );
}

/** As callers see it, with the calls that are worth making now. */
export function viewOf(book: Book, works: Works, task: Task): TaskView {
  const facts = { book, works };
  const plan = planOf(facts, task);
  const work = workOf(facts, task);
  return taskView(
    { ...shownTask(task), ...defined({ reason: pauseWords(book, task) }) },
    {
      names: (id) => (task.planId === undefined ? undefined : book.tasks.get(id)?.title),
      nextCalls: nextCallsOf(task, { book, work, plan }),
      progress: work?.progress,
    },
  );
}
