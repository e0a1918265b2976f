// Which agent a task starts with, and when, by what its role and the accounts of agents allow. Pure.
import type { AgentAccounts, RoleFacts } from '../../crew/api.ts';
import { isoTime } from '../../model/clock.ts';
import type { Task } from '../../model/task.ts';
import { isActive } from '../../model/task-state.ts';
import { anyAgent } from '../../model/worker.ts';
import type { Facts } from './facts.ts';

export type AgentChoice =
  | { readonly agentType: string }
  /** Each account that would do has reached its limit; the first is free again at `until`. */
  | { readonly until: number; readonly words: string };

/** The call beats the role; `any` leaves it to the role, and to nobody where the role names none. */
export function agentFor(
  { agentType }: Pick<Task, 'agentType'>,
  { agentType: ofRole }: RoleFacts,
  { usual, others, limits }: AgentAccounts,
): AgentChoice {
  const named = agentType === anyAgent ? ofRole : (agentType ?? ofRole ?? usual);
  const fitting = named === undefined ? [usual, ...others] : [named];
  const free = fitting.find((type) => !limits.has(type));
  if (free !== undefined) return { agentType: free };
  const until = Math.min(...fitting.flatMap((type) => limits.get(type)?.until ?? []));
  const who =
    fitting.length === 1 ? `The account of ${fitting[0]} has` : `The accounts of ${fitting.join(' and ')} have`;
  return { until, words: `${who} reached a usage limit; this starts after ${isoTime(until)}.` };
}

/** Why a task that has room otherwise stays in the queue. Its words stay the same for as long as the reason does. */
export function waitWords(facts: Pick<Facts, 'book' | 'accounts' | 'roles'>, task: Task): string | undefined {
  const isTold = task.progress.is === 'queued' && task.progress.next !== undefined;
  // A worker that is there already keeps its prompt until the limit of its account is over.
  return roleWords(facts, task) ?? (isTold ? undefined : limitWords(facts, task));
}

function roleWords({ book, roles }: Pick<Facts, 'book' | 'roles'>, { id, role }: Task): string | undefined {
  const most = roles.get(id)?.maxParallel;
  if (most === undefined || role === undefined) return undefined;
  const active = [...book.tasks.values()].filter((one) => one.role === role && isActive(one)).length;
  return active < most ? undefined : `The role ${role} has max_parallel ${most}, and as many of its tasks are at work.`;
}

function limitWords({ accounts, roles }: Pick<Facts, 'accounts' | 'roles'>, task: Task): string | undefined {
  const known = accounts.get(task.project);
  const choice = known && agentFor(task, roles.get(task.id) ?? {}, known);
  return choice !== undefined && 'until' in choice ? choice.words : undefined;
}
