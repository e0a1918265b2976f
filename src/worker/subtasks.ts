// Enters work for other workers into the crew's book of tasks.

import { defined } from '../model/defined.ts';
import { CrewError } from '../model/errors.ts';
import { newNonce } from '../model/ids.ts';
import { counted } from '../model/plural.ts';
import { type Book, freshProgress, type Task, type TaskOrder } from '../model/task.ts';
import { isActive } from '../model/task-state.ts';
import type { WorkerRecord } from '../model/worker.ts';
import { readBook, writeBook } from '../store/job-book.ts';
import type { WorkerLimits } from '../store/worker-token.ts';
import type { ReviewRequest, SubtaskRequest, SubtasksResult } from '../wire/desk.ts';
import { taskView } from '../wire/task-view.ts';
import type { TaskView } from '../wire/tasks.ts';
import { crewOf, type Me, say } from './me.ts';
import { reportsOn, shownReport } from './task-reports.ts';

export const createSubtask = (me: Me, { waitForMe, ...asked }: SubtaskRequest) =>
  enter(me, () => ({ kind: 'subtask', ...asked, afterFrom: waitForMe, files: [] }));

/** A review comes before new work, and after the turn that asks for it: its author may commit until then. */
export const requestReview = (me: Me, { description, files }: ReviewRequest): Promise<TaskView> =>
  enter(me, (mine) => {
    const [first = ''] = description.trim().split('\n');
    return {
      kind: 'review',
      title: `Review ${mine.name}: ${first.slice(0, 80)}`,
      prompt: reviewPrompt(mine, description),
      role: 'reviewer',
      priority: 7,
      afterFrom: true,
      files,
      ...defined({ base: mine.branch }),
    };
  });

function reviewPrompt({ name, branch, base }: WorkerRecord, description: string): string {
  const compared = base === undefined ? '' : ` git diff ${base.ref}...HEAD shows what it changed.`;
  const place =
    branch === undefined
      ? 'It works in a checkout that it shares, so you see only what is committed there.'
      : `Your worktree stands at the commit where its branch ${branch} stood when you were started.${compared}`;
  return `Review the work of ${name}. ${place} Change nothing. Hand in what you find with submit_report: ${name} and your manager read it. ${name} says of its work:\n\n${description}`;
}

export async function listSubtasks(me: Me): Promise<SubtasksResult> {
  const { mine } = await crewOf(me);
  const book = await readBook({ home: me.home, crew: mine.crew });
  const shown = async (task: Task) => {
    const [last] = await reportsOn(me, task, book);
    return { ...viewOf(task), ...defined({ report: last && shownReport(last, reportChars) }) };
  };
  const tasks = await Promise.all(enteredBy(mine, book).map(shown));
  return { tasks, count: tasks.length };
}

const reportChars = 1_500;

/** Its author may change nothing of it. */
const viewOf = (task: Task): TaskView => taskView(task, { names: () => undefined, nextCalls: [] });

const enteredBy = ({ id }: Pick<WorkerRecord, 'id'>, { tasks }: Book): readonly Task[] =>
  [...tasks.values()].filter(({ from }) => from?.id === id);

type Entered = Pick<
  TaskOrder,
  'kind' | 'title' | 'prompt' | 'role' | 'priority' | 'afterFrom' | 'files' | 'base' | 'acceptanceCriteria'
>;

async function enter(me: Me, ask: (mine: WorkerRecord) => Entered): Promise<TaskView> {
  const { mine } = await crewOf(me);
  const place = { home: me.home, crew: mine.crew };
  const order = subtaskOf(ask(mine), { mine, book: await readBook(place), limits: me.limits });
  const task: Task = { ...order, id: newNonce(), at: me.clock.now() };
  await writeBook(place, { tasks: [task] });
  await say(me, { kind: 'task', task: { id: task.id, kind: task.kind, title: task.title } });
  return viewOf(task);
}

interface Author {
  readonly mine: WorkerRecord;
  readonly book: Book;
  readonly limits: Pick<WorkerLimits, 'openSubtasks' | 'subtaskDepth' | 'startSubtasks'>;
}

/** The task as it is entered; throws `limit_reached`. Pure. */
export function subtaskOf(entered: Entered, { mine, book, limits }: Author): Omit<Task, 'id' | 'at'> {
  const depth = (ownTask(mine, book)?.depth ?? 0) + 1;
  if (depth > limits.subtaskDepth) {
    throw new CrewError(
      'limit_reached',
      `A task of yours would be ${depth} deep; ${limits.subtaskDepth} is the most (limits.subtask_depth).`,
      'Do it yourself, or name it in your report.',
    );
  }
  const waiting = enteredBy(mine, book).filter((task) => task.progress.is === 'queued');
  if (waiting.length >= limits.openSubtasks) {
    throw new CrewError(
      'limit_reached',
      `${counted(waiting.length, 'task')} of yours ${waiting.length === 1 ? 'is' : 'are'} queued; ${limits.openSubtasks} is the most (limits.open_subtasks).`,
      'Name the rest in your report.',
    );
  }
  const isHeld = !limits.startSubtasks;
  return {
    ...entered,
    ...freshProgress,
    ...(isHeld ? otherRole(entered, mine) : {}),
    dependsOn: [],
    project: mine.mainRepoPath ?? mine.projectPath,
    crew: mine.crew,
    from: { id: mine.id, name: mine.name },
    depth,
    isHeld,
    ...{ tags: [], touchSet: [], copyFiles: [], symlinkDirs: [], setupCommands: [] },
    maxRetries: 0,
    onComplete: 'none',
    keepWorker: false,
  };
}

/** Whoever starts it reads this first: a role may have more rights than the worker that names it. Pure. */
function otherRole({ kind, role }: Entered, { name, role: own }: WorkerRecord): Pick<Task, 'reason'> {
  if (kind !== 'subtask' || role === undefined || role === own) return {};
  const author = `${name}, who entered it, has ${own === undefined ? 'no role' : `role ${own}`}`;
  return { reason: `asks for role ${role}, and ${author}: its worker gets the rights of role ${role}` };
}

/** The task a worker is at, else the one it was started for. Pure. */
export function ownTask({ id, task }: Pick<WorkerRecord, 'id' | 'task'>, { tasks }: Book): Task | undefined {
  const at = [...tasks.values()].findLast((one) => one.worker?.id === id && isActive(one));
  return at ?? tasks.get(task?.id ?? '');
}
