// How a message is put into the prompt box so that it arrives exactly.
import type { Stroke } from '../../model/stroke.ts';
import type { Agent, DeliveryPlan } from '../agent.ts';
import { sizeRefusal } from '../plain-message.ts';
import { commandIn, normaliseMessage } from './message-text.ts';

/** A longer paste, or one of more lines, reaches the model wrapped up as content the user may not have written. */
const longestPaste = 800;
const mostLineFeeds = 2;
/** Long enough for the box to take the text in before Enter. */
const beforeEnterMs = 50;

export const planDelivery: Agent['planDelivery'] = ({ text, asCommand }) => {
  const expect = untabbed(normaliseMessage(text));
  const refusal = refusalOf(expect, asCommand);
  if (refusal !== undefined) return refusal;
  const body = asCommand ? pastesOf(expect) : proseStrokes(expect);
  return { strokes: [...body, { pauseMs: beforeEnterMs }, { press: 'Enter' }], expect };
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

function proseStrokes(text: string): readonly Stroke[] {
  // A backslash before Enter makes a new line, and an open list of files may take the Enter; a blank ends both.
  const ended = /\\$|(?:^|\s)@\S*$/.test(text) ? `${text} ` : text;
  if (!ended.startsWith('!')) return pastesOf(ended);
  // The first sign of an empty box would switch it to the shell; behind another letter it is a sign like any other.
  return [{ paste: 'x!' }, { press: 'Home' }, { press: 'DC' }, { press: 'End' }, ...pastesOf(ended.slice(1))];
}

/** The text in pastes short enough to be taken as typed. They need no pause between them. */
function pastesOf(text: string): readonly Stroke[] {
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
