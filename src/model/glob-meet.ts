// Whether two patterns with stars have a text in common.

/** `*` is any run of characters in either, `?` any one. */
export function globsMeet(one: string, other: string): boolean {
  const [a, b] = [one.split(''), other.split('')];
  // Which parts of the other can stand for the same text as the part of the one read so far.
  let row = b.map(() => false);
  row = [true, ...row];
  for (let at = 0; at <= a.length; at++) {
    const next = [false, ...b.map(() => false)];
    const sign = a[at];
    for (let held = 0; held <= b.length; held++) {
      if (row[held] !== true) continue;
      const opposite = b[held];
      if (opposite === '*' || (sign === '*' && opposite !== undefined)) row[held + 1] = true;
      if (sign === undefined) continue;
      if (sign === '*' || opposite === '*') next[held] = true;
      else if (opposite !== undefined && (sign === opposite || sign === '?' || opposite === '?')) next[held + 1] = true;
    }
    if (sign === undefined) return row[b.length] === true;
    row = next;
  }
  return false;
}

/** Whether a path that the words' stars may stand for fits the glob, or lies below one that does. */
export function pathsMeet(glob: string, words: string): boolean {
  const globs = glob.split('/').filter((part) => part !== '');
  const names = words.split('/').filter((part) => part !== '');
  // Which numbers of names the globs so far may have taken.
  let reach: readonly boolean[] = [true, ...names.map(() => false)];
  for (const one of globs) {
    const first = reach.indexOf(true);
    reach =
      one === '**'
        ? reach.map((_, at) => first >= 0 && at >= first)
        : [false, ...names.map((name, at) => reach[at] === true && nameMeets(one, name))];
  }
  return reach.includes(true);
}

/** A star of a shell stands for no hidden name. */
const nameMeets = (glob: string, name: string): boolean =>
  !(glob.startsWith('.') && /^[*?]/.test(name)) && globsMeet(glob, name);
