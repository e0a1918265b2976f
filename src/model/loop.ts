// A goal that is worked at plan after plan, until a planner finds it reached.
import type { PlanMode } from './plan-mode.ts';

export const loopStates = ['planning', 'running', 'paused', 'done', 'stopped', 'failed'] as const;
export type LoopState = (typeof loopStates)[number];

export interface Loop {
  readonly id: string;
  readonly crew: string;
  readonly project: string;
  readonly goal: string;
  readonly mode: PlanMode;
  readonly testCommand?: string;
  /** So many plans at most. */
  readonly maxIterations: number;
  /** Of all its workers. */
  readonly maxCostUsd?: number;
  /** Its plans land here, and it comes from `base`. */
  readonly branch: string;
  readonly base: string;
  readonly state: LoopState;
  /** How many plans were begun. */
  readonly iteration: number;
  /** Their ids, in their order. */
  readonly plans: readonly string[];
  /** The last of them, until its end is counted. */
  readonly openPlan?: string;
  /** Plans that failed, in a row. */
  readonly failures: number;
  /** No plan follows that which runs. */
  readonly isStopping: boolean;
  /** Why it stands, or how it has ended. */
  readonly reason?: string;
  /** Epoch ms. */
  readonly at: number;
  readonly endedAt?: number;
}

/** Its branch is called by this and its id. */
export const loopBranchName = 'loop';
/** `max_iterations` at most. */
export const mostIterations = 50;
/** So many failed plans in a row pause a loop. */
export const mostFailedPlans = 2;

export const loopHasEnded = ({ state }: Pick<Loop, 'state'>): boolean =>
  state === 'done' || state === 'stopped' || state === 'failed';

/** Somebody has stopped it and no plan is open, so that only the note of its end is left. */
export const isToEnd = ({ isStopping, openPlan }: Pick<Loop, 'isStopping' | 'openPlan'>): boolean =>
  isStopping && openPlan === undefined;

/** It may need a step, now or at some time. */
export const isLoopWatched = (loop: Loop): boolean =>
  !loopHasEnded(loop) && (loop.state !== 'paused' || loop.isStopping || loop.openPlan !== undefined);
