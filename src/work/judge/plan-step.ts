// The next step of one plan, apart from those of its jobs. Pure.
import {
  type Book,
  isPlanning,
  type Plan,
  type PlanVerdict,
  planHasEnded,
  planIsClosed,
  type Task,
  unjudged,
} from '../../model/task.ts';
import { ended, stateOf } from '../../model/task-progress.ts';
import {
  blockerOf,
  decisionOf,
  hasEnded,
  holdOf,
  isActive,
  isDecided,
  isOver,
  isSettled,
} from '../../model/task-state.ts';
import type { TaskPatch } from '../../store/job-book.ts';
import { checkpointsOf, waitsAtStart } from './checkpoint.ts';
import { type Facts, jobsOf, mergeKey, type PlanStep, planErrorKey, plannerOf, planPrKey, startKey } from './facts.ts';
import { sentBack } from './outcomes.ts';
import { replanText } from './planner-words.ts';
import { isRed } from './red-tests.ts';

/** Undefined where there is nothing to do for it now. */
export function planStep(facts: Facts, plan: Plan): PlanStep | undefined {
  if (facts.busy.has(plan.id)) return undefined;
  const jobs = jobsOf(facts.book, plan);
  if (plan.isCancelled) return cancelledStep(facts, plan, jobs);
  if (planHasEnded(plan)) return planIsPast(facts.book, plan) ? undefined : revivedStep(plan);
  if (isPlanning(plan)) return planningStep(facts, plan);
  if (plan.state === 'proposed') return proposedStep(facts, plan, jobs);
  const [open] = checkpointsOf(facts.book, plan);
  // Somebody lets one land though its tests fail, and that goes for all of its plan.
  const isLetRed = jobs.some((job) => isRed(holdOf(job)) && decisionOf(job)?.action === 'continue');
  if (!plan.landsRed && isLetRed) return note(plan, { landsRed: true });
  if (plan.hold !== undefined) return heldStep(facts, plan);
  // One that is left out may be at work until it is stopped.
  if (jobs.every(isSettled) && !jobs.some(isActive)) return doneStep(facts, plan);
  if (open !== undefined) return pauseStep(plan, open.why);
  if (isHopeless(facts.book, jobs))
    return note(plan, { state: 'failed', reason: failedWords(jobs), endedAt: facts.now }, 'plan_ended');
  return plan.state === 'running' ? undefined : note(plan, { state: 'running', reason: null });
}

const note = (
  plan: Plan,
  set: Extract<PlanStep, { do: 'note-plan' }>['set'],
  tell?: 'plan_started' | 'plan_checkpoint' | 'plan_ended',
  tasks: readonly TaskPatch[] = [],
): PlanStep => ({
  do: 'note-plan',
  plan,
  set,
  ...(tell && { tell }),
  ...(tasks.length > 0 && { tasks }),
});

/** Noted and told once for each reason. */
const pauseStep = (plan: Plan, reason: string): PlanStep | undefined =>
  plan.state === 'paused' && plan.reason === reason
    ? undefined
    : note(plan, { state: 'paused', reason }, 'plan_checkpoint');

const cancelledStep = ({ now }: Facts, plan: Plan, jobs: readonly Task[]): PlanStep | undefined =>
  planIsClosed(plan) || !jobs.every(hasEnded)
    ? undefined
    : note(plan, { state: 'cancelled', endedAt: now, hold: null, reason: null }, 'plan_ended', [
        ...dismissed(plan, { isCancelled: true }),
      ]);

/** Its planner is needed no more, and its worker is closed. */
export const dismissed = ({ planner }: Plan, set: Omit<TaskPatch, 'id'> = {}): readonly TaskPatch[] =>
  planner === undefined ? [] : [{ id: planner, keepWorker: false, ...set }];

/** Somebody has brought work on that it can go on with. What was refused before counts no more. */
const revivedStep = (plan: Plan): PlanStep =>
  plan.jobs.length === 0 && plan.planner !== undefined
    ? note(plan, { state: 'proposed', endedAt: null, reason: null, verdict: freshVerdict(plan) })
    : note(plan, { state: 'running', endedAt: null, reason: null });

const freshVerdict = ({ handIn }: Plan): PlanVerdict => ({ of: handIn?.id ?? '', refused: 0 });

