// Waits for tasks: until they end, a plan needs a decision, or a worker needs somebody. Looks only at changes.
import type { Run, Work } from '../../crew/api.ts';
import { isoTime } from '../../model/clock.ts';
import { defined, unlessEmpty } from '../../model/defined.ts';
import { CrewError } from '../../model/errors.ts';
import { type Book, type Plan, type PlanState, planHasEnded, type Task } from '../../model/task.ts';
import { taskEnds, stateOf as taskState } from '../../model/task-progress.ts';
import { hasEnded, isOver as hasItsEnd, holdOf, isActive, isStuck, startsByCall } from '../../model/task-state.ts';
import type { OpenBook } from '../../store/job-book.ts';
import { type AttentionView, attention } from '../../wire/attention.ts';
import { list } from '../../wire/parts.ts';
import { type ReportView, report as reportShape } from '../../wire/reports.ts';
import { endKey, waitKey } from '../../wire/shown-keys.ts';
import { inward } from '../../wire/spoken.ts';
import type { CheckpointView, EndedTask, TaskView, WaitTasksRequest, WaitTasksResult } from '../../wire/tasks.ts';
import { reportsOn } from '../drive/handed-on.ts';
import { type Works, worksIn } from '../drive/job-books.ts';
import { checkpointView, eachOnce } from '../judge/calls.ts';
import { checkpointsOf, shownState } from '../judge/checkpoint.ts';
import { whoseWork, workOf } from '../judge/facts.ts';
import { gone } from '../judge/outcomes.ts';
import { pauseWords, planPauseWords } from '../judge/pause.ts';
import { planIsPast } from '../judge/plan-step.ts';
import { taskStep } from '../judge/task-step.ts';
import { findPlan, findTask, type TasksContext, viewOf } from './tasks-context.ts';

type WaitOrder = WaitTasksRequest & { readonly timeoutMs: number };

interface Awaited {
  readonly books: readonly OpenBook[];
  /** Ids of the tasks, as they are asked for or stand in the plan now. */
  readonly ids: () => readonly string[];
  readonly plan: () => { readonly book: Book; readonly plan: Plan } | undefined;
}

const progressEveryMs = 15_000;

/** What callers were told of, so that the same need does not end a wait twice. */
export type ShownNeeds = Set<string>;

export async function waitTasks(
  room: TasksContext,
  told: ShownNeeds,
  order: WaitOrder,
  run: Run,
): Promise<WaitTasksResult> {
  const awaited = await awaitedBy(room, order);
  // Whoever waits wants it to go on, also in a project that is not this server's own.
  await Promise.all(awaited.books.map(({ crew }) => room.drive(crew)));
  const { clock } = room;
  const startedAt = clock.now();
  // The answer shows what ended the wait, though it may have passed a moment later.
  const { state, timedOut } = await new Promise<{ state: Waiting; timedOut: boolean }>((resolve) => {
    const look = () => {
      const now = stateOf(room, awaited);
      if (run.signal.aborted || isOver(now, order, told)) end(now);
    };
    const stops = [
      room.jobBooks.onChange(look),
      room.crew.onChange(look),
      clock.after(order.timeoutMs, () => {
        const now = stateOf(room, awaited);
        end(now, !isOver(now, order, told));
      }),
    ];
    let cancelTell: () => void = () => undefined;
    const tell = () => {
      cancelTell = clock.after(progressEveryMs, () => {
        run.tell(`waiting on ${stateOf(room, awaited).waitingOn.join(', ')}`);
        tell();
      });
    };
    const end = (state: Waiting, timedOut = false) => {
      for (const stop of [...stops, cancelTell]) stop();
      run.signal.removeEventListener('abort', look);
      resolve({ state, timedOut });
    };
    run.signal.addEventListener('abort', look);
    tell();
    look();
  });
  for (const need of state.attention) told.add(keyOf(need));
  room.crew.seen(seenIn(state, order.planId));
  const views = state.tasks.map(({ book, works, task }) => viewOf(book, works, task));
  const lists = [state.checkpoint?.calls ?? [], ...views.map(({ nextCalls }) => nextCalls)];
  const [pointCalls = [], ...calls] = eachOnce(lists);
  const checkpoint = state.checkpoint && { ...state.checkpoint, calls: pointCalls };
  return {
    tasks: await endedViews(room, state.tasks, { views, calls, checkpoint }),
    allEnded: state.waitingOn.length === 0,
    ended: state.ended,
    waitingOn: state.waitingOn,
    ...defined({ planState: state.planState, checkpoint }),
    attention: inward(list(attention), state.attention),
    timedOut,
    waitedSeconds: Math.round((clock.now() - startedAt) / 100) / 10,
    cursor: room.crew.cursor(),
  };
}

