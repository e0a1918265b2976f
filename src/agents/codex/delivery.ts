// How a message is put into the composer so that it arrives exactly.
import { refuseOptions } from '../../model/arg-word.ts';
import type { Keystroke } from '../../model/keystroke.ts';
import type { Agent } from '../agent.ts';
import { eraseOf, splitFirst } from '../first-piece.ts';
import { normaliseMessage, sizeRefusal } from '../plain-message.ts';
import type { DeliveryPlan, TypingPlan } from '../typing-plan.ts';

export const planDelivery: Agent['planDelivery'] = ({ text, asCommand, midTurn }): DeliveryPlan => {
  const expect = normaliseMessage(text);
  const refusal = sizeRefusal(expect);
  if (refusal !== undefined) return refusal;
  const typed = asCommand ? expect : disarmed(expect);
  const { first, rest } = splitFirst(typed);
  return {
    first: { keystrokes: pastesOf(first), shows: first, undo: eraseOf(first) },
    rest: pastesOf(rest),
    whole: wholeOf(typed, { first, rest }),
    // While a turn runs, Enter puts the message into that turn and Tab has it wait for the next.
    submit: [{ press: midTurn === 'queue' && !asCommand ? 'Tab' : 'Enter' }],
    expect,
  };
};

/**
 * A leading `!` would run the rest in a shell and a leading `/` a command of its own; a trailing `@word` opens a list
 * of files that takes the Enter. A blank disarms either, and Codex trims it away.
 */
const disarmed = (text: string): string =>
  `${/^[!/]/.test(text) ? ' ' : ''}${text}${/(?:^|\s)@\S*$/.test(text) ? ' ' : ''}`;

/** A longer paste is shown as a placeholder, which one key takes back. */
const longestShown = 1_000;

function wholeOf(
  typed: string,
  { first, rest }: { readonly first: string; readonly rest: string },
): TypingPlan['whole'] {
  const length = [...rest].length;
  const shows = length > longestShown ? `${first}[Pasted Content ${length} chars]` : typed;
  return { shows, undo: length > longestShown ? undefined : eraseOf(typed), isReadable: true };
}

/** A paste that is the path of a picture would arrive as the picture; the end of its name is no path. */
function pastesOf(text: string): readonly Keystroke[] {
  if (text === '') return [];
  const end = text.length > longestShown ? -1 : text.search(/\.\w{3,4}["']?\s*$/);
  if (end < 0) return [{ paste: text }];
  return [{ paste: text.slice(0, end + 2) }, { paste: text.slice(end + 2) }];
}

/** Its program writes to a store that every Codex of this home looks into between turns. Nothing in it is a command. */
export const planHandover: NonNullable<Agent['planHandover']> = ({ text, agentSessionId }) => {
  refuseOptions({ 'Its conversation': agentSessionId });
  return {
    args: ['queue', '--thread', agentSessionId, `--message=${normaliseMessage(text)}`],
    accepted: /^Queued message \S+/m,
  };
};
