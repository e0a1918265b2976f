// The standing prompt of the role in which an expert answers.
import { CrewError } from '../../model/errors.ts';
import type { Settings } from '../../settings/settings.ts';

/** Undefined for a role of rules alone. Throws `invalid_argument` for one that nobody has written down. */
export function standingPromptOf(role: string | undefined, { permissions }: Settings): string | undefined {
  const known = Object.keys(permissions.roles);
  // A role that has a text gives it here.
  if (role === undefined || known.includes(role)) return undefined;
  throw new CrewError(
    'invalid_argument',
    `There is no role "${role}". Known: ${known.length === 0 ? 'none' : known.join(', ')}.`,
    'Leave role out, or write it down under permissions.roles in the configuration.',
  );
}
