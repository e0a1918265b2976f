// Panes as tmux shows them: all of a server in one call, or one, and the text of one.
import { CrewError, messageOf } from '../../model/errors.ts';
import { newNonce } from '../../model/ids.ts';
import type { PaneInfo, PaneList, PaneLook, PaneRef } from '../terminal.ts';
import { type Address, tmuxEnvironment } from './address.ts';
import { boardMark } from './board.ts';
import type { Channel } from './channel.ts';
import type { Ask, Command } from './command.ts';
import { doneAt, guarded } from './guard.ts';
import { keeper } from './kept.ts';
import { askOnce } from './one-shot.ts';
import { type Rows, readRows, rowFormat } from './pane-rows.ts';
import { isMissingTarget, refusal } from './refusal.ts';

export interface Looker {
  /** Every pane but the keeper's, and the boards apart; empty when no server runs. Throws when tmux's answer is of no use. */
  all(): Promise<PaneList & { readonly boards: readonly PaneInfo[] }>;
  /** Undefined when the pane is gone, also when another server has its id now. */
  one(ref: PaneRef): Promise<PaneInfo | undefined>;
  /** A format and its reader, for a command list that prints one pane. */
  format(): { readonly text: string; read(output: string): PaneInfo };
  /** Commands that make other crewmux processes look for these marks too; none when they do already. */
  announce(marks: Readonly<Record<string, string>>): readonly Command[];
}

const labelKeys = ['birth', 'batch', 'name', 'annotation', 'status', 'colour', boardMark];

export function openLooker(channel: Channel): Looker {
  const { socket } = channel.address;
  const keys = new Set(labelKeys);
  // On the server that answered last: another one that has taken its place knows of none.
  let announced = new Set<string>(labelKeys);
  const learn = ({ panes, keysInUse }: Rows): void => {
    for (const key of keysInUse) keys.add(key);
    if (panes.length > 0) announced = new Set([...labelKeys, ...keysInUse]);
  };
  const rows = async (commandFor: (format: string) => Command, ask: Ask): Promise<readonly PaneInfo[]> => {
    for (;;) {
      const format = { nonce: newNonce(), keys: [...keys] };
      const reply = await ask([commandFor(rowFormat(format))], { repeatable: true });
      if (reply.is === 'absent') return [];
      if (reply.is === 'refused' && isMissingTarget(reply.words)) return [];
      if (reply.is !== 'done') throw refusal('list its panes', reply);
      const read = readOrThrow(reply.output, () => readRows(reply.output, format, socket));
      learn(read);
      if (read.keysInUse.every((key) => format.keys.includes(key))) return read.panes;
    }
  };
  return {
    async all() {
      const every = await rows((format) => ['list-panes', '-a', '-F', format], channel.ask);
      const panes = every.filter((pane) => pane.session !== keeper && !isBoard(pane));
      return { panes, boards: every.filter(isBoard), server: every[0]?.ref };
    },
    async one(ref) {
      const panes = await rows((format) => ['list-panes', '-t', ref.id, '-F', format], channel.ask);
      return panes.find((pane) => isSame(pane.ref, ref));
    },
    format() {
      const format = { nonce: newNonce(), keys: [...keys] };
      return {
        text: rowFormat(format),
        read(output) {
          const pane = readOrThrow(output, () => readRows(output, format, socket)).panes[0];
          if (pane === undefined) throw new CrewError('tmux_failed', 'tmux printed no pane', 'Try again.');
          return pane;
        },
      };
    },
    announce(marks) {
      const fresh = Object.keys(marks).filter((key) => !announced.has(key));
      for (const key of fresh) {
        keys.add(key);
        announced.add(key);
      }
      return fresh.map((key): Command => ['set-option', '-ga', '@crewmux_keys', `${key} `]);
    },
  };
}

/** Panes of any tmux server of this user, seen with one process; a server that does not run is not started. */
export async function listPanesOf(address: Address): Promise<readonly PaneInfo[]> {
  const own = { ...address, env: tmuxEnvironment(address.env) };
  const format = { nonce: newNonce(), keys: labelKeys };
  const reply = await askOnce(own, [['list-panes', '-a', '-F', rowFormat(format)]], { repeatable: true });
  if (reply.is === 'absent') return [];
  if (reply.is !== 'done') throw refusal('list its panes', reply);
  return readOrThrow(reply.output, () => readRows(reply.output, format, own.socket)).panes.filter(
    (pane) => !isBoard(pane),
  );
}

const isBoard = ({ marks }: PaneInfo): boolean => marks[boardMark] !== undefined;

interface CaptureOptions {
  readonly lines?: number;
  readonly colours?: boolean;
}

/** Rows are never joined, so a row of the text is a row of the screen. */
export async function capture(channel: Channel, ref: PaneRef, options: CaptureOptions): Promise<string> {
  const command: Command = [
    'capture-pane',
    '-p',
    ...(options.colours ? ['-e'] : []),
    ...(options.lines === undefined ? [] : ['-S', `-${options.lines}`]),
    '-t',
    ref.id,
  ];
  const reply = await channel.ask([guarded(ref, [command])], { repeatable: true });
  const { output } = doneAt(ref, reply, 'read a pane');
  return options.lines === undefined ? output : lastLines(output, options.lines);
}

/** A title has no line breaks: tmux takes them out. */
export async function look(channel: Channel, ref: PaneRef): Promise<PaneLook> {
  const commands: readonly Command[] = [
    ['display-message', '-p', '-t', ref.id, '#{pane_title}'],
    ['capture-pane', '-p', '-e', '-t', ref.id],
  ];
  const reply = await channel.ask([guarded(ref, commands)], { repeatable: true });
  const { output } = doneAt(ref, reply, 'read a pane');
  const end = output.indexOf('\n');
  return { title: output.slice(0, end), screen: output.slice(end + 1) };
}

/** The last `count` lines that say something; a screen ends with the empty rows below its text. */
function lastLines(text: string, count: number): string {
  const lines = text.trimEnd().split('\n');
  return `${lines.slice(-count).join('\n')}\n`;
}

/** What a pane of any tmux server of this user shows, with colours. Throws when it is gone. */
export async function captureOf(ref: PaneRef, env: Address['env']): Promise<string> {
  const address = { socket: ref.socket, env: tmuxEnvironment(env) };
  const reply = await askOnce(address, [guarded(ref, [['capture-pane', '-p', '-e', '-t', ref.id]])], {
    repeatable: true,
  });
  return doneAt(ref, reply, 'read a pane').output;
}

export const isSame = (a: PaneRef, b: PaneRef): boolean =>
  a.id === b.id && a.serverPid === b.serverPid && a.serverStartedAt === b.serverStartedAt;

function readOrThrow<T>(output: string, read: () => T): T {
  try {
    return read();
  } catch (thrown) {
    throw new CrewError(
      'tmux_failed',
      `tmux printed panes in a form we cannot read (${messageOf(thrown).split('\n')[0]}): ${output.slice(0, 300)}`,
      'This is a bug in crewmux, or a tmux it does not know; please report it with the output of `tmux -V`.',
      { cause: thrown },
    );
  }
}
