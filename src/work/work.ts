// Opens the room of tasks and plans: reads the book of the server's own crew, and drives it where nobody else does.
import { join } from 'node:path';
import type { Crew, WorkerSpan } from '../crew/api.ts';
import { advise, call } from '../model/advice.ts';
import type { Clock } from '../model/clock.ts';
import { defined } from '../model/defined.ts';
import { CrewError } from '../model/errors.ts';
import { emptyBook } from '../model/task.ts';
import { spanOf } from '../model/task-state.ts';
import type { OpenBook } from '../store/job-book.ts';
import { digestOf } from '../system/digest.ts';
import type { Log } from '../system/log.ts';
import type { ProcessRef } from '../system/process.ts';
import type { Jobs } from './api.ts';
import { Driver, type TaskLimits } from './drive/driver.ts';
import { planBranchOf, proposedPlan, unendedIn } from './drive/finish.ts';
import { openJobBooks } from './drive/job-books.ts';
import { tasksOfPlan } from './judge/facts.ts';
import { planAhead } from './verbs/ahead.ts';
import { boardLines } from './verbs/board.ts';
import { runLoop } from './verbs/loops.ts';
import { pauseOrResume } from './verbs/pause.ts';
import { editPlan } from './verbs/plan-edit.ts';
import { approvePlan, cancelPlan, createPlan } from './verbs/plans.ts';
import { readProjects } from './verbs/projects.ts';
import { readDigest } from './verbs/read-digest.ts';
import { enterScheduled, scheduleTask } from './verbs/schedules.ts';
import { updateTask } from './verbs/task-change.ts';
import { listTasks, submitTask } from './verbs/tasks.ts';
import { findPlan, findTask, type TasksContext } from './verbs/tasks-context.ts';
import { planStatus, summarizeJobs } from './verbs/views.ts';
import { type ShownNeeds, waitTasks } from './verbs/wait.ts';

export interface JobsParts {
  readonly crew: Crew;
  readonly clock: Clock;
  /** The state folder. */
  readonly home: string;
  readonly lockPath: (name: string) => string;
  readonly me: ProcessRef;
  readonly logger: Log;
  readonly limits: () => TaskLimits;
  readonly templates: TasksContext['templates'];
  /** A visit is there for one act: what it changes is written down, and a server goes on from there. */
  readonly role: 'server' | 'keeper' | 'visit';
}

interface SetLimits {
  readonly max_parallel: number;
  readonly start_subtasks: boolean;
  readonly task_timeout_minutes?: number;
}

/** Of the settings. */
export const taskLimits = ({ limits }: { readonly limits: SetLimits }): TaskLimits => ({
  maxParallel: limits.max_parallel,
  startsSubtasks: limits.start_subtasks,
  ...defined({ timeoutMinutes: limits.task_timeout_minutes }),
});

