// Whether a task has reached a bound that was set for it. Pure.
import type { Work } from '../../crew/api.ts';
import type { Task } from '../../model/task.ts';
import type { Budget } from '../../model/worker.ts';
import type { Facts } from './facts.ts';

type Seen = Pick<Work, 'turns' | 'costUsd' | 'budget'>;

/** A role may bound the worker of a task that names no bound. */
const boundsOn = (task: Pick<Task, 'maxTurns' | 'maxCostUsd'>, { budget }: Seen): Budget => ({ ...budget, ...task });

/** The bound that it has passed, in words. Pure. */
export function overLimit(
  { now, taskTimeoutMinutes }: Pick<Facts, 'now' | 'taskTimeoutMinutes'>,
  task: Task,
  work: Seen,
): string | undefined {
  const { timeoutMinutes = taskTimeoutMinutes, startedAt = now } = task;
  const { maxTurns, maxCostUsd } = boundsOn(task, work);
  if (timeoutMinutes !== undefined && now - startedAt >= timeoutMinutes * 60_000)
    return `its ${timeoutMinutes} minutes are over`;
  if (maxTurns !== undefined && work.turns > maxTurns) return `it has begun more than ${maxTurns} turns`;
  return costWords(maxCostUsd, work.costUsd);
}

const costWords = (maxCostUsd: number | undefined, costUsd = 0): string | undefined =>
  maxCostUsd !== undefined && costUsd >= maxCostUsd
    ? `it has cost ${costUsd} USD, and its max_cost_usd is ${maxCostUsd}`
    : undefined;

/** Why it may have no further prompt, in words. Pure. */
export function promptsSpent(task: Pick<Task, 'maxTurns' | 'maxCostUsd'>, work: Seen): string | undefined {
  const { maxTurns, maxCostUsd } = boundsOn(task, work);
  const { turns, costUsd } = work;
  if (maxTurns !== undefined && turns >= maxTurns)
    return `it needs another turn, and its max_turns of ${maxTurns} have begun`;
  return costWords(maxCostUsd, costUsd);
}
