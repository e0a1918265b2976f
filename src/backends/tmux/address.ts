// Which tmux server is meant: the flags every call to it carries, and the line by which a person attaches to it.
import { quote } from '../../model/quote.ts';

export interface Address {
  /** A socket name for `-L`, or an absolute path for `-S`. */
  readonly socket: string;
  /** The whole environment of every tmux process we start; a server we start is born with it. */
  readonly env: Readonly<Record<string, string>>;
}

// -u: without it tmux replaces what is not ASCII where the locale is not UTF-8.
// -f: a person's own configuration may start programs or undo what we rely on.
export const serverFlags = (socket: string): readonly string[] => ['-u', '-f', '/dev/null', ...serverWords(socket)];

export const serverWords = (socket: string) => [socket.startsWith('/') ? '-S' : '-L', socket];

/** The environment for our tmux processes: a process inside another tmux would act on that one. */
export function tmuxEnvironment(env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { TMUX: _server, TMUX_PANE: _pane, ...rest } = env;
  return rest;
}

/** The command line with which a person looks at a pane, for a POSIX shell; it works where the folder of the sockets is not the usual one, and inside another tmux. */
export function attachLine({ socket, env }: Address, tmuxSession: string): string {
  const before = [
    ...(env.TMUX === undefined ? [] : ['TMUX=']),
    ...(env.TMUX_TMPDIR === undefined || socket.startsWith('/') ? [] : [`TMUX_TMPDIR=${quote(env.TMUX_TMPDIR)}`]),
  ];
  return [...before, 'tmux', ...serverWords(socket).map(quote), 'attach', '-t', quote(`=${tmuxSession}`)].join(' ');
}
