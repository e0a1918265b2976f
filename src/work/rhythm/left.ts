// What is left to do in a project: something now, something later, or nothing. Pure.
import { loopHasEnded } from '../../model/loop.ts';
import { isWatched } from '../../model/schedule.ts';
import type { Book } from '../../model/task.ts';
import type { KeepFacts } from '../judge/keep.ts';
import { isAtRest } from '../judge/next-step.ts';
import { dueAt } from './owed.ts';

/** A schedule that is due before `soonAt` counts as one that is due now. */
export function leftIn(book: Book, soonAt: number): KeepFacts['left'] {
  const due = [...book.schedules].filter(
    ([, schedule]) => isWatched(schedule) && (schedule.openRun !== undefined || dueAt(schedule) <= soonAt),
  );
  if (!isAtRest({ book: { ...book, schedules: new Map(due) } })) return 'now';
  const isLeft = [...book.schedules.values()].some(isWatched) || ![...book.loops.values()].every(loopHasEnded);
  return isLeft ? 'later' : 'nothing';
}
