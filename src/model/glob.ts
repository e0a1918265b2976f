// Patterns with stars over a text and over a path, in time that grows with both lengths and no faster.

/** Whether the whole text is of the pattern: `*` is any run of characters, `\*` a star. */
export function textFits(pattern: string, text: string): boolean {
  // Most patterns of a long list differ in their first sign.
  if (/^[^*\\]/.test(pattern) && pattern[0] !== text[0]) return false;
  const tokens = tokensOf(pattern);
  let token = 0;
  let at = 0;
  let star = -1;
  let resume = 0;
  while (at < text.length) {
    const wanted = tokens[token];
    if (wanted === anyRun) {
      star = token++;
      resume = at;
    } else if (wanted === text[at]) {
      token++;
      at++;
    } else if (star >= 0) {
      token = star + 1;
      at = ++resume;
    } else return false;
  }
  return tokens.slice(token).every((rest) => rest === anyRun);
}

const anyRun = Symbol('*');

function tokensOf(pattern: string): readonly (string | typeof anyRun)[] {
  const tokens: (string | typeof anyRun)[] = [];
  for (let at = 0; at < pattern.length; at++) {
    const isEscaped = pattern.startsWith('\\*', at);
    if (isEscaped) at++;
    tokens.push(pattern[at] === '*' && !isEscaped ? anyRun : pattern.charAt(at));
  }
  return tokens;
}

/** Whether the path is of the pattern: `*` and `?` stay within a name, `**` is any number of folders. */
export function pathFits(pattern: string, path: string): boolean {
  const globs = pattern.split('/').filter((part) => part !== '');
  const names = path.split('/').filter((part) => part !== '');
  // Which prefixes of the names the globs so far can have taken.
  let reach: readonly boolean[] = [true, ...names.map(() => false)];
  for (const glob of globs) {
    reach = glob === '**' ? spread(reach) : step(reach, names, glob);
  }
  return reach[names.length] === true;
}

function spread(reach: readonly boolean[]): readonly boolean[] {
  const first = reach.indexOf(true);
  return reach.map((_, at) => first >= 0 && at >= first);
}

const step = (reach: readonly boolean[], names: readonly string[], glob: string): readonly boolean[] => [
  false,
  ...names.map((name, at) => reach[at] === true && nameFits(glob, name)),
];

function nameFits(glob: string, name: string): boolean {
  let reach: readonly boolean[] = [true, ...[...name].map(() => false)];
  const letters = [...name];
  for (const sign of glob) {
    reach =
      sign === '*'
        ? spread(reach)
        : [false, ...letters.map((letter, at) => reach[at] === true && (sign === '?' || sign === letter))];
  }
  return reach[letters.length] === true;
}
