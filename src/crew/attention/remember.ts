// Makes an answer hold for the next time the same is asked.

import { CrewError, messageOf } from '../../model/errors.ts';
import type { Remember, RequestAnswer } from '../../model/request.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { addRemembered } from '../../store/remembered.ts';
import { withLock } from '../../system/lock.ts';
import type { AgentRequest } from '../../turn/agent-request.ts';
import type { AnswerResult } from '../../wire/attention.ts';
import type { AnswerOrder } from '../orders.ts';
import type { CrewContext } from '../workers/crew-context.ts';
import { choicesOf, proposalOf } from './remember-words.ts';
import { setPermissions } from './set-permissions.ts';

const lockTimeoutMs = 10_000;

/** What is remembered, or why nothing is; the answer itself holds either way. */
interface Kept {
  readonly what?: string;
  readonly hint?: string;
}

interface Remembering {
  /** Rules that the agent itself proposes; none where the very input is to be remembered. */
  readonly rules: readonly string[];
  readonly scope: Remember;
  readonly words: string;
}

interface Answering {
  readonly asked: AgentRequest | undefined;
  readonly order: AnswerOrder;
}

/** Throws before anything is answered where the agent's mode of accepted edits is wanted and not offered. */
export function refuseEdits(context: CrewContext, record: WorkerRecord, { asked, order }: Answering): void {
  if (order.remember !== 'edits') return;
  if (asked !== undefined && choicesIn(context, record, { asked, order }).edits !== undefined) return;
  throw new CrewError(
    'invalid_argument',
    `remember "edits" is not offered with ${JSON.stringify(order.decision)} for what ${record.name} asks; it is a ${record.agentType} worker.`,
    'Nothing was answered. "edits" is a mode of Claude Code, and goes with "allow" where suggestions has it.',
  );
}

const choicesIn = (
  context: CrewContext,
  record: WorkerRecord,
  { asked, order }: Answering & { readonly asked: AgentRequest },
) => {
  const proposal = proposalOf(record, asked, context.agents.of(record));
  return choicesOf(record, { asked, proposal, decision: order.decision === 'deny' ? 'deny' : 'allow' });
};

/** Decides what to remember; a hint says why nothing, where that was asked and is not possible. */
export function rememberingOf(
  context: CrewContext,
  record: WorkerRecord,
  { asked, order }: { readonly asked: AgentRequest; readonly order: AnswerOrder },
): Remembering | Kept {
  const { remember: scope, decision, input } = order;
  if (scope === undefined) return {};
  if (asked.waitingFor !== 'permission') return { hint: 'Only a permission can be remembered, so nothing is.' };
  if (asked.personOnly === true) return { hint: 'A person decides this each time, so nothing is remembered.' };
  if (input !== undefined && scope !== 'edits') {
    return { hint: 'An act with another input than was asked for is not remembered.' };
  }
  const words = choicesIn(context, record, { asked, order })[scope];
  if (words === undefined) {
    return { hint: `${record.name} has no role, so nothing is remembered; pass remember "worker".` };
  }
  const isByRule = decision === 'allow' && scope !== 'edits';
  return { scope, words, rules: isByRule ? proposalOf(record, asked, context.agents.of(record)).rules : [] };
}

/** The part of an answer that makes the agent itself remember. */
export const toldAgent = (remembering: Remembering | Kept): Pick<RequestAnswer, 'remember' | 'edits'> => {
  if (!('scope' in remembering)) return {};
  if (remembering.scope === 'edits') return { edits: true };
  return remembering.rules.length > 0 ? { remember: true } : {};
};

interface Answered {
  readonly asked: AgentRequest;
  readonly decision: AnswerOrder['decision'];
  readonly remembering: Remembering | Kept;
}

/** Keeps what the agent does not remember itself. */
export async function remember(
  context: CrewContext,
  record: WorkerRecord,
  { asked, decision, remembering }: Answered,
): Promise<Kept> {
  if (!('scope' in remembering)) return remembering;
  const { scope, rules, words: what } = remembering;
  const { id, role, launch } = record;
  if (scope === 'edits') return { what };
  try {
    if (rules.length > 0) {
      const kept = scope === 'role' ? `role:${role}` : `worker:${id}`;
      // The answer itself makes the agent remember the rules for its session.
      if (scope !== 'session') await setPermissions(context, { scope: kept, allow: rules });
      return { what };
    }
    const key = { session: `launch:${id}:${launch.number}`, worker: `worker:${id}`, role: `role:${role}` }[scope];
    const answer = {
      tool: asked.tool,
      input: JSON.stringify(asked.input),
      decision: decision === 'deny' ? 'deny' : 'allow',
    } as const;
    const options = { me: context.me, timeoutMs: lockTimeoutMs };
    await withLock(context.home.lockPath('remembered'), () => addRemembered(context.home.root, key, answer), options);
    return { what };
  } catch (error) {
    return { hint: `It could not be remembered: ${messageOf(error)}` };
  }
}

/** A host that one worker may reach from now on is allowed to the whole crew. */
export async function rememberHost(
  context: CrewContext,
  record: WorkerRecord,
  { order, answered }: { readonly order: AnswerOrder; readonly answered: AnswerResult },
): Promise<AnswerResult> {
  const host = answered.success ? context.agents.of(record).sandbox?.hostOf(answered.option ?? '') : undefined;
  if (host === undefined) {
    if (order.remember === undefined) return answered;
    const hint = 'An answer on the screen is not remembered; choose a label that says so.';
    return { ...answered, hint: answered.hint === undefined ? hint : `${answered.hint} ${hint}` };
  }
  const rule = `WebFetch(domain:${host})`;
  await setPermissions(context, { scope: 'default', allow: [rule] });
  return { ...answered, remembered: `${rule} for the whole crew` };
}
