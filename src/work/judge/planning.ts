// What becomes of a plan whose planner has handed in jobs, or has ended without. Pure.
import type { CrewError } from '../../model/errors.ts';
import { type HandIn, type Plan, planHasEnded, type Task } from '../../model/task.ts';
import { ended, stateOf } from '../../model/task-progress.ts';
import type { PlanPatch, TaskPatch } from '../../store/job-book.ts';
import { startWords, waitsAtStart } from './checkpoint.ts';
import { type Facts, plannerOf, workOf } from './facts.ts';
import { failedPlanning, isFinal, refusal } from './hand-in.ts';
import { gone, sentBack } from './outcomes.ts';
import { dismissed } from './plan-step.ts';
import { refusedText } from './planner-words.ts';

export interface PlanningChange {
  readonly plan: Omit<PlanPatch, 'id'>;
  readonly tasks: readonly TaskPatch[];
  readonly tell?: 'plan_checkpoint' | 'plan_ended';
}

export function acceptedWith(plan: Plan, { id: of }: HandIn, made: readonly Task[]): PlanningChange {
  const verdict = { of, refused: plan.verdict?.refused ?? 0 };
  const jobs = made.map(({ id }) => id);
  return waitsAtStart({ ...plan, jobs })
    ? { plan: { jobs, verdict, reason: startWords(plan, jobs) }, tasks: made, tell: 'plan_checkpoint' }
    : { plan: { jobs, verdict }, tasks: made };
}

/** In a loop: the plan ends without jobs. Undefined for any other hand-in. */
export function reachedWith({ now }: Pick<Facts, 'now'>, plan: Plan, handIn: HandIn): PlanningChange | undefined {
  if (plan.loop === undefined || handIn.is !== 'reached' || handIn.why.trim() === '') return undefined;
  const verdict = { of: handIn.id, refused: plan.verdict?.refused ?? 0 };
  return {
    plan: { state: 'completed', verdict, endedAt: now, reason: null },
    tasks: dismissed(plan),
    tell: 'plan_ended',
  };
}

export function refusedWith(facts: Facts, plan: Plan, handIn: HandIn, error: CrewError): PlanningChange {
  const verdict = refusal(plan, handIn, error);
  const planner = plannerOf(facts.book, plan);
  if (isFinal(verdict) && planner !== undefined) {
    const why = `Its planner handed in ${verdict.refused} plans that do not hold; the last: ${verdict.words}`;
    const change = failedWith(facts, planner, why);
    return { ...change, plan: { ...change.plan, verdict } };
  }
  const isToldLater = planner !== undefined && !hears(facts, planner, handIn);
  const told = isToldLater && { id: planner.id, ...sentBack(facts, planner, refusedText(verdict.words ?? '')) };
  return { plan: { verdict }, tasks: told ? [told] : [] };
}

/** The turn in which it has handed in goes on, so that its call can tell. */
function hears(facts: Facts, planner: Task, { at }: HandIn): boolean {
  const work = workOf(facts, planner);
  return work !== undefined && !gone(work) && (work.turn?.endedAt ?? 0) <= at;
}

/** Its planner has ended. Undefined where the plan waits for none. */
export function endedWithout(facts: Facts, plan: Plan): PlanningChange | undefined {
  const planner = plannerOf(facts.book, plan);
  if (planner === undefined || planHasEnded(plan)) return undefined;
  const { reason = '' } = planner;
  const words = plan.verdict?.words;
  const state = stateOf(planner);
  if (state === 'cancelled') return failedWith(facts, planner, 'Its planner was cancelled.');
  if (state === 'failed') return failedWith(facts, planner, `Its planner failed: ${reason.replace(/\.?$/, '.')}`);
  const refused = words === undefined ? '' : ` What it handed in before does not hold: ${words}`;
  return failedWith(facts, planner, `Its planner ended its turn without a plan that holds.${refused}`);
}

function failedWith(facts: Facts, planner: Task, why: string): PlanningChange {
  const { now } = facts;
  const lastWords = workOf(facts, planner)?.lastWords;
  const reason = failedPlanning(why, lastWords === undefined || lastWords === '' ? planner.lastWords : lastWords);
  const state = stateOf(planner);
  const isNoted = state === 'failed' || state === 'cancelled';
  const failed = { progress: ended('failed'), failures: planner.failures + 1, reason: why, endedAt: now };
  return {
    plan: { state: 'failed', reason, endedAt: now },
    tasks: isNoted ? [] : [{ id: planner.id, ...failed }],
    tell: 'plan_ended',
  };
}
