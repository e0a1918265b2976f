// The board of a crew: window 0 of its tmux session, a pane without a program that shows a text.
import { overScreen } from '../../model/plain-text.ts';
import type { BoardPlace, Terminal } from '../terminal.ts';
import type { Channel } from './channel.ts';
import type { AskOptions, Command, Reply } from './command.ts';
import { keptKeys, keysFact } from './crew-keys.ts';
import { askOnce } from './one-shot.ts';
import { tmuxSessionName } from './placement.ts';

/** Marks the pane of a board, which is no worker's. */
export const boardMark = 'board';

type AskMany = (commands: readonly Command[], options?: AskOptions) => Promise<Reply>;

interface Found {
  readonly sessionId: string;
  /** A board was made: one that is gone was closed by a person, and stays closed. */
  readonly wasMade: boolean;
  readonly pane?: { readonly id: string; readonly place: BoardPlace };
}

/** Shows a text on the board of a tmux session, which is made for it the first time; nothing where there is none. */
export async function drawBoard(
  channel: Channel,
  tmuxSession: string,
  { text, bell }: Parameters<Terminal['draw']>[1],
): Promise<void> {
  const ask: AskMany = (commands, options) => channel.ask(commands, { repeatable: true, ...options });
  const before = await find(ask, tmuxSession);
  if (before === undefined) return;
  const found = before.pane === undefined && !before.wasMade ? await make(ask, before.sessionId, tmuxSession) : before;
  if (found?.pane === undefined) return;
  const { id, place } = found.pane;
  const input = `${bell ? '\u0007' : ''}${begin}${overScreen(text(place))}`;
  await channel.alone(() => askOnce(channel.address, [['display-message', '-I', '-t', id]], { input }));
}

const facts = [
  'session_id',
  '@crewmux_made_board',
  `@crewmux_${boardMark}`,
  'pane_id',
  'pane_width',
  'pane_height',
  'window_index',
  'window_panes',
  'pane_index',
  'prefix',
];
const format = [...facts.map((fact) => `#{${fact}}`), keysFact].join(' ');

/** The pane of the board of a tmux session; undefined where it has none. */
export async function boardOf(ask: AskMany, tmuxSession: string) {
  const found = await find(ask, tmuxSession);
  return found?.pane && { id: found.pane.id, sessionId: found.sessionId };
}

async function find(ask: AskMany, tmuxSession: string): Promise<Found | undefined> {
  const reply = await ask([['list-panes', '-s', '-t', `=${tmuxSessionName(tmuxSession)}:`, '-F', format]]);
  if (reply.is !== 'done') return undefined;
  const rows = reply.output.split('\n').map((row) => row.split(' '));
  const [sessionId = '', made] = rows[0] ?? [];
  if (sessionId === '') return undefined;
  const wasMade = made !== '';
  const [, , , id, width, height, , , , prefix = '', ...kept] = rows.find(([, , mark = '']) => mark !== '') ?? [];
  if (id === undefined) return { sessionId, wasMade };
  const keys = new Map(rows.map(([, , , pane = '', , , ...where]) => [pane, keysTo(where)]));
  const place = {
    columns: Number(width),
    rows: Number(height),
    keys,
    back: `${prefix} 0`,
    acts: keptKeys(kept, prefix),
  };
  return { sessionId, wasMade, pane: { id, place } };
}

/** The keys that lead to a pane: those of its window, then those of the pane where it is not alone there. Pure. */
export function keysTo([window = '', panes = '', pane = '', prefix = '']: readonly string[]): string {
  const there = `${prefix} ${window.length > 1 ? "' " : ''}${window}`;
  return panes === '1' ? there : `${there} ${prefix} q ${pane}`;
}

/** A tmux without empty panes refuses; then there is no board, and no second try. */
async function make(ask: AskMany, sessionId: string, tmuxSession: string): Promise<Found | undefined> {
  const window = `${sessionId}:0`;
  const pane = `${window}.{top-left}`;
  await ask([['set-option', '-t', sessionId, '@crewmux_made_board', '1']]);
  const making: readonly Command[] = [
    ['new-window', '-d', '-t', window, '-n', 'board', 'true'],
    // An empty pane costs no process; tmux makes one only by a split.
    ['split-window', '-d', '-t', window, ''],
    ['kill-pane', '-t', pane],
    ['set-option', '-p', '-t', pane, `@crewmux_${boardMark}`, '1'],
    ['set-option', '-w', '-t', window, 'pane-border-status', 'off'],
    // What a terminal of the usual size shows of it, until a person's own decides.
    ['resize-window', '-t', window, '-x', '80', '-y', '23'],
    ['set-option', '-w', '-u', '-t', window, 'window-size'],
    aloneEnd(sessionId, 'window-unlinked'),
  ];
  const made = await ask(making, { alone: true });
  return made.is === 'done' ? find(ask, tmuxSession) : undefined;
}

/**
 * tmux itself closes the board with the last other window, whoever closes that and whoever is still attached. The hook
 * is a global one, since tmux looks for it in whichever tmux session was used last; `if-shell` may not find its target,
 * and then asks the condition of another.
 */
export function aloneEnd(sessionId: string, event: 'window-unlinked' | 'pane-exited'): Command {
  const window = `${sessionId}:0`;
  const conditions = [
    `#{==:#{session_id},${sessionId}}`,
    '#{==:#{session_windows},1}',
    '#{==:#{window_panes},1}',
    `#{@crewmux_${boardMark}}`,
  ];
  const isAlone = conditions.reduce((all, one) => `#{&&:${all},${one}}`);
  const hook = `${event}[${firstHook + Number(sessionId.slice(1))}]`;
  const end = `kill-window -t '${window}' ; set-hook -gu '${hook}'`;
  return ['set-hook', '-g', hook, `if-shell -F -t '${window}' '${isAlone}' "${end}"`];
}

/** Beyond those of every server, one for each tmux session. */
const firstHook = 1_000;

// The alternate screen keeps no history and cuts long lines where it is made narrower, and the foot where lower.
const begin = '\u001b[?1049h\u001b[?25l\u001b[?7l';
