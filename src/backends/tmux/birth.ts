// Starts our own server and prepares it before the first pane opens.
import { tryUntil } from '../../system/pace.ts';
import { automaticNameFormat, borderFormat, newsFormat, onlyWide, watchFormat, windowFormat } from './border.ts';
import type { Channel } from './channel.ts';
import type { Command, Reply } from './command.ts';
import { keeper } from './kept.ts';
import { askOnce } from './one-shot.ts';

/** Signalled at every death or removal of a pane. */
export const changeSignal = 'crewmux-change';

const changeHooks = ['pane-died', 'after-kill-pane', 'window-unlinked', 'session-closed'] as const;

const setting = (name: string, value: string): Command => ['set-option', '-gq', name, value];

const ways = ' #{prefix} d leaves, #{prefix} o next pane, #{prefix} 0 board ';

const settings: readonly Command[] = [
  setting('remain-on-exit', 'on'),
  // The border shows the end; tmux's own line would push the last screen up.
  setting('remain-on-exit-format', ''),
  // Four panes share it; a quarter must still show a long dialog whole.
  setting('default-size', '320x100'),
  // A person's attaching must not carry their environment into later panes.
  setting('update-environment', ''),
  setting('default-terminal', 'screen-256color'),
  setting('history-limit', '20000'),
  setting('escape-time', '10'),
  setting('focus-events', 'on'),
  setting('mouse', 'on'),
  setting('allow-rename', 'off'),
  setting('automatic-rename', 'on'),
  setting('automatic-rename-format', automaticNameFormat),
  setting('window-status-format', windowFormat),
  setting('window-status-current-format', windowFormat),
  setting('pane-border-status', 'top'),
  setting('pane-border-format', borderFormat),
  setting('status-left', ' crewmux #{session_name} '),
  setting('status-left-length', '60'),
  setting('status-right', ways),
  setting('status-right-length', '100'),
];

/** Only for a server to which a client stays attached while a crewmux runs; an older tmux cannot count either. */
const watched = (answerKey: string | undefined): readonly Command[] => [
  setting('status-left', newsFormat(answerKey)),
  setting('status-right', `${watchFormat(keeper)}${onlyWide(ways)}`),
];

export interface CrewKeys {
  readonly commands: readonly Command[];
  readonly answerKey?: string;
}

const birth: readonly Command[] = [
  ['start-server'],
  ...settings,
  ...changeHooks.map((hook): Command => ['set-hook', '-g', hook, `wait-for -S ${changeSignal}`]),
  // `true` ends at once and its dead pane stays: a tmux session that costs no process.
  ['new-session', '-d', '-s', keeper, '-n', 'keeper', '-x', '320', '-y', '100', 'true'],
];

// Letting go must not wait for a server that hangs.
const releaseMs = 400;

/** Starts the server unless it runs and prepares it unless that was done, with `keys`; two at once are fine. */
export async function ensureServer(channel: Channel, { commands, answerKey }: CrewKeys): Promise<Reply> {
  const known = await channel.ask([['has-session', '-t', `=${keeper}`]], { repeatable: true });
  if (known.is === 'done') return known;
  const all = [...birth, ...(channel.keepsClient ? watched(answerKey) : []), ...commands];
  const start = () => channel.alone(() => askOnce(channel.address, all));
  // A server that is just ending takes the call with it.
  const isOver = ({ is }: Reply) => is === 'done' || is === 'refused';
  const reply = await tryUntil(start, isOver, { tries: 5, pauseMs: 60 });
  const isThere = reply.is === 'done' || (reply.is === 'refused' && reply.words.startsWith('duplicate session'));
  if (!isThere) return reply;
  channel.forgive();
  return { is: 'done', output: '' };
}

/** Ends the keeper, and with it the server, once no crew and no other client is left. */
export async function releaseServer(channel: Channel): Promise<void> {
  const names: Command = ['list-sessions', '-F', '#{session_name}'];
  const reply = await askOnce(channel.address, [names], { timeoutMs: releaseMs });
  if (reply.is !== 'done' || reply.output.trim() !== keeper) return;
  const end: Command = [
    'if-shell',
    '-F',
    '-t',
    `=${keeper}:`,
    `#{&&:#{==:#{session_attached},0},#{==:#{session_name},${keeper}}}`,
    `kill-session -t "=${keeper}"`,
  ];
  await channel.alone(() => askOnce(channel.address, [end], { timeoutMs: releaseMs }));
}
