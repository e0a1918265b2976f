// Which agent a task starts with, and when, by what the accounts of agents allow. Pure.
import type { AgentAccounts } from '../../crew/api.ts';
import { isoTime } from '../../model/clock.ts';
import type { Task } from '../../model/task.ts';
import { anyAgent } from '../../model/worker.ts';
import type { Facts } from './facts.ts';

export type AgentChoice =
  | { readonly agentType: string }
  /** Each account that would do has reached its limit; the first is free again at `until`. */
  | { readonly until: number; readonly words: string };

export function agentFor(
  { agentType }: Pick<Task, 'agentType'>,
  { usual, others, limits }: AgentAccounts,
): AgentChoice {
  const fitting = agentType === anyAgent ? [usual, ...others] : [agentType ?? usual];
  const free = fitting.find((type) => !limits.has(type));
  if (free !== undefined) return { agentType: free };
  const until = Math.min(...fitting.flatMap((type) => limits.get(type)?.until ?? []));
  const who =
    fitting.length === 1 ? `The account of ${fitting[0]} has` : `The accounts of ${fitting.join(' and ')} have`;
  return { until, words: `${who} reached a usage limit; this starts after ${isoTime(until)}.` };
}

/** Why no agent that would do may start now. A role may name an agent of its own, which is read at the start. */
export function limitWords({ accounts }: Pick<Facts, 'accounts'>, task: Task): string | undefined {
  if (task.agentType === undefined && task.role !== undefined) return undefined;
  const known = accounts.get(task.project);
  const choice = known && agentFor(task, known);
  return choice !== undefined && 'until' in choice ? choice.words : undefined;
}
