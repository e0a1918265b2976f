// The screen: which dialog is open, which draft the composer holds, and which messages wait above it.
import { defined } from '../../model/defined.ts';
import type { ScreenReading } from '../screen-reading.ts';
import { type Cell, isRule, type Row, rowsOf } from '../screen-rows.ts';
import { findDialog } from './dialog.ts';

export function readScreen(screen: string, title = ''): ScreenReading {
  const rows = rowsOf(screen);
  const composer = findComposer(rows);
  if (composer === undefined) {
    const dialog = findDialog(rows);
    if (dialog !== undefined) return { dialog };
    return defined({ draftEnd: endOfTallComposer(rows) });
  }
  const { draft, hasStatusLine: ready, above } = composer;
  const lines = nearest(above);
  return {
    draft,
    ready,
    queued: queuedIn(lines),
    background: terminalsIn(lines),
    ...troubleIn(lines),
    ...(busyIn(lines) ?? busyBy(title)),
  };
}

/** Status rows are right above the composer; this reads a few more rows than they take. */
const nearest = (above: readonly Row[]): readonly string[] => above.slice(-30).map((row) => row.text);

const queueHead = /^• (?:Queued follow-up inputs|Messages to be submitted (?:after next tool call|at end of turn))/;

/** As far as they are shown: of a long message only the first rows are. */
function queuedIn(lines: readonly string[]): readonly string[] {
  const from = lines.findIndex((line) => queueHead.test(line));
  if (from < 0) return [];
  const rows = lines.slice(from + 1).filter((line) => /^ {2}(?:↳| {2}(?!…$|shift\+))/u.test(line));
  return rows
    .join('\n')
    .split(/^ {2}↳ /mu)
    .slice(1)
    .map((entry) => entry.replace(/^ {4}/gm, '').trim());
}

/** The status row is right above the composer, or above the messages that wait there. */
const statusAt = (lines: readonly string[]): number =>
  lines.findLastIndex((line) => /^\S/.test(line) && !queueHead.test(line));

/** The row is there while the screen shows a turn, which may be a moment longer than the turn. */
function busyIn(lines: readonly string[]): Busy | undefined {
  const [, words] = /^[•◦] (.+) \(\d.* esc to interrupt\)/u.exec(lines[statusAt(lines)] ?? '') ?? [];
  return words === undefined ? undefined : { busy: words };
}

type Busy = Required<Pick<ScreenReading, 'busy'>>;

/** An answer that streams hides the status row. A server that starts shows a spinner, too, but lets a person type. */
function busyBy(title: string): Busy | undefined {
  const [, words] = /^[\u2800-\u28ff] (Working|Thinking) \|/u.exec(title) ?? [];
  return words === undefined ? undefined : { busy: words };
}

/** Codex shows this row while it retries a request to the model; no line of the transcript says so. */
function troubleIn(lines: readonly string[]): { readonly trouble?: string } {
  const at = statusAt(lines);
  const [, words] = /^[•◦] (Reconnecting\.\.\. .+) \(\d.* esc to interrupt\)/u.exec(lines[at] ?? '') ?? [];
  if (words === undefined) return {};
  const [, reason] = /^ {2}└ (.+)/u.exec(lines[at + 1] ?? '') ?? [];
  return { trouble: reason === undefined ? words : `${words}: ${reason}` };
}

const terminalsIn = (lines: readonly string[]): number => {
  const count = lines.findLast((line) => /\d+ background terminals? running/.test(line));
  return Number(/(\d+) background terminals? running/.exec(count ?? '')?.[1] ?? 0);
};

interface Composer {
  /** Empty when nothing but a suggestion is in it. */
  readonly draft: string;
  /** False for the splash, which a dialog may still replace. */
  readonly hasStatusLine: boolean;
  /** The rows above it. */
  readonly above: readonly Row[];
}

const signs = new Set(['›', '!']);
const splashHint = /^ {2}\? for shortcuts\b/;

/** Undefined where a dialog or a list takes its place. */
function findComposer(rows: readonly Row[]): Composer | undefined {
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
function endOfTallComposer(rows: readonly Row[]): string | undefined {
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
