// How a message is put into a prompt of which only the configuration tells.
import type { MessagePlan } from '../agent.ts';
import { eraseOf, splitFirst } from '../first-piece.ts';
import { normaliseMessage, sizeRefusal } from '../plain-message.ts';
import type { DeliveryPlan } from '../typing-plan.ts';
import { type Configuration, strokesOf } from './configuration.ts';

const wait = 'Nothing was typed. Wait for it with wait_idle_workers, or send with delivery "interrupt".';

export function planDelivery({ text, asCommand, midTurn }: MessagePlan, config: Configuration): DeliveryPlan {
  const expect = normaliseMessage(text);
  const refusal = sizeRefusal(expect);
  if (refusal !== undefined) return refusal;
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
  const [line = ''] = expect.split('\n');
  const { first } = splitFirst(line, longestFirst);
  const rest = expect.slice(first.length);
  const undo = eraseOf(first);
  return {
    first: { strokes: [{ paste: first }], shows: first, undo },
    rest: rest === '' ? [] : [{ paste: rest }],
    whole: { shows: expect, undo: rest === '' ? undo : undefined, isReadable: rest === '' },
    submit: [{ pauseMs: pasteMs }, ...strokesOf(config.submit)],
    expect,
  };
}

/** It stands on the row of the prompt, also in a narrow pane. */
const longestFirst = 24;

/** Some programs take an Enter that comes with a paste for a part of it. */
const pasteMs = 100;
