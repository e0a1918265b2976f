// Commands in rows of a terminal that does not wrap: whole, or not at all. Pure.

import { columnsIn, wrapped } from '../draw/terminal-text.ts';
import { counted } from '../model/plural.ts';

const word = /(?:[^\s'\\]|'[^']*'|\\.)+/g;
const goesOn = ' \\';
const furtherIn = '    ';

/** Broken between words of the shell, where a copy of all rows means the same; prose where a word is too long. */
export function rowsToCopy(line: string, width: number): readonly string[] {
  if (columnsIn(line) <= width) return [line];
  const indent = /^ */.exec(line)?.[0] ?? '';
  const rows: string[] = [];
  let row = '';
  for (const next of line.match(word) ?? []) {
    const longer = row === '' ? `${indent}${next}` : `${row} ${next}`;
    if (row === '' || columnsIn(longer) + goesOn.length <= width) row = longer;
    else {
      rows.push(`${row}${goesOn}`);
      row = `${indent}${furtherIn}${next}`;
    }
  }
  const all = [...rows, row];
  if (all.every((one) => columnsIn(one) <= width)) return all;
  return wrapped(`${indent}… too wide for this terminal: look without --watch`, width);
}

/** As many whole lines as have room, and how many rows have none. */
export function wholeLines(lines: readonly (readonly string[])[], room: number): readonly string[] {
  const all = lines.flat();
  if (all.length <= room) return all;
  const kept: string[] = [];
  for (const rows of lines) {
    if (kept.length + rows.length > room - 1) break;
    kept.push(...rows);
  }
  return [...kept, `… ${counted(all.length - kept.length, 'more line')}`];
}
