// The time that an agent writes into a line of its transcript.
import { z } from 'zod';

/** A text that names a moment, as epoch ms; undefined for anything else. */
export function momentOf(text: unknown): number | undefined {
  const at = typeof text === 'string' ? Date.parse(text) : Number.NaN;
  return Number.isFinite(at) ? at : undefined;
}

/** The same for a line that has to have one. */
export const timestamp = z.string().transform((text, context) => {
  const at = momentOf(text);
  if (at !== undefined) return at;
  context.addIssue('not a time');
  return z.NEVER;
});
