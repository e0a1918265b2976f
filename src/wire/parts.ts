// Parts that several shapes share: lists, notes of a cut, and parameters with their bounds and words.
import { z } from 'zod';
import type { Advice, Hint } from '../model/advice.ts';
import { isOption, optionWords } from '../model/arg-word.ts';

type Frozen<T> = T extends Advice
  ? T
  : T extends readonly (infer Item)[]
    ? readonly Frozen<Item>[]
    : T extends object
      ? { readonly [K in keyof T]: Frozen<T[K]> }
      : T;

/** The type of a shape, readonly at every depth. */
export type Shape<Schema extends z.ZodType> = Frozen<z.output<Schema>>;

export const list = <Item extends z.ZodType>(item: Item) => z.array(item).readonly();

/** What to do, on the wire a string. */
export const hint: z.ZodType<Hint> = z.string();

/** Fields that say that an answer was shortened. */
export const shortened = { truncated: z.boolean().exactOptional(), note: z.string().exactOptional() };

/** What a list leaves out for length, and how to get it. */
export const more = z.object({ count: z.number(), hint: z.string() }).exactOptional();

export const nothing = z.strictObject({});

const textBytesLimit = 120_000;
const bytesOf = (text: string) => new TextEncoder().encode(text).length;
const line = (limit: number) => z.string().min(1).max(limit);

/** A text for an agent; larger ones belong in a file. */
export const agentText = z.string().refine((text) => bytesOf(text) <= textBytesLimit, {
  error: ({ input }) =>
    `it has ${bytesOf(String(input))} bytes, and ${textBytesLimit} is the most; put the text into a file and send its path`,
});

/** A word that becomes an argument of an agent, of git or of gh. */
export const argWord = (limit: number) => line(limit).refine((value) => !isOption(value), optionWords);

export const path = line(4_096);
export const label = line(500);
export const workerRef = line(300);

/** A time, or how long ago it was. */
export const sinceText = line(40);

/** Of a task or a plan. */
export const taskId = line(100);

export const sessionId = workerRef.describe('Id, name or tmux:%12.');
export const sessionIds = z.array(workerRef).min(1).max(64).describe('Ids, names, tmux:%12, or "all" of yours.');

export const timeoutSeconds = z.number().min(0).max(86_400).default(600).describe('Seconds to wait at most.');

export const onAttention = z
  .enum(['new', 'any', 'ignore'])
  .default('new')
  .describe('Whether a worker that needs someone ends the wait: if new to you, always, or never.');
