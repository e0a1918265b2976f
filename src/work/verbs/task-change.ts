// The verb that changes a task: what is edited is checked as that of a new one.
import { defined } from '../../model/defined.ts';
import { CrewError } from '../../model/errors.ts';
import type { Book, Task } from '../../model/task.ts';
import { stateOf } from '../../model/task-progress.ts';
import { errorKey, hasEnded, holdOf, isDecidable, planOf } from '../../model/task-state.ts';
import type { TaskWish } from '../../store/job-book.ts';
import type { ProjectAction, SubmitTaskResult, TaskEdit, UpdateTaskRequest } from '../../wire/tasks.ts';
import { worksIn } from '../drive/job-books.ts';
import { startOfTask } from '../drive/job-tasks.ts';
import { apartWarnings, bringsAt, dependencies, type Place, refuseLanding } from './tasks.ts';
import { findTask, type TasksContext, viewOf } from './tasks-context.ts';

/** `edit` holds all that is to be edited. */
export interface TaskUpdateOrder extends Pick<UpdateTaskRequest, 'priority' | 'prompt'> {
  readonly taskId: string;
  readonly action: Exclude<UpdateTaskRequest['action'], ProjectAction>;
  readonly edit?: TaskEdit;
}

export async function updateTask(room: TasksContext, order: TaskUpdateOrder): Promise<SubmitTaskResult> {
  const { book, task } = await findTask(room, order.taskId);
  const plan = planOf({ book: book.now() }, task);
  if (plan?.isCancelled && order.action !== 'cancel')
    throw new CrewError(
      'invalid_argument',
      `${task.title} is a job of the plan ${plan.name}, which was cancelled.`,
      'Make another with create_plan, with base on a branch that keeps its work.',
    );
  const wish = patchFor(task, order, room.clock.now());
  const { warnings, ...checked } = await checkEdit(room, book.now(), { task, ...order });
  await room.drive(book.crew);
  await book.write({ tasks: [{ id: task.id, ...wish, ...checked }] });
  const data = { task_id: task.id, title: task.title, action: order.action };
  await room.crew.tell([{ type: 'task_changed', subject: task.id, crew: task.crew, data }]);
  const view = viewOf(book.now(), worksIn(room, [book], [task]), book.now().tasks.get(task.id) ?? task);
  return { ...view, ...(warnings.length > 0 && { warnings }) };
}

interface Checked extends Pick<Task, 'brings'> {
  readonly warnings: readonly string[];
}

/** Throws what a new task would be refused for; resolves to its warnings, and what it brings by its new rules. */
async function checkEdit(
  room: TasksContext,
  book: Book,
  { task, action, edit = {} }: Pick<TaskUpdateOrder, 'action' | 'edit'> & { readonly task: Task },
): Promise<Checked> {
  // Nobody has checked yet what a worker has entered.
  if (Object.keys(edit).length === 0 && action !== 'start') return { warnings: [] };
  const after = { ...task, ...edit };
  const place = await room.crew.place({ project: task.project });
  refuseLanding(place, edit);
  const before = await dependencies(room, edit.dependsOn ?? [], { crew: task.crew, project: task.project });
  refuseCircle(book, after);
  const asking = await room.crew.asksAhead({ project: task.project, starts: [startOfTask(after)] });
  return { ...(await bringsAfter(room, { task, edit, place })), warnings: [...apartWarnings(before), ...asking] };
}

interface Edit {
  readonly task: Task;
  readonly edit: TaskEdit;
  readonly place: Place;
}

async function bringsAfter(room: TasksContext, { task, edit, place }: Edit): Promise<Pick<Task, 'brings'>> {
  if (edit.brings !== undefined) return { brings: await bringsAt(room, edit, place) };
  if (task.brings === undefined || (edit.role === undefined && edit.preset === undefined)) return {};
  const after = { ...task, ...edit };
  const byRules = (one: Task) => bringsAt(room, defined({ role: one.role, preset: one.preset }), place);
  // Somebody has said what it brings, against the rules of its role.
  return (await byRules(task)) === task.brings ? { brings: await byRules(after) } : {};
}

function refuseCircle({ tasks }: Book, { id, title, dependsOn }: Task): void {
  const before = new Set(dependsOn);
  for (const one of before) for (const next of tasks.get(one)?.dependsOn ?? []) before.add(next);
  if (!before.has(id)) return;
  throw new CrewError(
    'invalid_argument',
    `${title} would depend on itself, through ${dependsOn.join(', ')}.`,
    'Leave out of depends_on what waits for it; list_tasks shows what does.',
  );
}

type Wish = Omit<TaskWish, 'id'>;

/** Throws what is wrong with the wish, and what would do. Pure. */
export function patchFor(task: Task, { action, priority, prompt, edit = {} }: TaskUpdateOrder, now: number): Wish {
  const wrong = (words: string, hint: string) => new CrewError('invalid_argument', `${task.title} ${words}.`, hint);
  switch (action) {
    case 'start':
      if (task.isHeld && isUnstarted(task)) return { isHeld: false, reason: null, ...edit, ...defined({ priority }) };
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
      return editPatch(task, edit, now);
  }
}

const isUnstarted = ({ progress }: Task): boolean => progress.is === 'queued' && progress.next === undefined;

/** What a job has from its plan. */
const ofPlans = {
  ...{ title: 'title', dependsOn: 'depends_on', base: 'base', tags: 'tags', start: 'start' },
  ...{ maxRetries: 'max_retries', timeoutMinutes: 'timeout_minutes', keepWorker: 'keep_worker' },
  ...{ onComplete: 'on_complete', strategy: 'strategy', testCommand: 'test_command' },
} as const satisfies Partial<Record<keyof TaskEdit, string>>;

function editPatch(task: Task, edit: TaskEdit, now: number): Wish {
  const wrong = (words: string, hint: string) => new CrewError('invalid_argument', `${task.title} ${words}.`, hint);
  const names = Object.keys(edit);
  const { start, ...fields } = edit;
  const isBringsAlone = edit.brings !== undefined && names.length === 1;
  if (edit.brings === 'report' && isBringsAlone && holdOf(task)?.why === 'nothing')
    return { ...fields, decisions: { [errorKey(task)]: { action: 'accept', at: now } } };
  if (isBringsAlone && !hasEnded(task)) return fields;
  if (!isUnstarted(task))
    throw wrong(`is ${stateOf(task)}, so its prompt is with its worker`, 'Tell the worker with message_workers.');
  if (names.length === 0) throw wrong('got nothing to change', 'Pass what is to change; submit_task has the fields.');
  const foreign =
    task.planId === undefined
      ? []
      : names.flatMap((name) => Object.entries(ofPlans).find(([one]) => one === name)?.[1] ?? []);
  if (foreign.length > 0)
    throw wrong(
      `is a job, which has ${foreign.join(', ')} from its plan`,
      'Leave that out; edit_plan changes what it depends on.',
    );
  return { ...fields, ...(start !== undefined && { isHeld: !start }) };
}
