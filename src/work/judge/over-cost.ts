// What becomes of the plan of a loop that has cost what it may: what runs ends, and no further job begins. Pure.
import type { Loop } from '../../model/loop.ts';
import { type Book, type Plan, planHasEnded, type Task } from '../../model/task.ts';
import { ended, stateOf } from '../../model/task-progress.ts';
import { type Facts, jobsOf, type PlanStep } from './facts.ts';

/** The plan that runs in it. */
export function runningPlanOf({ plans }: Book, { openPlan = '' }: Loop): Plan | undefined {
  const plan = plans.get(openPlan);
  return plan === undefined || plan.state === 'proposed' || plan.isCancelled || planHasEnded(plan) ? undefined : plan;
}

export const unbegunIn = (book: Book, plan: Plan): readonly Task[] =>
  jobsOf(book, plan).filter((job) => job.attempt === 0 && ['queued', 'blocked'].includes(stateOf(job)));

/** Left out, they are for the planner of the next iteration, if somebody lets the loop spend more. */
export function overCostStep({ book, busy, now, spent = new Map() }: Facts): PlanStep | undefined {
  for (const loop of book.loops.values()) {
    const reason = spent.get(loop.id);
    const plan = runningPlanOf(book, loop);
    const jobs = plan === undefined || busy.has(plan.id) ? [] : unbegunIn(book, plan);
    if (reason === undefined || plan === undefined || jobs.length === 0) continue;
    const left = { progress: ended('cancelled'), isSkipped: true, reason, endedAt: now };
    return { do: 'note-plan', plan, set: {}, tasks: jobs.map(({ id }) => ({ id, ...left })) };
  }
  return undefined;
}
