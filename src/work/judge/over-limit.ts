// Whether a task has reached a bound that was set for it. Pure.
import type { Work } from '../../crew/api.ts';
import type { Task } from '../../model/task.ts';
import type { Facts } from './facts.ts';

/** The bound that it has reached, in words. Pure. */
export function overLimit(
  { now }: Pick<Facts, 'now'>,
  task: Task,
  work: Pick<Work, 'turns' | 'costUsd'>,
): string | undefined {
  const { timeoutMinutes, startedAt = now, maxTurns, maxCostUsd } = task;
  if (timeoutMinutes !== undefined && now - startedAt >= timeoutMinutes * 60_000)
    return `its ${timeoutMinutes} minutes are over`;
  if (maxTurns !== undefined && work.turns > maxTurns) return `it has begun more than ${maxTurns} turns`;
  if (maxCostUsd !== undefined && (work.costUsd ?? 0) > maxCostUsd) return `it has cost more than ${maxCostUsd} USD`;
  return undefined;
}
