// The verbs of single tasks: enter, list, change.
import { defined } from '../../model/defined.ts';
import { CrewError } from '../../model/errors.ts';
import { newNonce } from '../../model/ids.ts';
import { type Brings, freshProgress, type Task } from '../../model/task.ts';
import type { TaskAsked } from '../../model/task-asked.ts';
import { stateOf } from '../../model/task-progress.ts';
import { errorKey, hasEnded, holdOf, isDecidable, planOf } from '../../model/task-state.ts';
import type { TaskWish } from '../../store/job-book.ts';
import type {
  ListTasksRequest,
  ListTasksResult,
  SubmitTaskRequest,
  SubmitTaskResult,
  TaskView,
  UpdateTaskRequest,
} from '../../wire/tasks.ts';
import { bringsBy } from '../drive/brings.ts';
import { worksIn } from '../drive/job-books.ts';
import { call } from '../judge/calls.ts';
import { lands } from '../judge/facts.ts';
import { findPlan, findTask, type TasksContext, type TasksReader, viewOf } from './tasks-context.ts';

/** A task with everything at rest. */
export const restingTask = {
  ...freshProgress,
  kind: 'task',
  priority: 5,
  dependsOn: [],
  afterFrom: false,
  depth: 0,
  isHeld: false,
  files: [],
  tags: [],
  touchSet: [],
  copyFiles: [],
  symlinkDirs: [],
  setupCommands: [],
  maxRetries: 0,
  onComplete: 'none',
  keepWorker: false,
} as const satisfies Partial<Task>;

export async function submitTask(
  room: TasksContext,
  order: SubmitTaskRequest & { readonly here?: string },
): Promise<SubmitTaskResult> {
  const { projectPath: project, here, dependsOn, ...asked } = order;
  const place = await room.crew.place({ project, ...defined({ here }) });
  if (asked.onComplete !== 'none' && place.repoPath === undefined) {
    throw new CrewError(
      'not_a_repository',
      `${place.project} is in no git repository, so nothing of it can be landed.`,
      'Leave on_complete out, or run `git init` there and commit once.',
    );
  }
  const brings = await bringsAt(room, order, place);
  const before = await dependencies(room, dependsOn, place);
  const book = await room.drive(place.crew);
  const task: Task = {
    ...restingTask,
    ...asked,
    id: newNonce(),
    dependsOn: before.map(({ id }) => id),
    project: place.project,
    crew: place.crew,
    brings,
    at: room.clock.now(),
  };
  const asking = await room.crew.asksAhead({ project, ...defined({ here }), starts: [startOf(task)] });
  await book.write({ tasks: [task] });
  await room.crew.tell([
    { type: 'task_created', subject: task.id, crew: task.crew, data: { task_id: task.id, title: task.title } },
  ]);
  return submitted(viewOf(book.now(), worksIn(room, [book], [task]), book.now().tasks.get(task.id) ?? task), [
    ...before.filter(landsNowhere).map(apartWords),
    ...asking,
  ]);
}

