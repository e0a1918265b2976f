// The command line with which a person looks at a pane.

import { quote } from '../../model/quote.ts';
import type { Address } from './address.ts';

/** For a POSIX shell; it works where the folder of the sockets is not the usual one, and inside another tmux. */
export function attachLine({ socket, env }: Address, tmuxSession: string): string {
  const before = [
    ...(env.TMUX === undefined ? [] : ['TMUX=']),
    ...(env.TMUX_TMPDIR === undefined || socket.startsWith('/') ? [] : [`TMUX_TMPDIR=${quote(env.TMUX_TMPDIR)}`]),
  ];
  const server = [socket.startsWith('/') ? '-S' : '-L', quote(socket)];
  return [...before, 'tmux', ...server, 'attach', '-t', quote(`=${tmuxSession}`)].join(' ');
}
