// The rows at the bottom of the screen, in the real program's words and places.
import { wrapped } from '../../model/terminal-text.ts';
import type { Draft } from './draft.ts';

export interface View {
  readonly columns: number;
  readonly name: string | undefined;
  readonly draft: Draft;
  /** What is being said and not finished. */
  readonly live: string;
  /** The row that tells of a running turn, without its glyph. */
  readonly busy: string | undefined;
  readonly queued: readonly string[];
  readonly dialog: readonly string[] | undefined;
  readonly permissionMode: string;
  /** Stands in place of the footer for a moment. */
  readonly hint: string | undefined;
  readonly tasks: string | undefined;
}

const esc = '\u001b[';
const grey = `${esc}38;5;244m`;
const soft = `${esc}38;5;246m`;
const warm = `${esc}38;5;174m`;
const inPrompt = `${esc}48;5;237m`;
const plain = `${esc}0m`;

const modes = new Map([
  ['default', '⏸ manual mode on'],
  ['plan', '⏸ plan mode on'],
  ['acceptEdits', '⏵⏵ accept edits on (shift+tab to cycle)'],
  ['bypassPermissions', '⏵⏵ bypass permissions on (shift+tab to cycle)'],
  ['auto', '⏵⏵ auto mode on (shift+tab to cycle)'],
  ['dontAsk', "⏵⏵ don't ask on (shift+tab to cycle)"],
]);

export function bottomRows(view: View): readonly string[] {
  const { columns } = view;
  const live = view.live === '' ? [] : ['', ...saidRows(view.live, columns)];
  const queued = view.queued.flatMap((text) => [
    ...promptRows(text, columns),
    `${soft}  ⎿  Queued · ctrl+x ctrl+s to send now`,
  ]);
  if (view.dialog !== undefined) return [...live, '', ...view.dialog, namedRule(view)];
  const busy = view.busy === undefined ? [] : ['', `${warm}✻ ${view.busy}`];
  return [...live, ...queued, ...busy, '', namedRule(view), ...boxRows(view), rule(columns), footer(view)];
}

export const rule = (columns: number): string => `${grey}${'─'.repeat(columns)}`;

function namedRule({ columns, name }: View): string {
  if (name === undefined) return rule(columns);
  const label = ` ${name.slice(0, 40)} ─`;
  return `${grey}${'─'.repeat(Math.max(columns - label.length, 8))}${label}`;
}

/** The no-break space after the sign marks the box; prompts quoted above have a plain one. */
function boxRows({ draft, columns, queued }: View): readonly string[] {
  const sign = draft.isShell ? '!' : '❯';
  if (draft.text === '' && queued.length > 0) {
    return [`${plain}${sign}\u00a0${esc}7mP${plain}${esc}2mress up to edit queued messages`];
  }
  const cursor = '\u0000';
  const text = draft.text.slice(0, draft.cursor) + cursor + draft.text.slice(draft.cursor);
  return wrapped(text, columns - 3).map(
    (row, i) => `${plain}${i === 0 ? `${sign}\u00a0` : '  '}${withCursor(row, cursor)}`,
  );
}

function withCursor(row: string, cursor: string): string {
  const at = row.indexOf(cursor);
  if (at < 0) return row;
  const under = [...row.slice(at + 1)][0] ?? ' ';
  return `${row.slice(0, at)}${esc}7m${under}${esc}27m${row.slice(at + 1 + under.length)}`;
}

function footer(view: View): string {
  if (view.hint !== undefined) return `  ${soft}${view.hint}`;
  const mode = modes.get(view.permissionMode) ?? view.permissionMode;
  const parts = [mode];
  if (view.busy !== undefined) parts.push('esc to interrupt');
  else if (view.draft.text === '') parts.push('? for shortcuts');
  if (view.tasks !== undefined) parts.push(view.tasks);
  return `  ${soft}${parts.join(' · ')}`;
}

export const promptRows = (text: string, columns: number): readonly string[] =>
  wrapped(text, columns - 3).map((row, i) => `${inPrompt}${i === 0 ? '❯ ' : '  '}${row}`);

export const saidRows = (text: string, columns: number): readonly string[] =>
  wrapped(text, columns - 3).map((row, i) => `${i === 0 ? '● ' : '  '}${row}`);

export const toolRows = (title: string, columns: number): readonly string[] =>
  wrapped(title, columns - 3)
    .slice(0, 3)
    .map((row, i) => (i === 0 ? `${soft}●${plain} ${row}` : `  ${row}`));

export const resultRows = (text: string, columns: number): readonly string[] =>
  wrapped(text, columns - 6)
    .slice(0, 4)
    .map((row, i) => `${soft}${i === 0 ? '  ⎿  ' : '     '}${row}`);

export const endRow = (text: string): string => `${soft}✻ ${text}`;
