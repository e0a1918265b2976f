// What to do next for all that is to be done: one step at a time, over facts read anew before each. Pure.
import { isLoopWatched } from '../../model/loop.ts';
import { isWatched } from '../../model/schedule.ts';
import type { Task } from '../../model/task.ts';
import { hasEnded, isPast } from '../../model/task-state.ts';
import type { DriverStep, Facts } from './facts.ts';
import { withPause } from './pause.ts';
import { planIsPast, planStep } from './plan-step.ts';
import { taskStep } from './task-step.ts';

/** Undefined where everything waits: for a worker, a person, a time, or nothing at all. */
export function nextStep(facts: Facts): DriverStep | undefined {
  for (const plan of facts.book.plans.values()) {
    const step = withPause(facts, planStep(facts, plan));
    if (step !== undefined) return step;
  }
  for (const task of inOrder(facts)) {
    const step = withPause(facts, taskStep(facts, task));
    if (step !== undefined) return step;
  }
  return undefined;
}

/** More urgent ones first, then in the order of a plan's jobs, then older ones. */
function inOrder({ book }: Facts): readonly Task[] {
  const places = new Map([...book.plans.values()].flatMap(({ jobs }) => jobs.map((id, index) => [id, index] as const)));
  const placeOf = ({ id }: Task) => places.get(id) ?? 0;
  return [...book.tasks.values()]
    .filter((task) => !isPast(book, task))
    .sort((a, b) => b.priority - a.priority || a.at - b.at || placeOf(a) - placeOf(b));
}

/** Whether anything is left that could ever need a step. */
export const isAtRest = ({ book }: Pick<Facts, 'book'>): boolean =>
  [...book.tasks.values()].every((task) => isPast(book, task)) &&
  [...book.plans.values()].every((plan) => planIsPast(book, plan)) &&
  ![...book.schedules.values()].some(isWatched) &&
  ![...book.loops.values()].some(isLoopWatched);

/** The time at which time alone may bring a step; undefined where none will. */
export function nextDue({
  book,
  now,
  accounts,
  taskTimeoutMinutes,
}: Pick<Facts, 'book' | 'now' | 'accounts' | 'taskTimeoutMinutes'>): number | undefined {
  const resets = [...accounts.values()].flatMap(({ limits }) => [...limits.values()].map(({ dueAt }) => dueAt));
  const due = [...book.tasks.values()].flatMap((task) => {
    if (hasEnded(task)) return [];
    const { notBefore, timeoutMinutes = taskTimeoutMinutes, startedAt } = task;
    const end = timeoutMinutes === undefined || startedAt === undefined ? [] : [startedAt + timeoutMinutes * 60_000];
    return [...(notBefore === undefined ? [] : [notBefore]), ...end].filter((at) => at > now);
  });
  const times = [...due, ...resets.filter((at) => at > now)];
  return times.length === 0 ? undefined : Math.min(...times);
}
