// The composer: at the bottom, with the status line under it.
import { type Cell, isRule, type Row } from '../screen-rows.ts';

export interface Composer {
  /** Empty when nothing but a suggestion is in it. */
  readonly draft: string;
  /** False for the splash, which a dialog may still replace. */
  readonly hasStatusLine: boolean;
  /** The rows above it. */
  readonly above: readonly Row[];
}

const signs = new Set(['›', '!']);
const splashHint = /^ {2}\? for shortcuts\b/;

/** Undefined where a dialog or a list stands in its place. */
export function findComposer(rows: readonly Row[]): Composer | undefined {
  const filled = rows.slice(0, rows.findLastIndex((row) => row.text !== '') + 1);
  const top = filled.findLastIndex(hasSign);
  const start = filled[top];
  if (start === undefined) return undefined;
  const below = filled.slice(top + 1);
  // What it holds and the lines under it are indented; anything else is text of the conversation.
  if (below.some((row) => row.text !== '' && !row.text.startsWith('  ') && !isRule(row))) return undefined;
  const gap = below.findLastIndex((row) => row.text === '');
  const footer = below.slice(gap + 1);
  if (gap < 0 || footer.length === 0) return undefined;
  const draft = draftIn([start, ...below.slice(0, gap)]);
  return {
    draft: start.text.startsWith('!') ? `!${draft}` : draft,
    hasStatusLine: !splashHint.test(footer[0]?.text ?? ''),
    above: filled.slice(0, top),
  };
}

/** Of a composer that leaves no room for the status line under it, and perhaps none for its own first row. */
export function endOfTallComposer(rows: readonly Row[]): string | undefined {
  const filled = rows.slice(0, rows.findLastIndex((row) => row.text !== '') + 1);
  const top = filled.findLastIndex(hasSign);
  const inside = filled.slice(top + 1);
  const isComposer = inside.some(isIndented) && inside.every((row) => row.text === '' || isIndented(row));
  return isComposer ? draftIn(filled.slice(Math.max(top, 0))) : undefined;
}

const isIndented = ({ text }: Row): boolean => text.startsWith('  ');

/** The sign of a prompt that was sent is dim, that of a chosen option inverse. */
function hasSign({ cells: [sign, blank] }: Row): boolean {
  if (sign === undefined || sign.dim || sign.inverse || !signs.has(sign.char)) return false;
  return blank === undefined || blank.char === ' ';
}

/** Suggestions are dim. */
const draftIn = (rows: readonly Row[]): string =>
  rows
    .map((row) => written(row.cells.slice(2)))
    .join('\n')
    .trim();

const written = (cells: readonly Cell[]): string =>
  cells
    .filter((cell) => !cell.dim)
    .map((cell) => cell.char)
    .join('')
    .trimEnd();
