// How a message is put into the prompt box so that it arrives exactly.
import type { Keystroke } from '../../model/keystroke.ts';
import type { Agent } from '../agent.ts';
import { eraseOf, splitFirst } from '../first-piece.ts';
import { sizeRefusal } from '../plain-message.ts';
import type { DeliveryPlan, TypingPlan } from '../typing-plan.ts';
import { commandIn, normaliseMessage } from './message-text.ts';

/** A longer paste, or one of more lines, reaches the model wrapped up as content the user may not have written. */
const longestPaste = 800;
const mostLineFeeds = 2;
/** As much as can be taken back with one key for each character. */
const mostErased = 2_000;

export const planDelivery: Agent['planDelivery'] = ({ text, asCommand }) => {
  const expect = untabbed(normaliseMessage(text));
  const refusal = refusalOf(expect, asCommand);
  if (refusal !== undefined) return refusal;
  const body = asCommand ? plainKeystrokes(expect) : proseKeystrokes(expect);
  return { ...body, submit: [{ press: 'Enter' }], expect };
};

/** The box has no tabs: it shows a pasted one as four blanks, and drops a typed one. */
const untabbed = (text: string): string => text.replaceAll('\t', '    ');

function refusalOf(text: string, asCommand: boolean): DeliveryPlan | undefined {
  const refusal = sizeRefusal(text);
  if (refusal !== undefined) return refusal;
  const command = asCommand ? undefined : commandIn(text);
  if (command === undefined) return undefined;
  return {
    refused: `Claude Code would take this message for its own command "${command}".`,
    hint: 'Put a word before it to send it as text, or pass as_command: true to run it.',
  };
}

type Body = Pick<TypingPlan, 'first' | 'rest' | 'whole'>;

function proseKeystrokes(text: string): Body {
  // A backslash before Enter makes a new line, and an open list of files may take the Enter; a blank ends both.
  const ended = /\\$|(?:^|\s)@\S*$/.test(text) ? `${text} ` : text;
  if (!ended.startsWith('!')) return plainKeystrokes(ended);
  // The first sign of an empty box would switch it to the shell; behind another letter it is a sign like any other.
  const begun = 'x!';
  const bared: readonly Keystroke[] = [{ press: 'Home' }, { press: 'DC' }, { press: 'End' }];
  return {
    first: { keystrokes: [{ paste: begun }], shows: begun, undo: eraseOf(begun) },
    rest: [...bared, ...pastesOf(ended.slice(1))],
    whole: wholeOf(ended),
  };
}

function plainKeystrokes(text: string): Body {
  const { first, rest } = splitFirst(text);
  return {
    first: { keystrokes: pastesOf(first), shows: first, undo: eraseOf(first) },
    rest: pastesOf(rest),
    whole: wholeOf(text),
  };
}

const wholeOf = (text: string): TypingPlan['whole'] => ({
  shows: text,
  undo: text.length > mostErased ? undefined : eraseOf(text),
  isReadable: true,
});

/** The text in pastes short enough to be taken as typed. They need no pause between them. */
function pastesOf(text: string): readonly Keystroke[] {
  const pastes: string[] = [];
  let paste = '';
  let lineFeeds = 0;
  for (const char of text) {
    const full = paste.length + char.length > longestPaste || (char === '\n' && lineFeeds === mostLineFeeds);
    if (full || wouldBePicture(paste, char)) {
      pastes.push(paste);
      paste = '';
      lineFeeds = 0;
    }
    paste += char;
    if (char === '\n') lineFeeds += 1;
  }
  return [...pastes, paste].filter((part) => part !== '').map((part) => ({ paste: part }));
}

/** A paste that is the path of a picture would arrive as the picture. */
const wouldBePicture = (paste: string, next: string): boolean =>
  /\.(?:pn|jp|jpe|gi|web)$/i.test(paste) && /[gfp]/i.test(next);