async function awaitedBy(room: TasksContext, { taskIds, planId }: WaitOrder): Promise<Awaited> {
  if ((taskIds === undefined) === (planId === undefined)) {
    throw new CrewError(
      'invalid_argument',
      taskIds === undefined ? 'Neither task_ids nor plan_id is given.' : 'Both task_ids and plan_id are given.',
      'Pass one of them; list_tasks and plan_status show the ids.',
    );
  }
  if (planId !== undefined) {
    const { book, plan } = await findPlan(room, planId);
    const now = () => book.now().plans.get(plan.id) ?? plan;
    return { books: [book], ids: () => whoseWork(now()), plan: () => ({ book: book.now(), plan: now() }) };
  }
  const found = await Promise.all((taskIds ?? []).map((id) => findTask(room, id)));
  const ids = found.map(({ task }) => task.id);
  return { books: [...new Set(found.map(({ book }) => book))], ids: () => ids, plan: () => undefined };
}

interface Seen {
  readonly book: Book;
  readonly task: Task;
  readonly works: Works;
}

interface Waiting {
  readonly tasks: readonly Seen[];
  readonly ended: readonly string[];
  readonly waitingOn: readonly string[];
  readonly planHasEnded: boolean | undefined;
  readonly planState: PlanState | undefined;
  /** Nothing goes on without a decision. */
  readonly isStuck: boolean;
  /** Nothing goes on before the project does. */
  readonly isPaused: boolean;
  readonly checkpoint: CheckpointView | undefined;
  readonly attention: readonly AttentionView[];
}

function stateOf(room: TasksContext, { books, ids, plan }: Awaited): Waiting {
  const works = worksIn(
    room,
    books,
    ids().map((id) => ({ id })),
  );
  const tasks = ids().flatMap((id) => {
    const book = books.map((one) => one.now()).find((one) => one.tasks.has(id));
    const task = book?.tasks.get(id);
    return book === undefined || task === undefined ? [] : [{ book, task, works }];
  });
  const nameOf = ({ task: { planId, title, id } }: Seen) => (planId === undefined ? id : title);
  const whole = plan();
  // What is held waits for a call.
  const startsHeld = room.startsHeld();
  const points = tasks.flatMap(({ book, task }) => {
    const own = task.planId === undefined ? undefined : book.plans.get(task.planId);
    return own === undefined
      ? []
      : checkpointsOf(book, own)
          .filter(({ job }) => job?.id === task.id)
          .map((point) => checkpointView(own, point));
  });
  const [ofPlan] =
    whole === undefined ? [] : checkpointsOf(whole.book, whole.plan).map((point) => checkpointView(whole.plan, point));
  const isStuckIn = ({ book, task }: Seen) =>
    hasItsEnd(task) || isStuck(book, task) || (startsByCall(task, startsHeld) && !isActive(task));
  const isHeld = ({ book, task }: Seen) => pauseWords(book, task) !== undefined;
  return {
    tasks,
    ended: tasks.filter(({ task }) => hasItsEnd(task)).map(nameOf),
    waitingOn: tasks.filter(({ task }) => !hasItsEnd(task)).map(nameOf),
    planHasEnded: whole && planIsPast(whole.book, whole.plan),
    planState: whole && shownState(whole.book, whole.plan),
    isStuck: tasks.every(isStuckIn),
    isPaused:
      (whole !== undefined && planPauseWords(whole.book, whole.plan) !== undefined) ||
      (tasks.some(isHeld) && tasks.every((one) => isHeld(one) || isStuckIn(one))),
    checkpoint: whole === undefined ? points[0] : ofPlan,
    attention: tasks.flatMap((one) => needsOf(one)),
  };
}