export async function openJobs(parts: JobsParts): Promise<Jobs> {
  const { crew, clock, home, lockPath, me, logger, limits, templates, role } = parts;
  const onTrouble = (error: unknown) => logger.write('warn', 'the book of tasks could not be read', error);
  const jobBooks = openJobBooks(home, { clock, onTrouble });
  const drivers = new Map<string, Driver>();
  const drive = async (name: string): Promise<OpenBook> => {
    const book = await jobBooks.open(name);
    if (role !== 'visit' && !drivers.has(name)) {
      const locks = { lease: lockPath(`tasks-${digestOf(name)}`), room: lockPath('task-room') };
      drivers.set(
        name,
        new Driver({
          ...{ crew, book, jobBooks, clock, me, logger, locks, folder: join(home, 'tasks', 'kept'), limits },
          adopts: role === 'keeper' ? 'its-own' : 'all',
          enter: (schedule, entering) => enterScheduled(room, schedule, entering),
        }),
      );
    }
    return book;
  };
  const room: TasksContext = {
    ...{ crew, jobBooks, clock, drive, templates },
    limit: () => limits().maxParallel,
    startsHeld: () => limits().startsSubtasks,
    drives: (name) => drivers.get(name)?.isDriving === true,
  };
  const told: ShownNeeds = new Set();
  const own = await crew.place({ project: 'auto' }).catch(() => undefined);
  if (own !== undefined) await drive(own.crew);
  const stopBoards = jobBooks.onChange(() => {
    for (const book of jobBooks.opened()) crew.post(book.crew, boardLines(book.now()));
  });
  for (const book of jobBooks.opened()) crew.post(book.crew, boardLines(book.now()));
  return {
    submit: (order) => submitTask(room, order),
    list: (query) => listTasks(room, query),
    update: (order) => updateTask(room, order),
    wait: (order, run) => waitTasks(room, told, order, run),
    createPlan: (order) => createPlan(room, order),
    planStatus: ({ planId }) => planStatus(room, planId, (plan, jobs) => planAhead(room, plan, jobs)),
    approve: (order) => approvePlan(room, order),
    edit: (order) => editPlan(room, order),
    cancel: ({ planId }) => cancelPlan(room, planId),
    runLoop: (order) => runLoop(room, order),
    schedule: (order) => scheduleTask(room, order),
    propose: (order, run) => proposePlan(room, order, run),
    workersOf: (query) => workersOf(room, query),
    pauseOrResume: (order) => pauseOrResume(room, order),
    jobsSummary: (query = {}) => summarizeJobs(room, query.here),
    digest: ({ since }) => readDigest(room, crew, since),
    projects: () => readProjects(home, crew),
    onChange: jobBooks.onChange,
    async dispose() {
      stopBoards();
      await Promise.all([...drivers.values()].map((driver) => driver.close()));
      await jobBooks.close();
    },
  };
}

const proposePlan = async (
  room: TasksContext,
  { planId, ...order }: Parameters<Jobs['propose']>[0],
  run: Parameters<Jobs['propose']>[1],
) => {
  const { book, plan } = await findPlan(room, planId);
  const open = unendedIn(book.now(), plan);
  if (open.length > 0) {
    throw new CrewError(
      'worker_busy',
      `${open.map(({ title }) => title).join(', ')} of ${plan.name} ${open.length === 1 ? 'has' : 'have'} not landed yet, so the plan is not whole.`,
      advise`Wait for it with wait_tasks, or ${call('leave jobs out with edit_plan skip', 'have your manager leave jobs out')}.`,
    );
  }
  const proposed = await proposedPlan(room.crew, book.now(), plan);
  return room.crew.propose(
    { worker: planBranchOf(plan), plan: proposed, ...order, title: order.title ?? proposed.title ?? plan.name },
    run,
  );
};

async function workersOf(
  room: TasksContext,
  { taskId, planId }: Parameters<Jobs['workersOf']>[0],
): Promise<readonly WorkerSpan[]> {
  const tasks =
    taskId !== undefined
      ? [(await findTask(room, taskId)).task]
      : planId === undefined
        ? []
        : await jobsOfPlan(room, planId);
  const ids = new Set(tasks.map(({ id }) => id));
  const crews = [...new Set(tasks.map(({ crew }) => crew))];
  // Also those of earlier tries.
  const tagged = room.crew.work({ crews, tasks: ids }).flatMap(({ id, name, task: tag }) => {
    const task = tasks.find((one) => one.id === tag?.id);
    return task === undefined || task.worker?.id === id ? [] : [{ ...task, worker: { id, name } }];
  });
  const books = room.jobBooks.opened();
  return [...tasks, ...tagged].flatMap((task) => {
    const book = books.find(({ crew }) => crew === task.crew)?.now() ?? emptyBook;
    return task.worker === undefined ? [] : [{ worker: task.worker.id, ...spanOf(task, book) }];
  });
}

async function jobsOfPlan(room: TasksContext, planId: string) {
  const { book, plan } = await findPlan(room, planId);
  return tasksOfPlan(plan).flatMap((id) => book.now().tasks.get(id) ?? []);
}
