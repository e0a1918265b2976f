// What every message is held to before an agent's own rules, and a text without what a terminal would act on.
import type { DeliveryPlan } from './typing-plan.ts';

const longestMessageBytes = 120_000;

/** Control characters other than line feed and tab; agents drop some, a terminal would act on the rest. */
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Line ends as LF, control characters dropped, outer blank trimmed. */
export const normaliseMessage = (text: string): string =>
  text
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replace(/\r\n?/g, '\n')
    .replace(controls, '')
    .trim();

/** Undefined for a text that is neither empty nor too long to be handed over in one piece. */
export function sizeRefusal(text: string): DeliveryPlan | undefined {
  if (text === '') return { refused: 'The message is empty.', hint: 'Send some text.' };
  const bytes = Buffer.byteLength(text);
  if (bytes <= longestMessageBytes) return undefined;
  return {
    refused: `The message has ${bytes} bytes; one message can have ${longestMessageBytes}.`,
    hint: 'Write the long part to a file in the worktree and name the file in the message.',
  };
}
