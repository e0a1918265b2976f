// The text of a here-document, which begins after the line that asks for it.
import { type Awaited, Cursor, unclear } from './cursor.ts';
import type { ReadList } from './read-expansion.ts';
import { readQuoted } from './read-word.ts';
import type { Piece } from './script.ts';

/** Reads up to the line that ends it. Unless its end was quoted, what it brings in runs as well. */
export function readBody(cursor: Cursor, { end, isQuoted, stripsTabs, take }: Awaited, readList: ReadList): void {
  const lines: string[] = [];
  for (;;) {
    if (cursor.isAtEnd) unclear('a here-document is left open');
    const line = cursor.taken(/([^\n]*)(?:\n|$)/y)?.[1] ?? '';
    const text = stripsTabs ? line.replace(/^\t+/, '') : line;
    if (text === end) break;
    lines.push(text);
  }
  // The end of that line also parts this command from the next.
  if (cursor.text.charAt(cursor.at - 1) === '\n') cursor.at--;
  const text = lines.map((line) => `${line}\n`).join('');
  take({ text, isWhole: isQuoted || !expands(cursor, text, readList) });
}

/** Whether anything in the text is known only when it runs; what runs for it is put down. */
function expands(cursor: Cursor, text: string, readList: ReadList): boolean {
  const inner = new Cursor(text, cursor);
  const pieces: Piece[] = [];
  while (!inner.isAtEnd) readQuoted(inner, pieces, readList);
  cursor.steps.push(...inner.steps);
  return pieces.some(({ is }) => is !== 'plain');
}
