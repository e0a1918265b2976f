// Questions to agents that are no workers.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { advise, call } from '../../model/advice.ts';
import { defined, unlessEmpty } from '../../model/defined.ts';
import { CrewError } from '../../model/errors.ts';
import { withLock } from '../../system/lock.ts';
import { usageOf } from '../../usage/usage.ts';
import type { ExpertAnswer } from '../../wire/experts.ts';
import { usageView } from '../../wire/usage.ts';
import type { Run } from '../orders.ts';
import type { CrewContext } from '../workers/crew-context.ts';
import { answerOf, type Expert, type ExpertOrder, expertFor, lastWordsOf, type Said } from './ask.ts';
import { keepConversation } from './conversations.ts';
import { spentIn } from './heard.ts';
import { inTurn } from './in-turn.ts';
import { secondsSince, tellProgress } from './progress.ts';

export interface Asking {
  /**
   * Resolves with the answer. Rejects with `timed_out` at the timeout, which counts from the call, and with
   * `agent_failed` where the agent ends without one; nothing of the agent runs any more by then.
   */
  askExpert(order: ExpertOrder, run: Run): Promise<ExpertAnswer>;
}

const mostAtOnce = 4;

export function verbs(context: CrewContext): Asking {
  const awaitTurn = inTurn(mostAtOnce);
  return {
    async askExpert(order, run) {
      const { clock } = context;
      const startedAt = clock.now();
      const expert = await expertFor(context, order);
      const seconds = () => secondsSince(clock, startedAt);
      const stopProgress = tellProgress(clock, run.tell);
      const late = new AbortController();
      const cancelLate = clock.after(order.timeoutMs, () => late.abort());
      const signal = AbortSignal.any([run.signal, late.signal]);
      try {
        const said = await awaitTurn(signal, () => alone(context, expert, () => answerOf(context, expert, signal)));
        return await told(context, {
          expert,
          said,
          seconds,
          isLate: late.signal.aborted,
          isCalledOff: run.signal.aborted,
        });
      } finally {
        cancelLate();
        stopProgress();
      }
    },
  };
}

/** Two questions at once would tear one conversation. */
async function alone<T>(context: CrewContext, { order }: Expert, act: () => Promise<T>): Promise<T> {
  if (order.resume === undefined) return act();
  const { home, me } = context;
  try {
    return await withLock(home.lockPath(`expert-${order.resume.toLowerCase()}`), act, { me, timeoutMs: 0 });
  } catch (error) {
    if (!(error instanceof CrewError) || error.code !== 'state_locked') throw error;
    throw new CrewError(
      'worker_busy',
      `The expert of ${order.resume} still answers another question.`,
      'Ask when it has answered, or leave resume out.',
    );
  }
}

interface Outcome {
  readonly expert: Expert;
  /** Undefined where it never began. */
  readonly said: Said | undefined;
  readonly seconds: () => number;
  readonly isLate: boolean;
  readonly isCalledOff: boolean;
}

async function told(context: CrewContext, outcome: Outcome): Promise<ExpertAnswer> {
  const { expert, said, seconds } = outcome;
  const id = said?.heard.agentSessionId ?? expert.order.resume;
  const { answer, usage } = said?.heard ?? {};
  if (said !== undefined && id !== undefined) await keep(context, id, outcome);
  if (answer === undefined || id === undefined) throw await failure(context, id, outcome);
  const { prices } = context.settingsFor(expert.repoPath).settings;
  const before = expert.before?.used ?? [];
  const spent = usage && usageOf(spentIn(usage, { before, model: expert.model }), prices);
  return {
    ...(await capped(context, expert, answer)),
    agent_session_id: id,
    duration_seconds: seconds(),
    ...defined({ usage: spent && usageView(spent), warnings: unlessEmpty(expert.warnings) }),
  };
}

async function keep(context: CrewContext, id: string, { expert, said }: Outcome): Promise<void> {
  const { agent, project, role, before } = expert;
  const { usage } = said?.heard ?? {};
  const used =
    usage?.of === 'conversation' ? usage.tokens.map(({ model: _, ...counts }) => counts) : (before?.used ?? []);
  await keepConversation(context, id, { v: 1, agentType: agent.type, project, ...defined({ role }), used: [...used] });
}

const mostCharacters = 20_000;
/** An error has room for less. */
const mostOfError = 3_000;

async function capped(
  context: CrewContext,
  expert: Expert,
  text: string,
  most = mostCharacters,
): Promise<Pick<ExpertAnswer, 'answer' | 'truncated' | 'path'>> {
  if (text.length <= most) return { answer: text };
  const folder = join(context.home.root, 'experts', 'answers');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${expert.id}.md`);
  await writeFile(path, text, { mode: 0o600 });
  return { answer: text.slice(0, most).replace(/[\uD800-\uDBFF]$/, ''), truncated: true, path };
}

async function failure(context: CrewContext, id: string | undefined, outcome: Outcome): Promise<CrewError> {
  const { expert, said, seconds, isLate, isCalledOff } = outcome;
  const { type } = expert.agent;
  if (isCalledOff) return new CrewError('agent_failed', `The call was cancelled, and its ${type} ended.`, 'Ask again.');
  const { answer: came, path } = await capped(context, expert, said?.heard.soFar ?? '', mostOfError);
  const words = came === '' ? 'It had said nothing.' : `It had said: ${JSON.stringify(came)}`;
  if (isLate) {
    const begun =
      said === undefined
        ? `It had not begun after ${seconds()} s; four work at once.`
        : `Ended after ${seconds()} s. ${words}`;
    const whole = path === undefined ? '' : `The whole is in ${path} . `;
    const again =
      id === undefined
        ? 'Ask again, with a longer timeout or a smaller question.'
        : advise`Go on with ${call(`ask_expert ${JSON.stringify({ question: 'Go on.', resume: id })}`, `resume ${id}`)}, or give it a longer timeout.`;
    return new CrewError('timed_out', `The ${type} expert did not answer in time. ${begun}`, advise`${whole}${again}`);
  }
  const trouble = said?.heard.trouble ?? (said === undefined ? '' : lastWordsOf(said.ran));
  return new CrewError(
    'agent_failed',
    `The ${type} expert ended without an answer: ${trouble} ${words}`,
    'Run the same agent in a terminal to see whether its login, model and account work.',
  );
}
