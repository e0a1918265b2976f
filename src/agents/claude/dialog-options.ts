// The choices of a dialog, by their labels on the screen.

const pointer = '❯';
/** Choices without numbers are indented; quoted prompts and a half drawn prompt box begin at the edge. */
const pointedAt = /^\s+❯[\s\u00a0]*\S/u;
const numbered = /^\s*❯?\s*(\d+)\.\s+(\S.*)$/u;
/** The mark of the current choice and of a ticked one. */
const marks = /^[\s❯✔]*/u;
const box = /^\[([ ✔✓xX])\] */u;

export interface Options {
  readonly labels: readonly string[];
  /** The choice that the pointer marks, when it marks exactly one. */
  readonly selected: number | undefined;
  /** Those that are ticked; undefined where there are no boxes. */
  readonly ticked: readonly number[] | undefined;
  /** The line above the first choice. */
  readonly ask: string | undefined;
}

/** The choices among a dialog's rows, blank ones included. */
export function optionsIn(lines: readonly string[]): Options {
  if (!lines.some((line) => line.includes(pointer) && numbered.test(line))) return plainOptions(lines);
  const numbers = lines.flatMap((line, row) => {
    const [, number, label] = numbered.exec(line) ?? [];
    return number === undefined || label === undefined ? [] : [{ row, number: Number(number), label: label.trim() }];
  });
  const first = numbers.findLastIndex(({ number }) => number === 1);
  const chosen = numbers.slice(Math.max(first, 0));
  return optionsOf(lines, chosen);
}

function optionsOf(
  lines: readonly string[],
  rows: readonly { readonly row: number; readonly label: string }[],
): Options {
  const pointed = rows.flatMap(({ row }, i) => (pointsAt(lines[row] ?? '') ? [i] : []));
  const boxes = rows.flatMap(({ label }, i) => {
    const mark = box.exec(label)?.[1];
    return mark === undefined ? [] : [{ i, isTicked: mark !== ' ' }];
  });
  return {
    labels: rows.map(({ label }) => wordsIn(label.replace(box, ''))),
    selected: pointed.length === 1 ? pointed[0] : undefined,
    ticked: boxes.length === 0 ? undefined : boxes.flatMap(({ i, isTicked }) => (isTicked ? [i] : [])),
    ask: lineAbove(lines, rows[0]?.row ?? 0),
  };
}

/** A mark of the current setting and, in a column of its own, an explanation may follow a label. */
const wordsIn = (label: string): string => (label.split(/ {2,}/u)[0] ?? label).replace(/\s*✔$/u, '');

const pointsAt = (line: string): boolean => line.trimStart().startsWith(pointer);

const lineAbove = (lines: readonly string[], row: number): string | undefined =>
  lines.slice(0, row).findLast((line) => line.trim() !== '');

/** Without numbers, the choices are the rows around the pointer whose words begin in the same column. */
function plainOptions(lines: readonly string[]): Options {
  const at = lines.findLastIndex((line) => pointedAt.test(line));
  if (at < 0) return { labels: [], selected: undefined, ticked: undefined, ask: undefined };
  const column = wordColumn(lines[at] ?? '');
  const same = (line: string) => line.trim() !== '' && wordColumn(line) === column;
  let from = at;
  let to = at;
  while (from > 0 && same(lines[from - 1] ?? '')) from -= 1;
  while (to + 1 < lines.length && same(lines[to + 1] ?? '')) to += 1;
  const rows = lines.slice(from, to + 1).map((line, i) => ({ row: from + i, label: line.replace(marks, '').trim() }));
  return optionsOf(lines, rows);
}

const wordColumn = (line: string): number => marks.exec(line)?.[0].length ?? 0;
