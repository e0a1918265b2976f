// The paths that a job may change, as globs; none stand for all paths.
import { isPattern, matches, namesOf } from './glob.ts';

/** `dir/` and `dir` cover everything below. */
export const covers = (glob: string, path: string): boolean =>
  matches(glob, path) || matches(`${namesOf(glob).join('/')}/**`, path);

/** The paths that none of the globs covers. Pure. */
export function outside(touchSet: readonly string[], paths: readonly string[]): readonly string[] {
  if (touchSet.length === 0) return [];
  // Paths that were accepted one by one may be many.
  const named = new Set(touchSet);
  return paths.filter((path) => !named.has(path) && !touchSet.some((glob) => covers(glob, path)));
}

/** Why the glob covers no path of a repository, or more than it says; undefined for a good one. */
export function problemOfGlob(glob: string): string | undefined {
  if (glob.startsWith('!')) return 'it is negated';
  if (glob.startsWith('/') || /^~($|\/)/.test(glob)) return 'it is absolute';
  // A file can have such a name; hardly one with a choice in it.
  if (/\{[^{}]*(,|\.\.)[^{}]*\}/.test(glob))
    return 'braces stand for themselves in it, so it needs one glob for each choice';
  const names = namesOf(glob);
  if (names.every((name) => name.trim() === '')) return 'it is empty';
  if (names.includes('..')) return 'it leaves the repository';
  if (names.some((name) => name.toLowerCase() === '.git')) return "it names git's own folder";
  return undefined;
}

/** Some path may be covered by both globs. */
export const mayOverlap = (a: string, b: string): boolean => reachesMeet(reachOf(a), reachOf(b));

/** A name of a glob; a pattern with what stands before its first star and after its last one. */
interface NameGlob {
  readonly name: string;
  readonly ends?: readonly [head: string, tail: string];
}

/** The names of a glob before its first `**`: a glob covers all below, so nothing after them keeps two globs apart. */
export type Reach = readonly NameGlob[];

export function reachOf(glob: string): Reach {
  const names = namesOf(glob);
  const wild = names.indexOf('**');
  return (wild === -1 ? names : names.slice(0, wild)).map((name) =>
    isPattern(name)
      ? { name, ends: [name.slice(0, name.indexOf('*')), name.slice(name.lastIndexOf('*') + 1)] }
      : { name },
  );
}

/** Name by name; the shorter one covers the rest of the longer one. */
export function reachesMeet(a: Reach, b: Reach): boolean {
  for (const [at, one] of a.entries()) {
    const other = b[at];
    if (other === undefined) return true;
    if (!namesMeet(one, other)) return false;
  }
  return true;
}

function namesMeet(a: NameGlob, b: NameGlob): boolean {
  if (a.ends === undefined) return b.ends === undefined ? a.name === b.name : fits(a.name, b);
  if (b.ends === undefined) return fits(b.name, a);
  const [[headA, tailA], [headB, tailB]] = [a.ends, b.ends];
  // Whatever stands between two stars of one fits into a star of the other.
  return (headA.startsWith(headB) || headB.startsWith(headA)) && (tailA.endsWith(tailB) || tailB.endsWith(tailA));
}

/** The ends first, since a look at them is cheap. */
const fits = (name: string, { name: pattern, ends: [head, tail] = ['', ''] }: NameGlob): boolean =>
  name.startsWith(head) && name.endsWith(tail) && matches(pattern, name);
