// Path patterns as the configuration writes them: `*` within a name, `**` across folders.

export const isPattern = (path: string): boolean => path.includes('*');

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

const namesOf = (path: string) => path.split('/').filter((name) => name !== '' && name !== '.');

/** The folder in which everything a pattern can match lies. */
export function fixedFolder(pattern: string): string {
  const names = namesOf(pattern);
  const star = names.findIndex(isPattern);
  return names.slice(0, star === -1 ? names.length - 1 : star).join('/');
}

/** A name that starts with a dot is matched like any other. */
export function matches(pattern: string, path: string): boolean {
  return matchNames(namesOf(pattern), path.split('/'));
}

function matchNames(pattern: readonly string[], names: readonly string[]): boolean {
  const [first, ...rest] = pattern;
  if (first === undefined) return names.length === 0;
  if (first === '**') return matchNames(rest, names) || (names.length > 0 && matchNames(pattern, names.slice(1)));
  const name = names[0];
  return name !== undefined && matchName(first, name) && matchNames(rest, names.slice(1));
}

function matchName(pattern: string, name: string): boolean {
  const literal = pattern.split('*').map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${literal.join('.*')}$`, 's').test(name);
}
