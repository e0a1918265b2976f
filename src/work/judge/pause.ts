// A pause of the project: no task starts and nothing lands; what is at work goes on. Pure.
import { isoTime } from '../../model/clock.ts';
import { type Book, isPlanning, type Plan, type Task } from '../../model/task.ts';
import { queued } from '../../model/task-progress.ts';
import { holdOf, isActive } from '../../model/task-state.ts';
import { type DriverStep, type Facts, plannerOf } from './facts.ts';

/** The note by which a task takes its place among those at work. */
export const isStartNote = (step: DriverStep): boolean =>
  step.do === 'note' &&
  step.task.progress.is === 'queued' &&
  step.set.progress !== undefined &&
  isActive({ progress: step.set.progress });

const startsOrLands: readonly DriverStep['do'][] = ['start', 'land', 'propose', 'finish'];

/** It begins work, or lands or proposes it. */
export const isHeldByPause = (step: DriverStep): boolean => isStartNote(step) || startsOrLands.includes(step.do);

/** The step as it is taken now; undefined where a pause holds it. */
export function withPause({ book }: Pick<Facts, 'book'>, step: DriverStep | undefined): DriverStep | undefined {
  if (step === undefined || book.pausedAt === undefined || !isHeldByPause(step)) return step;
  // A server that was killed has noted the start and not begun it: others have that place meanwhile.
  return step.do === 'start'
    ? { do: 'note', task: step.task, set: { progress: queued, attempt: step.task.attempt - 1 } }
    : undefined;
}

/** Why a task stands while the project is paused; undefined where the pause does not hold it. */
export function pauseWords({ pausedAt }: Pick<Book, 'pausedAt'>, task: Task): string | undefined {
  const { progress } = task;
  if (pausedAt === undefined) return undefined;
  const isToStart = progress.is === 'queued' && !progress.isBlocked && !task.isHeld;
  const isToLand = progress.is === 'landing' && !progress.isUnchecked && holdOf(task) === undefined;
  return isToStart || isToLand ? wordsOf(pausedAt, isToStart ? 'start' : 'land') : undefined;
}

/** Of the plan itself: its branch, or the planner that makes its jobs. */
export function planPauseWords(book: Book, plan: Plan): string | undefined {
  const { pausedAt } = book;
  if (pausedAt === undefined) return undefined;
  const planner = isPlanning(plan) ? plannerOf(book, plan) : undefined;
  if (planner !== undefined) return pauseWords(book, planner);
  return plan.state === 'landing' ? wordsOf(pausedAt, 'land') : undefined;
}

/** Of a loop that would begin its next plan. */
export const loopPauseWords = ({ pausedAt }: Pick<Book, 'pausedAt'>): string | undefined =>
  pausedAt === undefined ? undefined : wordsOf(pausedAt, 'start');

const wordsOf = (pausedAt: number, act: string): string =>
  `the project is paused since ${isoTime(pausedAt)}, so this does not ${act}`;