/** Outside of a repository nothing can be committed. */
function bringsAt(
  { crew }: TasksContext,
  { brings, role, preset }: Pick<SubmitTaskRequest, 'brings' | 'role' | 'preset'>,
  { project, repoPath }: Awaited<ReturnType<TasksContext['crew']['place']>>,
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
async function dependencies(
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

/** Its worker, as far as it is known before the start. */
const startOf = (task: Task) => ({ name: task.title, lands: lands(task), ...aheadOf(task) });

/** What of it can be judged before the start of its worker. Pure. */
export function aheadOf(asked: TaskAsked) {
  const { agentType, model, role, preset, permissionMode, skipPermissions, sandbox, mcpConfig, maxCostUsd } = asked;
  return defined({
    ...{ agentType, model, role, preset, permissionMode, skipPermissions, sandbox, maxCostUsd },
    mcpServers: mcpConfig,
  });
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

const apartWords = ({ title, id }: Task): string =>
  `${title} (${id}) lands nowhere by itself, so this task does not start from its work: submit such a task with on_complete "merge", or name its branch as the base of this one.`;

export async function listTasks(room: TasksReader, query: ListTasksRequest): Promise<ListTasksResult> {
  const { state, planId, role, tag, taskId } = query;
  if (taskId !== undefined) await findTask(room, taskId);
  const plan = planId === undefined ? undefined : (await findPlan(room, planId)).plan;
  const books = room.jobBooks.opened();
  await Promise.all(books.map((book) => book.catchUp()));

  const isAsked = (task: Task) =>
    (state === undefined || stateOf(task) === state) &&
    (plan === undefined || task.planId === plan.id) &&
    (role === undefined || task.role === role) &&
    (tag === undefined || task.tags.includes(tag)) &&
    (taskId === undefined || task.id === taskId);
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

const isOver = ({ endedAt }: TaskView): boolean => endedAt !== undefined;

export async function updateTask(room: TasksContext, order: UpdateTaskRequest): Promise<TaskView> {
  const { book, task } = await findTask(room, order.taskId);
  const plan = planOf({ book: book.now() }, task);
  if (plan?.isCancelled && order.action !== 'cancel')
    throw new CrewError(
      'invalid_argument',
      `${task.title} is a job of the plan ${plan.name}, which was cancelled.`,
      'Make another with create_plan, with base on a branch that keeps its work.',
    );
  const patch = patchFor(task, order, room.clock.now());
  await room.drive(book.crew);
  await book.write({ tasks: [{ id: task.id, ...patch }] });
  const data = { task_id: task.id, title: task.title, action: order.action };
  await room.crew.tell([{ type: 'task_changed', subject: task.id, crew: task.crew, data }]);
  return viewOf(book.now(), worksIn(room, [book], [task]), book.now().tasks.get(task.id) ?? task);
}

type Wish = Omit<TaskWish, 'id'>;

/** Throws what is wrong with the wish, and what would do. Pure. */
export function patchFor(
  task: Task,
  { action, priority, prompt, title, brings }: UpdateTaskRequest,
  now: number,
): Wish {
  const wrong = (words: string, hint: string) => new CrewError('invalid_argument', `${task.title} ${words}.`, hint);
  const isUnstarted = task.progress.is === 'queued' && task.progress.next === undefined;
  switch (action) {
    case 'start':
      if (task.isHeld && isUnstarted) return { isHeld: false, reason: null, ...defined({ priority }) };
      throw wrong(
        `is ${stateOf(task)} and needs no start`,
        'retry tries a failed one again; prioritise lets one go first.',
      );
    case 'cancel':
      if (!hasEnded(task)) return { isCancelled: true };
      throw wrong(`has ended: ${stateOf(task)}`, 'Nothing is left to cancel. close_workers ends its worker.');
    case 'retry':
      if (task.isSkipped)
        throw wrong('was left out of its plan', 'edit_plan with add puts a job into the plan that does the same.');
      if (isDecidable(task))
        return {
          isCancelled: false,
          decisions: {
            [errorKey(task)]: { action: prompt === undefined ? 'retry' : 'relaunch', at: now, ...defined({ prompt }) },
          },
        };
      throw wrong(
        `is ${stateOf(task)}, and only what has failed or was cancelled is tried again`,
        'message_workers talks to its worker; cancel ends it.',
      );
    case 'prioritise':
      if (priority !== undefined) return { priority };
      throw wrong('got no priority', 'Pass priority, 0 to 10.');
    case 'edit':
      if (brings === 'report' && holdOf(task)?.why === 'nothing' && prompt === undefined && title === undefined)
        return { brings, decisions: { [errorKey(task)]: { action: 'accept', at: now } } };
      if (brings !== undefined && prompt === undefined && title === undefined && !hasEnded(task)) return { brings };
      if (!isUnstarted)
        throw wrong(`is ${stateOf(task)}, so its prompt is with its worker`, 'Tell the worker with message_workers.');
      if (prompt === undefined && title === undefined)
        throw wrong('got neither prompt nor title nor brings', 'Pass what is to change.');
      if (task.planId !== undefined && title !== undefined)
        throw wrong('is a job, which keeps its name', 'Pass the prompt alone.');
      return defined({ prompt, title, brings });
  }
}
