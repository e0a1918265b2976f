// Lines of the signal file: when a hook ran, and what it was told.
import { z } from 'zod';
import { parseJson } from '../model/json.ts';

const signalLine = z.object({
  at: z.number(),
  payload: z.looseObject({ hook_event_name: z.string() }),
  /** What our program made of it, where it was asked. */
  ruling: z.unknown().optional(),
});

export type SignalLine = z.output<typeof signalLine>;

/** Undefined for what is no line of a signal file. */
export const readSignalLine = (line: string): SignalLine | undefined => signalLine.safeParse(parseJson(line)).data;
