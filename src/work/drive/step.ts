// One step of any kind: what a spent loop holds back, then tasks and plans, loops, and schedules. Pure.
import type { DriverStep, Facts } from '../judge/facts.ts';
import { type LoopStep, nextLoopStep } from '../judge/loop.ts';
import { nextStep } from '../judge/next-step.ts';
import { overCostStep } from '../judge/over-cost.ts';
import { nextScheduleStep, type ScheduleStep } from '../rhythm/owed.ts';

export type AnyStep = DriverStep | ScheduleStep | LoopStep;

export const nextOfAll = (facts: Facts): AnyStep | undefined =>
  overCostStep(facts) ?? nextStep(facts) ?? nextLoopStep(facts) ?? nextScheduleStep(facts);

/** Of what it is about. */
export function idOf(step: AnyStep): string {
  if ('plan' in step) return step.plan.id;
  if ('task' in step) return step.task.id;
  return 'loop' in step ? step.loop.id : step.schedule.id;
}
