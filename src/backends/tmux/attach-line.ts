// The command line with which a person looks at a pane.
import type { Address } from './address.ts';
import { quoteForShell } from './command.ts';

/** For a POSIX shell; it works where the folder of the sockets is not the usual one, and inside another tmux. */
export function attachLine({ socket, env }: Address, tmuxSession: string): string {
  const before = [
    ...(env.TMUX === undefined ? [] : ['TMUX=']),
    ...(env.TMUX_TMPDIR === undefined || socket.startsWith('/')
      ? []
      : [`TMUX_TMPDIR=${quoteForShell(env.TMUX_TMPDIR)}`]),
  ];
  const server = [socket.startsWith('/') ? '-S' : '-L', quoteForShell(socket)];
  return [...before, 'tmux', ...server, 'attach', '-t', quoteForShell(`=${tmuxSession}`)].join(' ');
}
