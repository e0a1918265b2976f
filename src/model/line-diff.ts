// Two texts side by side, as hunks of lines that were taken away and added.

const contextLines = 3;
/** Beyond it the middle counts as replaced whole. */
const mostCells = 4_000_000;

interface Row {
  readonly mark: ' ' | '-' | '+';
  readonly line: string;
}

/** As `diff -u` writes hunks, without the names of files; '' where nothing differs. Pure. */
export function lineDiff(before: string, after: string): string {
  const rows = rowsOf(linesOf(before), linesOf(after));
  const isNear = (at: number) =>
    rows.slice(Math.max(0, at - contextLines), at + contextLines + 1).some(({ mark }) => mark !== ' ');
  const kept: string[] = [];
  let [old, now, isOpen] = [1, 1, false];
  for (const [at, { mark, line }] of rows.entries()) {
    const isKept = isNear(at);
    if (isKept && !isOpen) kept.push(`@@ -${old} +${now} @@`);
    if (isKept) kept.push(`${mark}${line}`);
    isOpen = isKept;
    if (mark !== '+') old += 1;
    if (mark !== '-') now += 1;
  }
  return kept.join('\n');
}

const linesOf = (text: string): readonly string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));

function rowsOf(before: readonly string[], after: readonly string[]): readonly Row[] {
  const most = Math.min(before.length, after.length);
  let first = 0;
  while (first < most && before[first] === after[first]) first += 1;
  let last = 0;
  while (last < most - first && before.at(-1 - last) === after.at(-1 - last)) last += 1;
  const same = (line: string): Row => ({ mark: ' ', line });
  return [
    ...before.slice(0, first).map(same),
    ...middle(before.slice(first, before.length - last), after.slice(first, after.length - last)),
    ...before.slice(before.length - last).map(same),
  ];
}

/** By the longest common subsequence. */
function middle(before: readonly string[], after: readonly string[]): readonly Row[] {
  const [height, width] = [before.length, after.length + 1];
  const isLarge = height * width > mostCells;
  // Of each pair of places, how many lines are common to what follows.
  const common = new Uint32Array(isLarge ? 0 : (height + 1) * width);
  const at = (i: number, j: number): number => common[i * width + j] ?? 0;
  for (let i = height - 1; i >= 0 && !isLarge; i -= 1)
    for (let j = after.length - 1; j >= 0; j -= 1)
      common[i * width + j] = before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const rows: Row[] = [];
  for (let [i, j] = [0, 0]; i < before.length || j < after.length; ) {
    const [old, now] = [before[i], after[j]];
    if (old !== undefined && old === now && !isLarge) {
      rows.push({ mark: ' ', line: old });
      [i, j] = [i + 1, j + 1];
    } else if (old !== undefined && (now === undefined || at(i + 1, j) >= at(i, j + 1))) {
      rows.push({ mark: '-', line: old });
      i += 1;
    } else {
      rows.push({ mark: '+', line: now ?? '' });
      j += 1;
    }
  }
  return rows;
}
