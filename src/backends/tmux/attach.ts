// The tmux command lines by which a person comes to look at a pane.
import { handOver } from '../../system/exec.ts';
import { serverWords, tmuxEnvironment } from './address.ts';

export interface Sight {
  readonly socket: string;
  readonly session: string;
  readonly serverPid: number;
  /** Without one, the tmux session as it stands. */
  readonly paneId?: string;
  readonly readOnly: boolean;
}

/** In the tmux server that we stand in, our client moves there; anywhere else a client attaches. Pure. */
export function attachWords(sight: Sight, tmux: string | undefined): readonly string[] {
  const { socket, session, paneId, readOnly } = sight;
  const server = ['-u', ...serverWords(socket)];
  const only = readOnly ? ['-r'] : [];
  if (isInside(sight, tmux)) return [...server, 'switch-client', ...only, '-t', paneId ?? `=${session}:`];
  const pick = paneId === undefined ? [] : ['select-window', '-t', paneId, ';', 'select-pane', '-t', paneId, ';'];
  return [...server, ...pick, 'attach-session', ...only, '-t', `=${session}`];
}

/** `$TMUX` is the socket's path, the server's pid and a number. */
const isInside = ({ serverPid }: Sight, tmux = ''): boolean => tmux.split(',').at(-2) === String(serverPid);

/** Gives the terminal to tmux until the person leaves; resolves to tmux's exit code. */
export function attachTo(sight: Sight, env: Readonly<Record<string, string>>): Promise<number> {
  const own = isInside(sight, env.TMUX) ? env : tmuxEnvironment(env);
  return handOver('tmux', attachWords(sight, env.TMUX), { env: own });
}