function planningStep({ book }: Facts, plan: Plan): PlanStep | undefined {
  const planner = plannerOf(book, plan);
  return unjudged(plan) !== undefined || (planner !== undefined && isOver(planner)) ? { do: 'judge', plan } : undefined;
}

function proposedStep(facts: Facts, plan: Plan, jobs: readonly Task[]): PlanStep | undefined {
  const decision = plan.decisions[startKey(plan)];
  if (decision === undefined && waitsAtStart(plan)) return undefined;
  if (decision?.action === 'relaunch') return replanStep(facts, plan, { jobs, wrong: decision.prompt ?? '' });
  return note(plan, { state: 'running', reason: null }, 'plan_started', dismissed(plan));
}

/** Its planner makes other jobs, by what is wrong with these. */
function replanStep(
  facts: Facts,
  plan: Plan,
  { jobs, wrong }: { readonly jobs: readonly Task[]; readonly wrong: string },
): PlanStep | undefined {
  const planner = plannerOf(facts.book, plan);
  // What it is told in the midst of a turn would be over with that turn.
  if (planner === undefined || isActive(planner)) return undefined;
  const given = { progress: ended('cancelled'), isSkipped: true, reason: 'planned anew', endedAt: facts.now };
  return note(plan, { jobs: [], round: plan.round + 1, reason: null, verdict: freshVerdict(plan) }, undefined, [
    ...jobs.map(({ id }) => ({ id, ...given })),
    { id: planner.id, ...sentBack(facts, planner, replanText(wrong)) },
  ]);
}

function heldStep({ now }: Facts, plan: Plan): PlanStep | undefined {
  const decision = plan.decisions[planErrorKey(plan)];
  if (decision !== undefined) {
    const lets = {
      ...(decision.action === 'skip' && { onComplete: 'none' as const }),
      ...(isRed(plan.hold) && decision.action === 'continue' && { landsRed: true }),
      ...(isRed(plan.hold) && decision.action === 'retry' && { testedSince: now }),
    };
    return note(plan, { ...lets, hold: null, round: plan.round + 1, state: 'landing', reason: null });
  }
  return pauseStep(plan, plan.hold?.words ?? '');
}

/** Every job has landed or was left out. */
function doneStep({ book, now }: Facts, plan: Plan): PlanStep | undefined {
  if (plan.onComplete === 'none') return note(plan, { state: 'completed', endedAt: now, reason: null }, 'plan_ended');
  if (plan.state === 'running') return note(plan, { state: 'landing', reason: null });
  const [open] = checkpointsOf(book, plan);
  if (open === undefined) {
    if (isLeftOut(plan)) return note(plan, { onComplete: 'none' });
    return plan.state === 'landing' ? { do: 'finish', plan } : note(plan, { state: 'landing', reason: null });
  }
  return pauseStep(plan, open.why);
}

/** Somebody wants its branch to stay where it is. */
const isLeftOut = (plan: Plan): boolean =>
  [mergeKey(plan), planPrKey(plan)].some((key) => plan.decisions[key]?.action === 'skip');

/** Nothing can come of it any more: a failed one may be cancelled or revived, a completed one have got another job. */
export function planIsPast(book: Book, plan: Plan): boolean {
  const planner = plannerOf(book, plan);
  if (plan.state === 'failed' && plan.jobs.length === 0 && planner !== undefined)
    return !plan.isCancelled && isOver(planner);
  if (plan.state === 'failed') return !plan.isCancelled && isHopeless(book, jobsOf(book, plan));
  return plan.state === 'cancelled' || (plan.state === 'completed' && jobsOf(book, plan).every(isSettled));
}

/** Nothing of it can go on by itself, and nobody has decided anything that would let it. */
export function isHopeless(book: Book, jobs: readonly Task[]): boolean {
  return (
    !jobs.some(isDecided) &&
    jobs.some((job) => hasEnded(job) && !isSettled(job)) &&
    jobs.every((job) => hasEnded(job) || (stateOf(job) === 'blocked' && blockerOf(book, job) !== undefined))
  );
}

const failedWords = (jobs: readonly Task[]): string => {
  const bad = jobs.filter((job) => hasEnded(job) && !isSettled(job));
  return bad
    .map((job) => `${job.title} ${stateOf(job)}${job.reason === undefined ? '' : `: ${job.reason}`}`)
    .join('; ')
    .slice(0, 500);
};
