// What is asked of the state of a task: all questions stand here. Pure.
import { defined } from './defined.ts';
import type { Book, Decision, Plan, Task } from './task.ts';
import { type Progressing, stateOf, type TaskHold } from './task-progress.ts';

export const hasEnded = ({ progress }: Progressing): boolean => progress.is === 'ended';

/** Whoever depends on it may go on. */
export const isSettled = ({ progress, isSkipped }: Pick<Task, 'progress' | 'isSkipped'>): boolean =>
  isSkipped || (progress.is === 'ended' && (progress.how === 'landed' || progress.how === 'done'));

/** Somebody has to let it start; what a worker has entered may start by itself. */
export const startsByCall = ({ isHeld, from }: Pick<Task, 'isHeld' | 'from'>, startsSubtasks: boolean): boolean =>
  isHeld && (from === undefined || !startsSubtasks);

/** It has a worker, or is about to get one. */
export const isActive = ({ progress }: Progressing): boolean => progress.is !== 'queued' && progress.is !== 'ended';

/** Why its finished work does not land without somebody; undefined where an edit has seen to that. */
export function holdOf(task: Task): TaskHold | undefined {
  const { progress } = task;
  const isHeld = (progress.is === 'landing' || progress.is === 'ended') && task.lifted !== errorKey(task);
  return isHeld ? progress.hold : undefined;
}

/** It stands where somebody may decide about it: its work is held, it has failed, or it was cancelled. */
export const isDecidable = (task: Task): boolean =>
  holdOf(task) !== undefined || stateOf(task) === 'failed' || (stateOf(task) === 'cancelled' && !task.isSkipped);

/** Somebody has decided to revive it, to leave it out or to take it as done, and it has not come to that yet. */
export function isDecided(task: Task): boolean {
  if (!hasEnded(task) || !isDecidable(task)) return false;
  const decision = decisionOf(task);
  return decision !== undefined && decision.action !== 'continue';
}

/** It has ended, and no decision is about to bring it on. */
export const isOver = (task: Task): boolean => hasEnded(task) && !isDecided(task);

/** Nothing but a decision about another task brings it on. */
export const isStuck = (book: Book, task: Task): boolean =>
  stateOf(task) === 'blocked' &&
  task.dependsOn
    .flatMap((id) => book.tasks.get(id) ?? [])
    .some((one) => !isSettled(one) && (isOver(one) || isStuck(book, one)));

/** Nothing can come of it any more, unless somebody decides something about it. */
export function isPast(book: Book, task: Task): boolean {
  if (!hasEnded(task) || careOf(book, task) !== undefined) return false;
  return isSettled(task) || planOf({ book }, task)?.isCancelled === true || !isDecided(task);
}

/**
 * What its end still asks for. `give-up`: it has failed, its worker was kept for another try, and nobody can ask for
 * one any more. `collect`: what tells of its failure is not kept yet. `close`: its worker is not closed yet.
 */
export function careOf(book: Book, task: Task): 'give-up' | 'collect' | 'close' | undefined {
  const { progress, worker, keepWorker, isReused, isSkipped, plansFor, planId = plansFor } = task;
  if (progress.is !== 'ended') return undefined;
  const { how, isSeenTo } = progress;
  if (how === 'failed' && (isSkipped || planOf({ book }, defined({ planId }))?.isCancelled)) return 'give-up';
  if (isSeenTo || worker === undefined) return undefined;
  if (how === 'failed') return 'collect';
  const isWell = how !== 'cancelled' || planId !== undefined;
  return isWell && !keepWorker && !isReused ? 'close' : undefined;
}

/** Names the moment at which somebody must decide: each end of the work, and each failure, is another. */
export const errorKey = ({ round, failures }: Pick<Task, 'round' | 'failures'>): string =>
  `on_error:${round}.${failures}`;

/** About the moment at which it stands now. */
export const decisionOf = (task: Pick<Task, 'decisions' | 'round' | 'failures'>): Decision | undefined =>
  task.decisions[errorKey(task)];

export const planOf = ({ book }: { readonly book: Book }, { planId }: Pick<Task, 'planId'>): Plan | undefined =>
  planId === undefined ? undefined : book.plans.get(planId);

/** What it depends on that has ended badly, or is held up by such a one itself: it cannot begin before somebody decides. */
export const blockerOf = ({ tasks }: Book, { dependsOn }: Pick<Task, 'dependsOn'>): Task | undefined =>
  dependsOn
    .flatMap((id) => tasks.get(id) ?? [])
    .find((one) => !isSettled(one) && (hasEnded(one) || stateOf(one) === 'blocked'));

export interface Span {
  readonly from: number;
  readonly until: number;
}

/** When what its worker reports is about it: one that was there already has reported on other work before and after. */
export function spanOf({ id, at, startedAt = at, isReused, worker }: Task, { tasks }: Pick<Book, 'tasks'>): Span {
  const starts = [...tasks.values()].flatMap((one) =>
    one.id !== id && one.worker?.id === worker?.id ? (one.startedAt ?? []) : [],
  );
  const wasThere = isReused || starts.some((start) => start < startedAt);
  const until = Math.min(...starts.filter((start) => start > startedAt), Number.POSITIVE_INFINITY);
  return { from: wasThere ? startedAt : 0, until };
}
