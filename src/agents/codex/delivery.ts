// How a message is put into the composer so that it arrives exactly.
import type { Agent, DeliveryPlan } from '../agent.ts';
import { normaliseMessage, sizeRefusal } from '../plain-message.ts';
import { disarmed } from './message-text.ts';

export const planDelivery: Agent['planDelivery'] = ({ text, asCommand, midTurn }): DeliveryPlan => {
  const expect = normaliseMessage(text);
  const refusal = sizeRefusal(expect);
  if (refusal !== undefined) return refusal;
  // While a turn runs, Enter puts the message into that turn and Tab has it wait for the next.
  const key = midTurn === 'queue' && !asCommand ? 'Tab' : 'Enter';
  return { strokes: [{ paste: asCommand ? expect : disarmed(expect) }, { press: key }], expect };
};

/** Its program writes to a store that every Codex of this home looks into between turns. Nothing in it is a command. */
export const planHandover: NonNullable<Agent['planHandover']> = ({ text, agentSessionId }) => ({
  args: ['queue', '--thread', agentSessionId, `--message=${normaliseMessage(text)}`],
  accepted: /^Queued message \S+/m,
});
