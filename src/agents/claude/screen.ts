// The screen: which dialog is open, and which draft the prompt box holds.
import { defined } from '../../model/defined.ts';
import type { ScreenReading } from '../screen-reading.ts';
import { type Cell, isRule, type Row, rowsOf } from '../screen-rows.ts';
import { findDialog } from './dialog.ts';

/** Only what is at the bottom counts: while a dialog is open there is no prompt box, and all else is conversation. */
export function readScreen(screen: string): ScreenReading {
  const rows = rowsOf(screen);
  const box = findPromptBox(rows);
  if (box === undefined) {
    const dialog = findDialog(rows);
    if (dialog !== undefined) return { dialog };
    return defined({ draftEnd: endOfTallBox(rows) });
  }
  const loggedOut = box.footer.find((line) => /Not logged in · run \/login/i.test(line));
  if (loggedOut === undefined) return { draft: box.draft };
  const notice = /Not logged in.*$/i.exec(loggedOut)?.[0] ?? loggedOut;
  return { draft: box.draft, dialog: { waitingFor: 'login', title: 'Not logged in', text: notice, options: [] } };
}

interface PromptBox {
  /** Empty when nothing but a suggestion or the cursor is in it. */
  readonly draft: string;
  /** Rows below the box. */
  readonly footer: readonly string[];
}

/** Only the box has a no-break space after its sign; prompts quoted above have a plain one. */
const boxStart = /^[❯!]\u00a0/u;

function findPromptBox(rows: readonly Row[]): PromptBox | undefined {
  const top = rows.findLastIndex((row, i) => boxStart.test(startOf(row)) && isBelowRule(rows, i));
  if (top < 0) return undefined;
  const height = rows.slice(top + 1).findIndex(isRule) + 1;
  if (height === 0) return undefined;
  const box = rows.slice(top, top + height);
  const sign = box[0]?.cells[0]?.char === '!' ? '!' : '';
  const draft = draftIn(box.map((row) => row.cells.slice(2)));
  return { draft: sign + draft, footer: rows.slice(top + height + 1).map((row) => row.text) };
}

/** Of a box that fills the screen, whose first row is out of sight. */
function endOfTallBox(rows: readonly Row[]): string | undefined {
  const bottom = rows.findLastIndex(isRule);
  const above = rows.slice(0, Math.max(bottom, 0));
  const box = above.slice(above.findLastIndex(isRule) + 1);
  const isBox = box.some(({ text }) => text !== '') && box.every(({ text }) => text === '' || text.startsWith('  '));
  return isBox ? draftIn(box.map((row) => row.cells.slice(2))) : undefined;
}

const startOf = (row: Row): string =>
  row.cells
    .slice(0, 2)
    .map((cell) => cell.char)
    .join('');

function isBelowRule(rows: readonly Row[], i: number): boolean {
  const row = rows[i - 1];
  return row !== undefined && isRule(row);
}

/** Suggestions are dim; the cursor, drawn inverse, covers the first letter of one and is not dim itself. */
function draftIn(lines: readonly (readonly Cell[])[]): string {
  const shown = lines.flat().filter((cell) => cell.char.trim() !== '');
  const [first, ...others] = shown;
  const suggested = first?.inverse === true && others.length > 0 && others.every((cell) => cell.dim);
  if (suggested) return '';
  const typed = lines.map((cells) =>
    cells
      .filter((cell) => !cell.dim)
      .map((cell) => cell.char)
      .join('')
      .trimEnd(),
  );
  return typed.join('\n').trim();
}
