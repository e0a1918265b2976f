// Path patterns as the configuration writes them: `*` within a name, `**` across folders.

import { isPattern, namesOf } from '../../model/glob.ts';

/** Undefined when the path stays inside, else why it does not. */
export function escapes(path: string): string | undefined {
  if (path === '' || path.includes('\0')) return 'it is empty or no path';
  if (path.startsWith('/') || path.startsWith('~')) return 'it is not relative';
  const names = namesOf(path);
  if (names.includes('..')) return 'it leads out of the repository';
  if (names.length === 0) return 'it is the repository itself';
  if (names[0]?.toLowerCase() === '.git') return "it lies in git's own folder";
  return undefined;
}

/** `./a//b/` names the same as `a/b`. */
export const plainPath = (path: string): string => namesOf(path).join('/');

/** The folder in which everything a pattern can match lies. */
export function fixedFolder(pattern: string): string {
  const names = namesOf(pattern);
  const star = names.findIndex(isPattern);
  return names.slice(0, star === -1 ? names.length - 1 : star).join('/');
}
