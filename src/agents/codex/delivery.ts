// How a message is put into the composer so that it arrives exactly.
import type { Agent, DeliveryPlan } from '../agent.ts';
import { disarmed, normaliseMessage } from './message-text.ts';

const longestMessageBytes = 120_000;

export const planDelivery: Agent['planDelivery'] = ({ text, asCommand, midTurn }): DeliveryPlan => {
  const expect = normaliseMessage(text);
  if (expect === '') return { refused: 'The message is empty.', hint: 'Send some text.' };
  const bytes = Buffer.byteLength(expect);
  if (bytes > longestMessageBytes) {
    return {
      refused: `The message has ${bytes} bytes; one message can have ${longestMessageBytes}.`,
      hint: 'Write the long part to a file in the worktree and name the file in the message.',
    };
  }
  // While a turn runs, Enter puts the message into that turn and Tab has it wait for the next.
  const key = midTurn === 'queue' && !asCommand ? 'Tab' : 'Enter';
  return { strokes: [{ paste: asCommand ? expect : disarmed(expect) }, { press: key }], expect };
};

/** Its program writes to a store that every Codex of this home looks into between turns. Nothing in it is a command. */
export const planHandover: NonNullable<Agent['planHandover']> = ({ text, agentSessionId }) => ({
  args: ['queue', '--thread', agentSessionId, `--message=${normaliseMessage(text)}`],
  accepted: /^Queued message \S+/m,
});
