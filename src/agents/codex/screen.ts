// The screen: which dialog is open, what stands in the composer, and what waits above it.
import type { Dialog } from '../../model/turn.ts';
import type { ScreenReading } from '../agent.ts';
import { type Row, rowsOf } from '../screen-rows.ts';
import { endOfTallComposer, findComposer } from './composer.ts';
import { dialogKind } from './dialog-kinds.ts';

export function readScreen(screen: string, title = ''): ScreenReading {
  const rows = rowsOf(screen);
  const composer = findComposer(rows);
  if (composer === undefined) {
    const dialog = findDialog(rows);
    if (dialog !== undefined) return { dialog };
    const draftEnd = endOfTallComposer(rows);
    return draftEnd === undefined ? {} : { draftEnd };
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

/** Status rows stand right above the composer; a few more are looked at than it takes. */
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

/** The row that says what goes on stands right above the composer, or above what waits there. */
const statusAt = (lines: readonly string[]): number =>
  lines.findLastIndex((line) => /^\S/.test(line) && !queueHead.test(line));

/** It is there as long as this screen knows of a turn, which may be a moment longer than the turn. */
function busyIn(lines: readonly string[]): Busy | undefined {
  const [, words] = /^[•◦] (.+) \(\d.* esc to interrupt\)/u.exec(lines[statusAt(lines)] ?? '') ?? [];
  return words === undefined ? undefined : { busy: words };
}

type Busy = Required<Pick<ScreenReading, 'busy'>>;

/** While an answer streams that row is away. Also a server that starts turns the wheel, and keeps nobody from typing. */
function busyBy(title: string): Busy | undefined {
  const [, words] = /^[\u2800-\u28ff] (Working|Thinking) \|/u.exec(title) ?? [];
  return words === undefined ? undefined : { busy: words };
}

/** Stands there while a request to the model is tried again; no line of the transcript tells. */
function troubleIn(lines: readonly string[]): { readonly trouble?: string } {
  const at = statusAt(lines);
  const [, words] = /^[•◦] (Reconnecting\.\.\. .+) \(\d.* esc to interrupt\)/u.exec(lines[at] ?? '') ?? [];
  if (words === undefined) return {};
  const [, reason] = /^ {2}└ (.+)/u.exec(lines[at + 1] ?? '') ?? [];
  return { trouble: reason === undefined ? words : `${words}: ${reason}` };
}

const terminalsIn = (lines: readonly string[]): number => {
  const told = lines.findLast((line) => /\d+ background terminals? running/.test(line));
  return Number(/(\d+) background terminals? running/.exec(told ?? '')?.[1] ?? 0);
};

const keyHint =
  /\br retry +f fork\b|\b(?:press )?enter (?:to )?(?:confirm|continue|select|submit)\b|\besc (?:to )?(?:cancel|back|close|go back|dismiss)\b/i;
const option = /^ *(?:[›>] )?(\d+)\. (\S.*)$/u;
const pointer = /^ *[›>] \d+\. /u;

function findDialog(rows: readonly Row[]): Dialog | undefined {
  const lines = rows.map((row) => row.text);
  const end = lines.findLastIndex((line) => line !== '');
  const pointed = lines.findLastIndex((line) => pointer.test(line));
  if (pointed < 0 && !keyHint.test(lines[end] ?? '')) return undefined;
  const start = headOf(lines, pointed < 0 ? end : pointed);
  const browsed = browsing.exec(lines[end] ?? '')?.[1];
  if (browsed !== undefined)
    return { waitingFor: 'dialog', title: browsed, text: trimmed([lines[end] ?? '']), options: [] };
  const part = lines.slice(start, end + 1);
  const [title = ''] =
    part
      .find((line) => /\p{L}/u.test(line) && !beside.test(line))
      ?.trim()
      .split(aside) ?? [];
  return { waitingFor: dialogKind(part), title, text: trimmed(part), ...optionsIn(part) };
}

/** The prompts of the past are walked through; Enter would go back to one and drop what came after. */
const browsing = /^ *(Browsing transcript) · /;
/** A key that helps may stand at the end of the line. */
const aside = / {4,}/;
/** Stands over a question and is none. */
const beside = /^ *Field \d+\/\d+$/;

/** A dialog is indented throughout; what stands above it is not, or is apart from it by several blank lines. */
function headOf(lines: readonly string[], from: number): number {
  const isOutside = (line: string, i: number) =>
    !/^(?:$| {2}|[›>] |[↑↓]$)/u.test(line) || lines.slice(i, i + 3).every((one) => one === '');
  return lines.slice(0, from).findLastIndex(isOutside) + 1;
}

function optionsIn(lines: readonly string[]): Pick<Dialog, 'options' | 'selected'> {
  const found = lines.flatMap((line) => {
    const [, number, label] = option.exec(line) ?? [];
    const isPointed = pointer.test(line);
    return number === undefined || label === undefined ? [] : [{ number: Number(number), label, isPointed }];
  });
  const first = found.findLastIndex(({ number }) => number === 1);
  const rows = found.slice(Math.max(first, 0));
  const pointed = rows.flatMap(({ isPointed }, i) => (isPointed ? [i] : []));
  const [selected, ...others] = pointed;
  return {
    // A key that chooses stands behind the label, its explanation in a column of its own.
    options: rows.map(({ label }) => label.replace(/ \((?:\w|esc)\)$/, '').split(/ {2,}/)[0] ?? label),
    ...(selected === undefined || others.length > 0 ? {} : { selected }),
  };
}

function trimmed(lines: readonly string[]): string {
  return lines
    .map((line) => line.replace(/^ {2}/, '').trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
