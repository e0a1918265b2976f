// The exact calls that are worth making about a task or a checkpoint. Pure.
import { z } from 'zod';
import type { Work } from '../../crew/api.ts';
import { parseJson } from '../../model/json.ts';
import { type Book, type DecisionAction, type Plan, planHasEnded, type Task } from '../../model/task.ts';
import { stateOf } from '../../model/task-progress.ts';
import { blockerOf, hasEnded, holdOf, isDecided, isSettled } from '../../model/task-state.ts';
import type { CheckpointView } from '../../wire/tasks.ts';
import { actionsAt, type Checkpoint, checkpointsOf } from './checkpoint.ts';
import { isUnmerged, jobsOf, plannerOf } from './facts.ts';
import { pauseWords } from './pause.ts';
import { isRed } from './red-tests.ts';

/** A call as answers name it. */
export const call = (tool: string, args: object): string => `${tool} ${JSON.stringify(args)}`;

const approve = (plan: Plan, { at, job }: Pick<Checkpoint, 'at' | 'job'>, action: string): string =>
  call('approve_plan', { plan_id: plan.id, checkpoint: at, action, ...(job && { job: job.title }) });

/** The calls that clear it, the plainest first. */
export function callsAt(plan: Plan, point: Checkpoint): readonly string[] {
  const { at, job } = point;
  const look = job?.worker === undefined ? [] : [call('diff_worker', { session_id: job.worker.id })];
  switch (at) {
    case 'start':
      // What is wrong with a plan only somebody can say.
      return [...approvals(plan, point, ['continue']), call('cancel_plan', { plan_id: plan.id })];
    case 'pre_merge':
    case 'pre_pr':
      return [...approvals(plan, point), ...look, ...(job ? [] : [call('cancel_plan', { plan_id: plan.id })])];
    case 'on_error':
      return [...approvals(plan, point), ...otherTests(plan, point), ...look];
  }
}

/** Worth making about a plan as a whole: what clears its checkpoint, what revives it, or the wait for it. */
export function planCallsOf(book: Book, plan: Plan): readonly string[] {
  const [open] = checkpointsOf(book, plan);
  if (open !== undefined) return callsAt(plan, open);
  const jobs = jobsOf(book, plan);
  const wait = call('wait_tasks', { plan_id: plan.id });
  const planner = plannerOf(book, plan);
  if (plan.state === 'failed' && jobs.length === 0 && planner !== undefined && !plan.isCancelled)
    return [call('update_task', { task_id: planner.id, action: 'retry' }), call('cancel_plan', { plan_id: plan.id })];
  if (plan.state === 'failed' && !plan.isCancelled && jobs.some(isDecided)) return [wait];
  if (plan.state === 'failed' && !plan.isCancelled)
    return jobs
      .filter((job) => hasEnded(job) && !isSettled(job))
      .slice(0, mostRevived)
      .flatMap((job) => approvals(plan, { at: 'on_error', job }, revivals));
  if (plan.state === 'completed' && plan.onComplete !== 'merge' && plan.url === undefined)
    return [call('open_pull_request', { plan_id: plan.id })];
  return planHasEnded(plan) || plan.isCancelled ? [] : [wait];
}

/** Where the tests are what is wrong. */
const otherTests = (
  plan: Plan,
  { job, hold = job && holdOf(job) }: Pick<Checkpoint, 'job' | 'hold'>,
): readonly string[] =>
  isRed(hold)
    ? [call('edit_plan', { plan_id: plan.id, test_command: '' }), call('cancel_plan', { plan_id: plan.id })]
    : [];

const revivals = ['retry', 'relaunch', 'skip'] as const;
const mostRevived = 5;

const approvals = (
  plan: Plan,
  point: Omit<Checkpoint, 'key' | 'why'>,
  actions: readonly DecisionAction[] = actionsAt(point),
): readonly string[] => actions.map((action) => approve(plan, point, action));

export const checkpointView = (plan: Plan, point: Checkpoint): CheckpointView => ({
  planId: plan.id,
  at: point.at,
  ...(point.job && { job: point.job.title }),
  why: point.why.slice(0, 3_000),
  calls: [...callsAt(plan, point)],
});

/** Each call once, in the first list that has it; where only their jobs differ, one call names them all. Pure. */
export function eachOnce(lists: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const kinds = new Map<string, string[]>();
  for (const one of new Set(lists.flat())) {
    const kind = kindOf(one);
    kinds.set(kind, [...(kinds.get(kind) ?? []), one]);
  }
  return lists.map((calls) =>
    calls.flatMap((one) => {
      const alike = kinds.get(kindOf(one)) ?? [];
      if (!alike.includes(one)) return [];
      kinds.delete(kindOf(one));
      return [jointly(alike)];
    }),
  );
}

