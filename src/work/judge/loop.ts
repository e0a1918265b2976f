// What a loop does next: it plans, waits for that plan, pauses, or ends. Pure.
import { isToEnd, type Loop, loopHasEnded, mostFailedPlans } from '../../model/loop.ts';
import { counted } from '../../model/plural.ts';
import { type Book, type Plan, planHasEnded, type Task } from '../../model/task.ts';
import type { LoopPatch } from '../../store/job-book.ts';
import { type Facts, jobsOf, plansIn } from './facts.ts';

export type LoopStep =
  | {
      readonly do: 'note-loop';
      readonly loop: Loop;
      readonly set: Omit<LoopPatch, 'id'>;
      readonly tell?: 'loop_paused' | 'loop_ended';
    }
  /** Its next plan begins. */
  | { readonly do: 'plan-again'; readonly loop: Loop };

export type LoopNote = Extract<LoopStep, { readonly do: 'note-loop' }>;
type Seen = Pick<Facts, 'now' | 'book' | 'busy'>;

/** Undefined where all of them wait. */
export function nextLoopStep(seen: Seen): LoopStep | undefined {
  for (const loop of seen.book.loops.values()) {
    const step = loopStep(seen, loop);
    if (step !== undefined) return step;
  }
  return undefined;
}

/** The one of the project that has not ended; of two that were started at the same moment the first. */
export const openLoop = ({ loops }: Pick<Book, 'loops'>): Loop | undefined =>
  [...loops.values()].find((loop) => !loopHasEnded(loop) && !isToEnd(loop));

function loopStep(seen: Seen, loop: Loop): LoopStep | undefined {
  const { book, busy } = seen;
  if (loopHasEnded(loop) || busy.has(loop.id)) return undefined;
  const plan = book.plans.get(loop.openPlan ?? '');
  if (plan !== undefined) return planHasEnded(plan) ? endStep(seen, loop, plan) : followStep(loop, plan);
  if (loop.isStopping) return ended(seen, loop, { state: 'stopped' });
  if (loop.state === 'paused' || openLoop(book)?.id !== loop.id) return undefined;
  if (isAtCap(loop)) return pausedWith(loop, capWords(loop));
  return book.pausedAt === undefined ? { do: 'plan-again', loop } : undefined;
}

export const isAtCap = ({ iteration, maxIterations }: Pick<Loop, 'iteration' | 'maxIterations'>): boolean =>
  iteration >= maxIterations;

const capWords = ({ iteration, maxIterations }: Loop): string =>
  `${counted(iteration, 'iteration')} ended, and max_iterations is ${maxIterations}`;

const note = (loop: Loop, set: Omit<LoopPatch, 'id'>, tell?: LoopNote['tell']): LoopNote => ({
  do: 'note-loop',
  loop,
  set,
  ...(tell && { tell }),
});

const longest = 500;

/** It stands until somebody resumes it. */
export const pausedWith = (loop: Loop, why: string, set: Omit<LoopPatch, 'id'> = {}): LoopNote =>
  note(loop, { ...set, openPlan: null, state: 'paused', reason: why.slice(0, longest) }, 'loop_paused');

const ended = (
  { now }: Pick<Seen, 'now'>,
  loop: Loop,
  { state, reason }: { readonly state: 'done' | 'stopped'; readonly reason?: string },
): LoopStep =>
  note(loop, { openPlan: null, state, reason: reason?.slice(0, longest) ?? null, endedAt: now }, 'loop_ended');

/** Its state is that of its plan. */
function followStep(loop: Loop, { state: of }: Plan): LoopStep | undefined {
  const state = of === 'proposed' ? 'planning' : 'running';
  return loop.state === state ? undefined : note(loop, { state, reason: null });
}

/** Its plan has ended. */
function endStep(seen: Seen, loop: Loop, plan: Plan): LoopStep {
  const { book } = seen;
  const { name, state, reason = 'it gives no reason' } = plan;
  if (isReached(plan)) return reachedStep(seen, loop, plan);
  if (loop.isStopping) return ended(seen, loop, { state: 'stopped' });
  if (state === 'cancelled') return pausedWith(loop, `its plan ${name} was cancelled`);
  if (plan.jobs.length === 0) return pausedWith(loop, `its planner made no plan of the goal: ${reason}`);
  if (landedIn(book, plan).length === 0)
    return pausedWith(
      loop,
      `iteration ${loop.iteration}, the plan ${name}, is ${state} and landed nothing`.concat(
        plan.reason === undefined ? '' : `: ${plan.reason}`,
      ),
    );
  const failures = state === 'failed' ? loop.failures + 1 : 0;
  if (failures >= mostFailedPlans)
    return pausedWith(loop, `${counted(failures, 'plan')} in a row failed, the last: ${reason}`, { failures });
  return note(loop, { openPlan: null, state: 'planning', failures, reason: null });
}

/** Its planner has found that nothing is left to do. */
const isReached = ({ state, handIn, verdict }: Plan): boolean =>
  state === 'completed' && handIn?.is === 'reached' && verdict?.of === handIn.id;

function reachedStep(seen: Seen, loop: Loop, { handIn }: Plan): LoopStep {
  const why = handIn?.is === 'reached' ? handIn.why : '';
  const doubt = unproven(seen.book, loop);
  if (doubt === undefined) return ended(seen, loop, { state: 'done', reason: why });
  if (loop.isStopping) return ended(seen, loop, { state: 'stopped' });
  return pausedWith(loop, `its planner finds the goal reached, but ${doubt}. It says: ${why}`);
}

export const landedIn = (book: Book, plan: Plan): readonly Task[] =>
  jobsOf(book, plan).filter(({ evidence }) => evidence.landedAt !== undefined);

/** Why the word of a planner alone does not count; undefined where the tests of the last landing passed. */
function unproven(book: Book, { plans }: Loop): string | undefined {
  const landed = plansIn(book, plans).flatMap((plan) => landedIn(book, plan));
  const [last] = landed.toSorted((a, b) => (b.endedAt ?? 0) - (a.endedAt ?? 0));
  if (last === undefined) return 'nothing of it has landed';
  const { title, tests } = last;
  if (tests === undefined || tests.status === 'none') return `no tests ran at the last landing, that of ${title}`;
  return tests.status === 'passed' ? undefined : `the tests of the last landing, that of ${title}, did not pass`;
}
