// When the work of a task is there to be checked: its turn has ended, or was cut off by the end of its agent. Pure.
import type { Work } from '../../crew/api.ts';
import type { Task } from '../../model/task.ts';
import type { TaskPatch } from '../../store/job-book.ts';
import type { Facts } from './facts.ts';
import { mostOfEach } from './handed-on.ts';
import { claims } from './outcomes.ts';

/** Of one that has come back and rests: nobody repeats that turn, so what it left counts. */
export function lostTurnSince(at: number, { lostTurnAt, turn, isIdle }: Work): number | undefined {
  if (lostTurnAt === undefined || lostTurnAt < at || !isIdle) return undefined;
  return turn === undefined || turn.startedAt <= lostTurnAt ? lostTurnAt : undefined;
}

export function handedIn(
  { now }: Pick<Facts, 'now'>,
  { evidence, round }: Task,
  { work, overAt }: { readonly work: Work; readonly overAt: number },
): Omit<TaskPatch, 'id'> {
  const claimed = evidence.claimed || claims(work, ['completed', 'report']);
  return {
    progress: { is: 'landing', isUnchecked: true, overAt: Math.max(now, overAt) },
    round: round + 1,
    reason: null,
    evidence: { ...evidence, claimed },
    ...(work.lastWords !== '' && { lastWords: work.lastWords.slice(0, mostOfEach) }),
  };
}
