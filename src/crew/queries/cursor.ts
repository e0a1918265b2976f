// A place in the event log, as an opaque word.
import { CrewError } from '../../model/errors.ts';

export const cursorOf = (seq: number): string => `c${seq.toString(36)}`;

/** Throws `invalid_argument` for a text that is no cursor of ours. */
export function seqOf(cursor: string): number {
  const seq = /^c[0-9a-z]{1,11}$/.test(cursor) ? Number.parseInt(cursor.slice(1), 36) : Number.NaN;
  if (Number.isSafeInteger(seq)) return seq;
  throw new CrewError(
    'invalid_argument',
    `"${cursor}" is not a cursor.`,
    'Pass the cursor of an earlier answer as it was, or leave it out.',
  );
}
