// Parameters that several tools take, each with its bounds and its words.
import { z } from 'zod';
import { isOption, optionWords } from '../model/arg-word.ts';

const textBytesLimit = 120_000;
const bytesOf = (text: string) => new TextEncoder().encode(text).length;
const line = (limit: number) => z.string().min(1).max(limit);

/** A text for an agent; larger ones belong in a file. */
export const agentText = z.string().refine((text) => bytesOf(text) <= textBytesLimit, {
  error: ({ input }) =>
    `it has ${bytesOf(String(input))} bytes, and ${textBytesLimit} is the most; put the text into a file and send its path`,
});

/** What becomes an argument of an agent, of git or of gh. */
export const argWord = (limit: number) => line(limit).refine((value) => !isOption(value), optionWords);

export const path = line(4_096);
export const label = line(500);
export const workerRef = line(300);

export const sessionId = workerRef.describe('Id, name or terminal id (tmux:%12).');
export const sessionIds = z.array(workerRef).min(1).max(64).describe('Ids, names or terminal ids (tmux:%12).');

export const timeoutSeconds = z
  .number()
  .min(0)
  .max(86_400)
  .default(600)
  .describe('Seconds to wait at most. Some clients allow less; the answer then says timed_out.');

export const onAttention = z
  .enum(['new', 'any', 'ignore'])
  .default('new')
  .describe(
    'Whether a worker that needs someone ends the wait: new = only for what you were not told of yet, any = always, ignore = never.',
  );
