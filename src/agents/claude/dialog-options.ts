// The choices of a dialog, by the labels that stand on the screen.

const pointer = '❯';
/** Choices without numbers are indented; at the edge stand quoted prompts and, half drawn, the prompt box. */
const pointedAt = /^\s+❯[\s\u00a0]*\S/u;
const numbered = /^\s*❯?\s*(\d+)\.\s+(\S.*)$/u;
/** The mark of the current choice and of a ticked one. */
const marks = /^[\s❯✔]*/u;

export interface Options {
  readonly labels: readonly string[];
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
  return { labels: chosen.map(({ label }) => label), ask: lineAbove(lines, chosen[0]?.row ?? 0) };
}

const lineAbove = (lines: readonly string[], row: number): string | undefined =>
  lines.slice(0, row).findLast((line) => line.trim() !== '');

/** Without numbers, the choices are the rows around the pointer whose words begin in the same column. */
function plainOptions(lines: readonly string[]): Options {
  const at = lines.findLastIndex((line) => pointedAt.test(line));
  if (at < 0) return { labels: [], ask: undefined };
  const column = wordColumn(lines[at] ?? '');
  const same = (line: string) => line.trim() !== '' && wordColumn(line) === column;
  let from = at;
  let to = at;
  while (from > 0 && same(lines[from - 1] ?? '')) from -= 1;
  while (to + 1 < lines.length && same(lines[to + 1] ?? '')) to += 1;
  const labels = lines.slice(from, to + 1).map((line) => line.replace(marks, '').trim());
  return { labels, ask: lineAbove(lines, from) };
}

const wordColumn = (line: string): number => marks.exec(line)?.[0].length ?? 0;
