// Makes an answer hold for the next time the same is asked.

import { messageOf } from '../../model/errors.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { addRemembered } from '../../store/remembered.ts';
import { withLock } from '../../system/lock.ts';
import type { AgentRequest } from '../../turn/agent-request.ts';
import type { AnswerOrder } from '../orders.ts';
import type { CrewContext } from '../workers/roster.ts';
import { setPermissions } from './set-permissions.ts';

const lockTimeoutMs = 10_000;

/** What is remembered, or why nothing is; the answer itself stands either way. */
export interface Kept {
  readonly what?: string;
  readonly hint?: string;
}

export interface Remembering {
  /** Rules that the agent itself proposes; none where the very input is to be remembered. */
  readonly rules: readonly string[];
  readonly scope: 'session' | 'worker' | 'role';
}

/** What is to be remembered; undefined where that was not asked, or is not possible. Pure. */
export function rememberingOf(
  context: CrewContext,
  record: WorkerRecord,
  { asked, order }: { readonly asked: AgentRequest; readonly order: AnswerOrder },
): Remembering | Kept {
  const { remember: scope, decision, input } = order;
  if (scope === undefined) return {};
  if (asked.waitingFor !== 'permission') return { hint: 'Only a permission can be remembered, so nothing is.' };
  if (input !== undefined) return { hint: 'An act with another input than was asked for is not remembered.' };
  if (scope === 'role' && record.role === undefined) {
    return { hint: `${record.name} has no role, so nothing is remembered; pass remember "worker".` };
  }
  const hook = context.agentOf(record).permissionHook;
  return { scope, rules: decision === 'allow' ? (hook?.rulesIn(asked.suggestions ?? []) ?? []) : [] };
}

/** Keeps what the agent does not remember itself. */
export async function remember(
  context: CrewContext,
  record: WorkerRecord,
  {
    asked,
    decision,
    remembering,
  }: {
    readonly asked: AgentRequest;
    readonly decision: AnswerOrder['decision'];
    readonly remembering: Remembering | Kept;
  },
): Promise<Kept> {
  if (!('scope' in remembering)) return remembering;
  const { scope, rules } = remembering;
  const { id, role, launch } = record;
  try {
    if (rules.length > 0) {
      const kept = scope === 'role' ? `role:${role}` : `worker:${id}`;
      // For its session the agent itself has been told to.
      if (scope !== 'session') await setPermissions(context, { scope: kept, allow: rules });
      return { what: rules.join(', ') };
    }
    const key = { session: `launch:${id}:${launch.number}`, worker: `worker:${id}`, role: `role:${role}` }[scope];
    const answer = {
      tool: asked.tool,
      input: JSON.stringify(asked.input),
      decision: decision === 'deny' ? 'deny' : 'allow',
    } as const;
    const options = { me: context.me, timeoutMs: lockTimeoutMs };
    await withLock(context.home.lockPath('remembered'), () => addRemembered(context.home.root, key, answer), options);
    return { what: 'this very input' };
  } catch (error) {
    return { hint: `It could not be remembered: ${messageOf(error)}` };
  }
}