/** What its worker needs somebody for; a task that stands still without such a need is one itself. Pure. */
export function needsOf({ book, task, works }: Seen): readonly AttentionView[] {
  const work = workOf({ works }, task);
  if (hasEnded(task)) return [];
  // The end of its agent is a failure of the task, which is tried again or ends with it.
  if (work !== undefined && gone(work)) return [];
  if (work !== undefined && work.attention.length > 0) return work.attention;
  // Somebody has answered it or written to it since.
  if (work?.status === 'working' || work?.status === 'waiting') return [];
  const hold = holdOf(task);
  const stands = taskState(task) === 'waiting' || (hold !== undefined && task.planId === undefined);
  if (!stands || task.worker === undefined || goesOn(book, task, work)) return [];
  return [
    {
      session_id: task.worker.id,
      name: task.worker.name,
      waiting_for: 'question',
      since: isoTime(work?.alarm?.at ?? work?.turn?.endedAt ?? task.startedAt ?? task.at),
      title: `${task.title} stands still`,
      detail: hold?.words ?? task.reason ?? '',
      answer_with: viewOf(book, works, task).nextCalls.slice(0, 1),
    },
  ];
}

/** Its driver, here or in another server, is about to take a step for it. */
function goesOn(book: Book, task: Task, work: Work | undefined): boolean {
  const works = new Map(work === undefined ? [] : [[work.id, { ...work, isOthers: false }]]);
  const nothing = { busy: new Set<string>(), room: 0, accounts: new Map(), roles: new Map() };
  const still = { now: 0, book, works, startsSubtasks: false, ...nothing };
  const step = taskStep(still, task);
  const next = step?.do === 'note' ? step.set.progress : undefined;
  return step !== undefined && (next === undefined || taskState({ progress: next }) !== 'waiting');
}

const keyOf = ({ session_id, request_id, since, title }: AttentionView): string =>
  JSON.stringify([session_id, request_id, since, title]);

function isOver(state: Waiting, { mode, onAttention }: WaitOrder, told: ShownNeeds): boolean {
  if (state.checkpoint !== undefined) return true;
  const news = state.attention.filter((need) => onAttention === 'any' || !told.has(keyOf(need)));
  if (state.isPaused || (onAttention !== 'ignore' && news.length > 0)) return true;
  if (state.planHasEnded !== undefined && mode === 'all') return state.planHasEnded;
  return state.isStuck || (mode === 'any' && state.ended.length > 0);
}

/** What nobody needs to be notified of any more. */
const seenIn = ({ tasks, planState, checkpoint }: Waiting, planId: string | undefined): readonly string[] => [
  ...tasks.filter(({ task }) => hasEnded(task)).map(({ task }) => endKey(task.id)),
  ...(planId === undefined || planState === undefined || !planHasEnded({ state: planState }) ? [] : [endKey(planId)]),
  ...(checkpoint === undefined ? [] : [waitKey(checkpoint.planId, checkpoint.why)]),
];

const lastReport = async ({ crew }: TasksContext, { book, task }: Seen): Promise<ReportView | undefined> =>
  hasEnded(task) ? (await reportsOn(crew, book, task)).find(({ kind }) => kind === 'report') : undefined;

async function endedViews(
  room: TasksContext,
  tasks: readonly Seen[],
  of: {
    readonly views: readonly TaskView[];
    readonly calls: readonly (readonly string[])[];
    readonly checkpoint: CheckpointView | undefined;
  },
): Promise<EndedTask[]> {
  const { views, calls, checkpoint } = of;
  const reports = await Promise.all(tasks.map((seen) => lastReport(room, seen)));
  return views.map((view, at) =>
    endedView({ ...view, nextCalls: [...(calls[at] ?? [])] }, { checkpoint, report: reports[at] }),
  );
}

interface Around {
  readonly checkpoint: CheckpointView | undefined;
  readonly report: ReportView | undefined;
}

/** Pure. */
function endedView(view: TaskView, { checkpoint, report }: Around): EndedTask {
  const { taskId, title, name, state, planId, branch, evidence, worker, reason, nextCalls } = view;
  const isJob = planId !== undefined;
  const isOver = taskEnds.has(state);
  const isTold = isJob && checkpoint?.at === 'on_error' && checkpoint.job === name && checkpoint.planId === planId;
  return {
    taskId,
    state,
    ...defined({
      ...{ title, name, worker, report: report && inward(reportShape, report), nextCalls: unlessEmpty(nextCalls) },
      // The checkpoint says it.
      reason: isTold ? undefined : reason,
      // A job lands on the branch of its plan.
      branch: isJob ? undefined : branch,
      evidence: isOver && !(isJob && state === 'failed') ? evidence : undefined,
    }),
  };
}
