// How a message is put into a prompt of which only the configuration tells.
import type { DeliveryPlan, MessagePlan } from '../agent.ts';
import { type Configuration, strokesOf } from './configuration.ts';

const longestMessageBytes = 120_000;
/** Control characters other than line feed and tab; a terminal would act on them. */
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

const normalise = (text: string): string =>
  text
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replace(/\r\n?/g, '\n')
    .replace(controls, '')
    .trim();

const wait = 'Nothing was typed. Wait for it with wait_idle_workers, or send with delivery "interrupt".';

export function planDelivery({ text, asCommand, midTurn }: MessagePlan, config: Configuration): DeliveryPlan {
  const expect = normalise(text);
  if (expect === '') return { refused: 'The message is empty.', hint: 'Send some text.' };
  const bytes = Buffer.byteLength(expect);
  if (bytes > longestMessageBytes) {
    return {
      refused: `The message has ${bytes} bytes; one message can have ${longestMessageBytes}.`,
      hint: 'Write the long part to a file in the worktree and name the file in the message.',
    };
  }
  if (midTurn !== undefined) return { refused: 'It may be in the middle of a turn.', hint: wait };
  if (!config.multiline && /[\n\t]/.test(expect)) {
    return {
      refused: 'The message has line feeds or tabs, which this agent is not known to take as text.',
      hint: 'Send one line, name a file that holds the rest, or set multiline for the agent if it takes pasted text whole.',
    };
  }
  const prefix = config.command_prefixes.find((one) => expect.startsWith(one));
  if (prefix !== undefined && !asCommand) {
    return {
      refused: `A text that begins with "${prefix}" may be a command of the agent's own.`,
      hint: 'Pass as_command: true if that is meant, or begin with another word.',
    };
  }
  return { strokes: [{ paste: expect }, { pauseMs: pasteMs }, ...strokesOf(config.submit)], expect };
}

/** Some programs take an Enter that comes with a paste for a part of it. */
const pasteMs = 100;
