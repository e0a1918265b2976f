// Path patterns: `*` within a name, `**` across folders.

export const isPattern = (path: string): boolean => path.includes('*');

/** The names of a path; `./a//b/` has those of `a/b`. */
export const namesOf = (path: string): readonly string[] =>
  path.split('/').filter((name) => name !== '' && name !== '.');

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
  const pieces = pattern.split('*');
  // Most names differ at once, and to make an expression takes time.
  if (!name.startsWith(pieces[0] ?? '')) return false;
  const literal = pieces.map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${literal.join('.*')}$`, 's').test(name);
}
