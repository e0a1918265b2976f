// How far a task is, as the lines of its book say it. Pure.
import { z } from 'zod';
import { never, type Progressing, stateOf, type TaskStage, taskStates } from '../model/task-progress.ts';

export const hold = z.object({
  why: z.enum(['touch_set', 'checkout_in_the_way', 'red_tests', 'nothing', 'other']),
  words: z.string(),
  files: z.array(z.string()),
});
const message = z.object({ id: z.string(), text: z.string() });

export const progress = z.discriminatedUnion('is', [
  z.object({
    is: z.literal('queued'),
    isBlocked: z.boolean(),
    next: z.object({ message, toldAt: z.number() }).exactOptional(),
  }),
  z.object({ is: z.literal('starting') }),
  z.object({
    is: z.literal('running'),
    as: z.enum(['running', 'waiting', 'bounced']),
    message: message.exactOptional(),
    toldAt: z.number(),
  }),
  z.object({
    is: z.literal('landing'),
    isUnchecked: z.boolean(),
    overAt: z.number(),
    hold: hold.exactOptional(),
  }),
  z.object({
    is: z.literal('ended'),
    how: z.enum(['landed', 'done', 'failed', 'cancelled']),
    isSeenTo: z.boolean(),
    hold: hold.exactOptional(),
    overAt: z.number().exactOptional(),
  }),
]);

/** As version 2 kept it: fields of the task, all of them in each state. */
const loose = z.object({
  state: z.enum(taskStates),
  message: message.exactOptional(),
  toldAt: z.number().default(0),
  overAt: z.number().default(never),
  hold: hold.exactOptional(),
  isSeenTo: z.boolean().default(false),
});

/** What does not count in its state is left aside. */
export function progressOf({ state, message, toldAt, overAt, hold, isSeenTo }: z.output<typeof loose>): TaskStage {
  switch (state) {
    case 'queued':
    case 'blocked':
      return { is: 'queued', isBlocked: state === 'blocked', ...(message && { next: { message, toldAt } }) };
    case 'starting':
      return { is: 'starting' };
    case 'running':
    case 'waiting':
    case 'bounced':
      return { is: 'running', as: state, toldAt, ...(message && { message }) };
    case 'checking':
    case 'landing':
      return { is: 'landing', isUnchecked: state === 'checking', overAt, ...(hold && { hold }) };
    case 'failed':
      return { is: 'ended', how: state, isSeenTo, ...(hold && { hold, overAt }) };
    case 'landed':
    case 'done':
    case 'cancelled':
      return { is: 'ended', how: state, isSeenTo };
  }
}

type Fields = Readonly<Record<string, unknown>>;

/** A change as version 2 wrote it, in the fields of today; undefined where it cannot be read. */
export function ofVersion2(before: Progressing | undefined, change: Fields): (Fields & Progressing) | undefined {
  const { state, message, toldAt, overAt, hold, isSeenTo, ...rest } = change;
  const was = before?.progress;
  const known = was && { ...was, ...(was.is === 'queued' && was.next), state: stateOf({ progress: was }) };
  const changed = Object.entries({ ...known, ...change }).filter(([, value]) => value !== null);
  const read = loose.safeParse(Object.fromEntries(changed)).data;
  return read && { ...rest, progress: progressOf(read) };
}
