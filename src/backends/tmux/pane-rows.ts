// One format string for a pane, and the reader of what it prints.
import { constants } from 'node:os';
import { z } from 'zod';
import type { PaneInfo } from '../terminal.ts';

const facts = [
  'pid',
  'start_time',
  'session_name',
  'session_id',
  'window_id',
  'pane_id',
  'pane_pid',
  'pane_current_command',
  'pane_current_path',
  'pane_dead',
  'pane_dead_status',
  'pane_dead_signal',
  'pane_in_mode',
  'window_activity',
  'pane_width',
  'pane_height',
  '@crewmux_keys',
] as const;

export interface RowFormat {
  /** Must not occur in any value; folders and titles may hold every other character. */
  readonly nonce: string;
  /** Marks to ask for: tmux cannot list the options of every pane at once. */
  readonly keys: readonly string[];
}

/** A format for `list-panes -F` or `display-message -p`; control characters are no separators, tmux rewrites them. */
export function rowFormat({ nonce, keys }: RowFormat): string {
  const names = [...facts, ...keys.map((key) => `@crewmux_${key}`)];
  return `${names.map((name) => `#{${name}}`).join(`|${nonce}|`)}|${nonce}!`;
}

const number = z.string().regex(/^\d+$/).transform(Number);
const maybeNumber = z
  .string()
  .regex(/^\d*$/)
  .transform((text) => (text === '' ? undefined : Number(text)));
const flag = z.string().transform((text) => text !== '' && text !== '0');

const row = z.object({
  pid: number,
  start_time: number,
  session_name: z.string(),
  session_id: z.string().regex(/^\$\d+$/),
  window_id: z.string().regex(/^@\d+$/),
  pane_id: z.string().regex(/^%\d+$/),
  pane_pid: number,
  pane_current_command: z.string(),
  pane_current_path: z.string(),
  pane_dead: flag,
  pane_dead_status: maybeNumber,
  pane_dead_signal: z.string(),
  pane_in_mode: flag,
  window_activity: maybeNumber,
  pane_width: number,
  pane_height: number,
  '@crewmux_keys': z.string(),
});

export interface Rows {
  readonly panes: readonly PaneInfo[];
  /** Every mark ever written on this server by any crewmux. */
  readonly keysInUse: readonly string[];
}

/** Reads what `rowFormat` printed; throws when a row is not of that form. */
export function readRows(text: string, format: RowFormat, socket: string): Rows {
  const rows = text.split(`|${format.nonce}!\n`);
  if (rows.pop() !== '') throw new Error('the last row is cut short');
  const keysInUse = new Set<string>();
  const panes = rows.map((one) => {
    const values = one.split(`|${format.nonce}|`);
    const read = row.parse(Object.fromEntries(facts.map((name, at) => [name, values[at]])));
    for (const key of read['@crewmux_keys'].split(' ')) if (key !== '') keysInUse.add(key);
    const marks = format.keys.map((key, at) => [key, values[facts.length + at] ?? '']);
    return paneInfo(read, Object.fromEntries(marks.filter(([, value]) => value !== '')), socket);
  });
  return { panes, keysInUse: [...keysInUse] };
}

function paneInfo(read: z.infer<typeof row>, marks: Readonly<Record<string, string>>, socket: string): PaneInfo {
  const signal = signalName(read.pane_dead_signal);
  return {
    ref: { socket, serverPid: read.pid, serverStartedAt: read.start_time, id: read.pane_id },
    session: read.session_name,
    sessionId: read.session_id,
    windowId: read.window_id,
    pid: read.pane_pid,
    command: read.pane_current_command,
    cwd: read.pane_current_path,
    dead: read.pane_dead,
    ...(read.pane_dead && read.pane_dead_status !== undefined ? { exitCode: read.pane_dead_status } : {}),
    ...(read.pane_dead && signal !== undefined ? { exitSignal: signal } : {}),
    inMode: read.pane_in_mode,
    ...(read.window_activity === undefined ? {} : { activeAt: read.window_activity }),
    width: read.pane_width,
    height: read.pane_height,
    marks,
  };
}

/** tmux prints `9` on Linux and `KILL` on macOS. */
export function signalName(text: string): string | undefined {
  if (text === '') return undefined;
  if (!/^\d+$/.test(text)) return text.startsWith('SIG') ? text : `SIG${text}`;
  const known = Object.entries(constants.signals).find(([, value]) => value === Number(text));
  return known?.[0] ?? `signal ${text}`;
}
