// The verbs of single tasks: enter and list.
import { defined } from '../../model/defined.ts';
import { CrewError } from '../../model/errors.ts';
import { newNonce } from '../../model/ids.ts';
import type { Brings, Task } from '../../model/task.ts';
import { stateOf } from '../../model/task-progress.ts';
import { hasEnded } from '../../model/task-state.ts';
import type {
  ListTasksRequest,
  ListTasksResult,
  SubmitTaskRequest,
  SubmitTaskResult,
  TaskView,
} from '../../wire/tasks.ts';
import { bringsBy, commitWarnings } from '../drive/brings.ts';
import { type Entering, notedBy } from '../drive/fire.ts';
import { worksIn } from '../drive/job-books.ts';
import { restingTask, startOfTask } from '../drive/job-tasks.ts';
import { call } from '../judge/calls.ts';
import { findPlan, findTask, type TasksContext, type TasksReader, viewOf } from './tasks-context.ts';

export async function submitTask(
  room: TasksContext,
  order: SubmitTaskRequest & { readonly here?: string },
  entering?: Entering,
): Promise<SubmitTaskResult> {
  const { projectPath: _, here, dependsOn, start, ...asked } = order;
  const { place, brings, before, warnings } = await checkTask(room, order);
  const book = await room.drive(place.crew);
  const task: Task = {
    ...restingTask,
    ...asked,
    id: entering?.id ?? newNonce(),
    dependsOn: before.map(({ id }) => id),
    project: place.project,
    crew: place.crew,
    brings,
    isHeld: !start,
    at: room.clock.now(),
  };
  await book.write({ tasks: [task], ...notedBy(entering) });
  await room.crew.tell([
    { type: 'task_created', subject: task.id, crew: task.crew, data: { task_id: task.id, title: task.title } },
  ]);
  return submitted(viewOf(book.now(), worksIn(room, [book], [task]), book.now().tasks.get(task.id) ?? task), [
    ...apartWarnings(before),
    ...warnings,
  ]);
}

/** Throws what a task is refused for, and makes nothing. */
export async function checkTask(room: TasksContext, order: SubmitTaskRequest & { readonly here?: string }) {
  const { projectPath: project, here } = order;
  const place = await room.crew.place({ project, ...defined({ here }) });
  refuseLanding(place, order);
  const brings = await bringsAt(room, order, place);
  const before = await dependencies(room, order.dependsOn, place);
  const asking = await room.crew.asksAhead({ project, ...defined({ here }), starts: [startOfTask(order)] });
  const idle = await commitWarnings(room.crew, place.repoPath ?? place.project, [{ ...order, name: order.title }]);
  return { place, brings, before, warnings: [...asking, ...idle] };
}

export type Place = Awaited<ReturnType<TasksContext['crew']['place']>>;

/** Throws where work is to land and there is no repository. */
export function refuseLanding(
  { project, repoPath }: Pick<Place, 'project' | 'repoPath'>,
  { onComplete = 'none' }: Partial<Pick<Task, 'onComplete'>>,
): void {
  if (onComplete === 'none' || repoPath !== undefined) return;
  throw new CrewError(
    'not_a_repository',
    `${project} is in no git repository, so nothing of it can be landed.`,
    'Leave on_complete out, or run `git init` there and commit once.',
  );
}

/** Outside of a repository nothing can be committed. */
export function bringsAt(
  { crew }: Pick<TasksContext, 'crew'>,
  { brings, role, preset }: Pick<SubmitTaskRequest, 'brings' | 'role' | 'preset'>,
  { project, repoPath }: Pick<Place, 'project' | 'repoPath'>,
): Promise<Brings> | Brings {
  const asked = { kind: 'task', ...defined({ brings, role, preset }) } as const;
  if (repoPath !== undefined) return bringsBy(crew, { ...asked, project: repoPath });
  if (brings !== 'commit') return 'report';
  throw new CrewError(
    'not_a_repository',
    `${project} is in no git repository, so nothing can be committed there.`,
    'Leave brings out, or run `git init` there and commit once.',
  );
}