const approval = z.looseObject({ job: z.string() });

/** An approval about one job; undefined for any other call. */
const approvalIn = (one: string) =>
  one.startsWith('approve_plan ') ? approval.safeParse(parseJson(one.slice('approve_plan '.length))).data : undefined;

/** The same for approvals that differ in their job alone. */
const kindOf = (one: string): string => {
  const about = approvalIn(one);
  return about === undefined ? one : call('approve_plan', { ...about, job: '' });
};

function jointly(alike: readonly string[]): string {
  const [first = ''] = alike;
  const jobs = alike.map((one) => approvalIn(one)?.job);
  const { job: _, ...about } = approvalIn(first) ?? {};
  return alike.length < 2 ? first : call('approve_plan', { ...about, job: jobs });
}

interface Around {
  readonly book: Book;
  readonly work: Work | undefined;
  readonly plan: Plan | undefined;
}

export function nextCallsOf(task: Task, { book, work, plan }: Around): readonly string[] {
  if (isDecided(task) || (task.isCancelled && !hasEnded(task))) return [];
  if (pauseWords(book, task) !== undefined) return [call('update_task', { action: 'resume' })];
  const { id, worker } = task;
  const state = stateOf(task);
  const hold = holdOf(task);
  const update = (action: string, more: object = {}) => call('update_task', { task_id: id, action, ...more });
  const giveUp = plan === undefined ? update('cancel') : call('edit_plan', { plan_id: plan.id, skip: [task.title] });
  const logs = worker === undefined ? [] : [call('read_worker_logs', { session_id: worker.id })];
  if (hold !== undefined && plan !== undefined)
    return [...approvals(plan, { at: 'on_error', job: task }), ...otherTests(plan, { job: task })];
  if (hold?.why === 'nothing') return [...retries(update), update('edit', { brings: 'report' }), ...logs];
  if (hold !== undefined) return [update('retry'), update('cancel')];
  const landAnyway =
    plan === undefined && worker !== undefined && task.tests?.isOld
      ? [call('merge_worker', { session_id: worker.id, test_command: '' })]
      : [];
  if (task.isHeld && state === 'queued') return [update('start'), update('cancel')];
  switch (state) {
    case 'blocked':
      return blockedCalls(task, book, plan);
    case 'running':
    case 'waiting':
      return state === 'waiting' || isAsking(work) ? [...waitingCalls(work), giveUp] : [];
    case 'bounced':
      return isAsking(work) ? [...waitingCalls(work), giveUp] : [...logs, ...talk(work), giveUp];
    case 'failed':
      if (task.isSkipped || plan?.isCancelled) return logs;
      return plan === undefined
        ? [...retries(update), ...landAnyway, ...logs]
        : approvals(plan, { at: 'on_error', job: task }, revivals);
    case 'done':
      return worker !== undefined && isUnmerged(task)
        ? [call('diff_worker', { session_id: worker.id }), call('merge_worker', { session_id: worker.id })]
        : [];
    case 'cancelled':
      return task.isSkipped || plan?.isCancelled ? [] : [update('retry'), ...logs];
    default:
      return [];
  }
}

/** With a prompt the retry says something else. */
const retries = (update: (action: string) => string): readonly string[] => [update('retry')];

const goOn = 'Go on with your task. What you cannot decide, ask with ask_manager.';

const talk = (work: Work | undefined): readonly string[] =>
  work === undefined ? [] : [call('message_workers', { session_ids: [work.id], message: goOn })];

const isAsking = (work: Work | undefined): boolean => work !== undefined && work.attention.length > 0;

const waitingCalls = (work: Work | undefined): readonly string[] => {
  if (work === undefined || work.attention.length === 0) return talk(work);
  const calls = work.attention.flatMap(({ answer_with }) => answer_with);
  // What only words of one's own answer stands in its attention.
  return calls.length > 0 ? calls : [call('examine_worker', { session_id: work.id })];
};

/** What has ended badly and holds it up, through others too. */
function rootOf(task: Task, book: Book): Task | undefined {
  const bad = blockerOf(book, task);
  return bad !== undefined && stateOf(bad) === 'blocked' ? rootOf(bad, book) : bad;
}

function blockedCalls(task: Task, book: Book, plan: Plan | undefined): readonly string[] {
  const bad = rootOf(task, book);
  if (bad === undefined) return [];
  if (plan === undefined)
    return [
      call('update_task', { task_id: bad.id, action: 'retry' }),
      call('update_task', { task_id: task.id, action: 'cancel' }),
    ];
  const actions =
    holdOf(bad)?.why === 'nothing' ? (['retry', 'accept', 'skip'] as const) : (['retry', 'skip'] as const);
  return approvals(plan, { at: 'on_error', job: bad }, actions);
}
