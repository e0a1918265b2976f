// The terminal: finished rows scroll away above, and a few rows at the bottom are drawn anew.
import type { WriteStream } from 'node:tty';
import { wrapped } from '../../draw/terminal-text.ts';
import type { InputDraft } from './input.ts';

export type ScriptedScreen = ReturnType<typeof openScreen>;

const csi = '\u001b[';
const open = `${csi}?2004h${csi}?25l${csi}?7l`;
const shut = `${csi}?2004l${csi}?25h${csi}?7h`;
const plain = `${csi}0m`;
const grey = `${csi}38;5;244m`;
const soft = `${csi}38;5;246m`;
const warm = `${csi}38;5;174m`;
const inPrompt = `${csi}48;5;237m`;

export function openScreen(out: WriteStream) {
  let height = 0;
  out.write(open);
  return {
    get columns() {
      return Math.max(out.columns || 80, 20);
    },
    /** Puts rows above the bottom for good, and the bottom below them. */
    draw(said: readonly string[], bottom: readonly string[]) {
      const fitting = bottom.slice(-Math.max((out.rows || 24) - 1, 1));
      const up = height > 1 ? `${csi}${height - 1}A` : '';
      const above = said.map((row) => `${row}${plain}\r\n`).join('');
      const below = fitting.map((row) => `${row}${plain}`).join('\r\n');
      height = fitting.length;
      // One write, so that nobody looks at half of it.
      out.write(`\r${up}${csi}J${above}${below}`);
    },
    /** Empties the screen and its history. */
    wipe() {
      height = 0;
      out.write(`${csi}2J${csi}3J${csi}H`);
    },
    /** Restores the terminal. */
    close: () => void out.write(`\r\n${shut}`),
  };
}

export interface ScreenView {
  readonly columns: number;
  readonly name: string | undefined;
  readonly draft: InputDraft;
  /** The unfinished text of the model. */
  readonly live: string;
  /** Seconds of the running turn. */
  readonly busySeconds: number | undefined;
  readonly queued: readonly string[];
  readonly dialog: readonly string[] | undefined;
  readonly permissionMode: string;
  /** Replaces the footer for a moment. */
  readonly hint: string | undefined;
}

/** The rows at the bottom of the screen, in the real program's words and places. */
export function bottomRows(view: ScreenView): readonly string[] {
  const { columns, busySeconds } = view;
  const live = view.live === '' ? [] : ['', ...saidRows(view.live, columns)];
  if (view.dialog !== undefined) return [...live, '', ...view.dialog, namedRule(view)];
  const queued = view.queued.flatMap((text) => promptRows(text, columns));
  const busy = busySeconds === undefined ? [] : ['', `${warm}✻ Working… (${busySeconds}s)`];
  return [...live, ...queued, ...busy, '', namedRule(view), ...boxRows(view), rule(columns), footer(view)];
}

export const rule = (columns: number): string => `${grey}${'─'.repeat(columns)}`;

function namedRule({ columns, name }: ScreenView): string {
  if (name === undefined) return rule(columns);
  const label = ` ${name.slice(0, 40)} ─`;
  return `${grey}${'─'.repeat(Math.max(columns - label.length, 8))}${label}`;
}

/** The no-break space after the sign marks the box; prompts quoted above have a plain one. */
function boxRows({ draft, columns }: ScreenView): readonly string[] {
  const sign = draft.isShell ? '!' : '❯';
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
  return `${row.slice(0, at)}${csi}7m${under}${csi}27m${row.slice(at + 1 + under.length)}`;
}

function footer({ hint, permissionMode, busySeconds }: ScreenView): string {
  const keys = busySeconds === undefined ? '? for shortcuts' : 'esc to interrupt';
  return `  ${soft}${hint ?? `⏵⏵ ${permissionMode} mode on · ${keys}`}`;
}

export const promptRows = (text: string, columns: number): readonly string[] =>
  wrapped(text, columns - 3).map((row, i) => `${inPrompt}${i === 0 ? '❯ ' : '  '}${row}`);

export const saidRows = (text: string, columns: number): readonly string[] =>
  wrapped(text, columns - 3).map((row, i) => `${i === 0 ? '● ' : '  '}${row}`);

export const resultRows = (text: string, columns: number): readonly string[] =>
  wrapped(text, columns - 6)
    .slice(0, 4)
    .map((row, i) => `${soft}${i === 0 ? '  ⎿  ' : '     '}${row}`);

export const endRow = (text: string): string => `${soft}✻ ${text}`;