/** Throws for a task of another project. */
export async function dependencies(
  room: TasksContext,
  ids: readonly string[],
  place: { readonly crew: string; readonly project: string },
): Promise<readonly Task[]> {
  const before = (await Promise.all(ids.map((id) => findTask(room, id)))).map(({ task }) => task);
  const foreign = before.find((task) => task.crew !== place.crew);
  if (foreign === undefined) return before;
  throw new CrewError(
    'invalid_argument',
    `${foreign.title} (${foreign.id}) is a task of ${foreign.project}, and this one is of ${place.project}.`,
    'A task depends on tasks of its own project only. Submit this one when that one has ended: wait_tasks tells when.',
  );
}

/** The call that tells of its end, and what its place among other tasks does not bring it. Pure. */
function submitted(view: TaskView, warnings: readonly string[]): SubmitTaskResult {
  const wait = call('wait_tasks', { task_ids: [view.taskId] });
  return {
    ...view,
    nextCalls: view.nextCalls.length === 0 ? [wait] : view.nextCalls,
    ...(warnings.length > 0 && { warnings }),
  };
}

const landsNowhere = ({ planId, onComplete }: Task): boolean => planId === undefined && onComplete === 'none';

/** Of what a task is to depend on. Pure. */
export const apartWarnings = (before: readonly Task[]): readonly string[] =>
  before.filter(landsNowhere).map(apartWords);

const apartWords = ({ title, id }: Task): string =>
  `${title} (${id}) lands nowhere by itself, so this task does not start from its work: submit such a task with on_complete "merge", or name its branch as the base of this one.`;

export async function listTasks(room: TasksReader, query: ListTasksRequest): Promise<ListTasksResult> {
  const { planId, taskId, from } = query;
  if (taskId !== undefined) await findTask(room, taskId);
  const plan = planId === undefined ? undefined : (await findPlan(room, planId)).plan;
  const books = room.jobBooks.opened();
  await Promise.all(books.map((book) => book.catchUp()));

  const author = from === undefined ? undefined : await authorOf(room, from);
  const isAsked = asks({ ...query, ...defined({ planId: plan?.id, author }) });
  const asked = books.flatMap((book) => {
    const now = book.now();
    return [...now.tasks.values()].filter(isAsked).map((task) => ({ now, task }));
  });
  const works = worksIn(
    room,
    books,
    asked.map(({ task }) => task),
  );
  const tasks = asked.map(({ now, task }) => viewOf(now, works, task));
  const sorted = tasks.toSorted(
    (a, b) => Number(isOver(a)) - Number(isOver(b)) || b.createdAt.localeCompare(a.createdAt),
  );
  const driven = books.filter((book) => room.drives(book.crew)).length;
  const open = books.some((book) => [...book.now().tasks.values()].some((task) => !hasEnded(task)));
  return {
    tasks: sorted,
    count: sorted.length,
    running: room.jobBooks.active(),
    limit: room.limit(),
    driver: driven > 0 ? 'this' : open ? 'other' : 'none',
  };
}

type Asked = Omit<ListTasksRequest, 'from'> & { readonly author?: string };

/** Pure. */
const asks =
  ({ state, planId, role, tag, taskId, kind, author }: Asked) =>
  (task: Task): boolean =>
    (state === undefined || stateOf(task) === state) &&
    (planId === undefined || (task.planId ?? task.plansFor) === planId) &&
    (role === undefined || task.role === role) &&
    (tag === undefined || task.tags.includes(tag)) &&
    (taskId === undefined || task.id === taskId) &&
    (kind === undefined || task.kind === kind) &&
    (author === undefined || task.from?.id === author);

/** The id of a worker, also of one that only its tasks still name. */
async function authorOf({ crew, jobBooks }: TasksReader, from: string): Promise<string> {
  try {
    return (await crew.whoIs({ worker: from })).id;
  } catch (error) {
    const authors = jobBooks
      .opened()
      .flatMap((book) => [...book.now().tasks.values()].flatMap((task) => task.from ?? []));
    const wanted = from.trim().toLowerCase();
    const author = authors.findLast(({ id, name }) => id === wanted || name.toLowerCase() === wanted);
    if (author === undefined || !isUnknown(error)) throw error;
    return author.id;
  }
}

const isUnknown = (error: unknown): boolean => error instanceof CrewError && error.code === 'unknown_worker';

const isOver = ({ endedAt }: TaskView): boolean => endedAt !== undefined;
