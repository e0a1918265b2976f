// The choices of a dialog, by the labels that stand on the screen.

const pointer = '❯';
const numbered = /^\s*❯?\s*(\d+)\.\s+(\S.*)$/u;
/** The mark of the current choice and of a ticked one. */
const marks = /^[\s❯✔]*/u;

export interface Options {
  readonly labels: readonly string[];
  /** The first number is not 1: the dialog began further up. */
  readonly cut: boolean;
}

export function optionsIn(lines: readonly string[]): Options {
  const numbers = lines.flatMap((line) => {
    const [, number, label] = numbered.exec(line) ?? [];
    return number === undefined || label === undefined ? [] : [{ number: Number(number), label: label.trim() }];
  });
  const first = numbers.findLastIndex(({ number }) => number === 1);
  if (numbers.length > 0 && lines.some((line) => line.includes(pointer) && numbered.test(line))) {
    return { labels: numbers.slice(Math.max(first, 0)).map(({ label }) => label), cut: first < 0 };
  }
  return { labels: plainOptions(lines), cut: false };
}

/** Without numbers, the choices are the rows around the pointer whose words begin in the same column. */
function plainOptions(lines: readonly string[]): readonly string[] {
  const at = lines.findLastIndex((line) => /^\s*❯/u.test(line));
  if (at < 0) return [];
  const column = wordColumn(lines[at] ?? '');
  const same = (line: string) => line.trim() !== '' && wordColumn(line) === column;
  let from = at;
  let to = at;
  while (from > 0 && same(lines[from - 1] ?? '')) from -= 1;
  while (to + 1 < lines.length && same(lines[to + 1] ?? '')) to += 1;
  return lines.slice(from, to + 1).map((line) => line.replace(marks, '').trim());
}

const wordColumn = (line: string): number => marks.exec(line)?.[0].length ?? 0;
