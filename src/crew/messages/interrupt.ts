// Ends the running turn, and says whether it ended.
import type { Agent } from '../../agents/agent.ts';
import { asCrewError } from '../../model/errors.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import type { TurnState } from '../../turn/reduce-turn.ts';
import type { InterruptOutcome } from '../../wire/messages.ts';
import type { Following } from '../workers/following.ts';
import { type CrewContext, paneRef } from '../workers/roster.ts';
import { awaitFact } from '../workers/timing.ts';
import { stillShowsQueue } from './screen-proof.ts';

const interruptCeilingMs = 5_000;
const withinTurn = new Set(['permission', 'question', 'plan_approval']);

/** Whether there is a turn that Escape would end; Escape into a start-up dialog would end the agent. */
export const hasTurnToEnd = (state: TurnState): boolean =>
  state.is === 'working' ||
  (state.is === 'waiting' && state.waitingFor !== undefined && withinTurn.has(state.waitingFor));

const keyOf = ({ interrupt }: Agent): string =>
  interrupt.flatMap((keystroke) => ('press' in keystroke ? [keystroke.press] : [])).join(' ');

export async function interruptTurn(
  context: CrewContext,
  record: WorkerRecord,
  following: Following,
): Promise<InterruptOutcome> {
  await following.drain();
  if (!hasTurnToEnd(following.state) || record.pane === undefined) {
    return { success: true, outcome: 'nothing_running', detail: `${record.name} is ${following.state.is}` };
  }
  const agent = context.agentOf(record);
  const before = following.state.turn?.number;
  let interrupted = false;
  const stop = following.onSignal((signal) => {
    if (signal.from === 'transcript' && signal.kind === 'ended' && signal.how === 'interrupted') interrupted = true;
  });
  try {
    await context.terminal.deliver(paneRef(record.pane), agent.interrupt);
    const ended = await awaitFact(following, { clock: context.clock, ceilingMs: interruptCeilingMs }, () => {
      const { is, turn } = following.state;
      // With prompts queued the agent goes straight on to them: a new turn is the end of the old one.
      return interrupted || is === 'idle' || is === 'gone' || turn?.number !== before ? true : undefined;
    });
    if (ended) return { success: true, outcome: 'interrupted', ...(await leftOver(context, record, following)) };
    return {
      success: false,
      outcome: 'unconfirmed',
      detail: `${keyOf(agent)} was pressed; ${record.name} still shows ${following.state.is} after ${interruptCeilingMs / 1000} s`,
    };
  } catch (error) {
    return { success: false, outcome: 'failed', detail: asCrewError(error).message };
  } finally {
    stop();
  }
}

/** What became of the messages that were still to come. */
async function leftOver(
  context: CrewContext,
  record: WorkerRecord,
  following: Following,
): Promise<Pick<InterruptOutcome, 'detail' | 'returned'>> {
  const isUnclear = await stillShowsQueue({ context, following, agent: context.agentOf(record) });
  const { evidence, facts } = following.state;
  const unclear = isUnclear ? `; whether ${facts.queued.length} queued messages still run is not seen yet` : '';
  return {
    detail: `${evidence.detail}${unclear}`,
    ...(facts.returned.length === 0 ? {} : { returned: shortened(facts.returned) }),
  };
}

const mostReturned = 10;
const previewLength = 200;

/** As much of each message as tells it from the others. */
export const shortened = (texts: readonly string[]): readonly string[] =>
  texts
    .slice(0, mostReturned)
    .map((text) =>
      text.length > previewLength ? `${text.slice(0, previewLength)}… (${text.length} characters)` : text,
    );
