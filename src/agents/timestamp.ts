// The time that an agent writes into a line of its transcript.
import { z } from 'zod';

/** A text that names a moment, as epoch ms. */
export const timestamp = z.string().transform((text, context) => {
  const at = Date.parse(text);
  if (Number.isFinite(at)) return at;
  context.addIssue('not a time');
  return z.NEVER;
});
