// The pane below the board that keeps a project at work; window 0 is not the board's alone then.
import { aloneEnd, boardOf } from './board.ts';
import { openChannel } from './channel.ts';
import type { AskOptions, Command } from './command.ts';
import { launchWords, type PaneLaunch } from './opening.ts';
import { refusal } from './refusal.ts';
import { requireTmux, type TmuxOptions } from './tmux.ts';
import { canKeepClient } from './version.ts';

export interface KeepPane extends PaneLaunch {
  readonly tmuxSession: string;
}

const rows = '8';

/** Opens it, and resolves to whether there was a board. Rejects where tmux refuses it. */
export async function openKeepPane(
  options: Pick<TmuxOptions, 'socket' | 'env' | 'clock' | 'alone'>,
  { tmuxSession, ...launch }: KeepPane,
): Promise<boolean> {
  const { alone = (work) => work(), env, ...more } = options;
  const keepsClient = canKeepClient(await requireTmux(env));
  const channel = openChannel({ address: { ...more, env }, clock: options.clock, alone, keepsClient });
  const ask = (commands: readonly Command[], asked: AskOptions = {}) => channel.ask(commands, asked);
  try {
    const board = await boardOf(ask, tmuxSession);
    if (board === undefined) return false;
    const split: Command = ['split-window', '-v', '-d', '-l', rows, '-P', '-F', '#{pane_id}'];
    const opened = await ask([[...split, ...launchWords(launch, ['-t', board.id])]], { alone: true });
    if (opened.is !== 'done') throw refusal('open a pane below the board', opened);
    await ask([
      ['set-option', '-p', '-t', opened.output.trim(), 'remain-on-exit', 'off'],
      aloneEnd(board.sessionId, 'pane-exited'),
    ]);
    return true;
  } finally {
    await channel.dispose();
  }
}
