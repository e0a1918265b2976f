// A value that becomes an own argument of a program, and that the program must not take for an option.
import { CrewError } from './errors.ts';

export const isOption = (value: string): boolean => value.startsWith('-');

/** After the value, in an error. */
export const optionWords = 'a program would take it for an option, so it must not begin with "-"';

/** Throws `invalid_argument` that names the value; for what did not come by a checked parameter. */
export function refuseOptions(values: Readonly<Record<string, string | undefined>>): void {
  for (const [what, value] of Object.entries(values)) {
    if (value === undefined || !isOption(value)) continue;
    throw new CrewError(
      'invalid_argument',
      `${what} is ${JSON.stringify(value)}: ${optionWords}.`,
      'Nothing was started. Give another one; where nobody gave it, spawn a new worker.',
    );
  }
}
