// How the start of a planner is waited for, and what is told where none is at work yet.
import type { Disposer } from '../../model/clock.ts';
import { type Book, type Plan, planHasEnded } from '../../model/task.ts';
import type { OpenBook } from '../../store/job-book.ts';
import type { CreatePlanResult } from '../../wire/plans.ts';
import { call } from '../judge/calls.ts';
import { plannerOf } from '../judge/facts.ts';
import type { TasksContext } from './tasks-context.ts';

/** As long as a start of a worker may take. */
const longestStartMs = 20_000;

/** Resolves when its worker is there, when it is known that none comes soon, or when a start has had its time. */
export function plannerStarted(room: TasksContext, book: OpenBook, planId: string): Promise<void> {
  return new Promise((resolve) => {
    let stops: readonly Disposer[] = [];
    const end = () => {
      for (const stop of stops) stop();
      resolve();
    };
    const look = () => {
      if (isDecided(book.now(), planId) || waitOf(room, book.now(), planId) !== undefined) end();
    };
    stops = [book.onChange(look), room.clock.after(longestStartMs, end)];
    look();
  });
}

function isDecided(book: Book, planId: string): boolean {
  const plan = book.plans.get(planId);
  return plan === undefined || planHasEnded(plan) || plannerOf(book, plan)?.worker !== undefined;
}

/** Who makes the jobs of the plan, once somebody does. */
export function planningWorker(book: Book, plan: Plan): CreatePlanResult['planner'] {
  const { worker } = plannerOf(book, plan) ?? {};
  return worker && { sessionId: worker.id, name: worker.name };
}

/** Why its planner does not begin now. */
function waitOf({ jobBooks, limit }: Pick<TasksContext, 'jobBooks' | 'limit'>, book: Book, planId: string) {
  const plan = book.plans.get(planId);
  if (plan === undefined || plannerOf(book, plan)?.progress.is !== 'queued') return undefined;
  if (book.pausedAt !== undefined)
    return `The project is paused: its planner begins after ${call('update_task', { action: 'resume' })}.`;
  const active = jobBooks.active();
  return active < limit()
    ? undefined
    : `${active} tasks are at work, and ${limit()} may be: its planner begins when one ends.`;
}

/** Why the plan has no planner at work yet. */
export function plannerWarnings(room: TasksContext, book: Book, plan: Plan): readonly string[] {
  if (plan.state === 'failed') return [plan.reason ?? 'Its planner failed.'];
  const wait = waitOf(room, book, plan.id);
  return wait === undefined ? [] : [wait];
}
