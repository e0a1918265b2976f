// The tmux command lines by which a person comes to look at a pane.
import { defined } from '../../model/defined.ts';
import { handOver, run } from '../../system/exec.ts';
import { serverWords, tmuxEnvironment } from './address.ts';

export interface AttachTarget {
  readonly socket: string;
  readonly session: string;
  readonly serverPid: number;
  /** Without one, the tmux session as it stands. */
  readonly paneId?: string;
  readonly readOnly: boolean;
}

/** In the tmux server that we stand in, our client moves there; anywhere else a client attaches. Pure. */
export function attachWords(
  sight: AttachTarget,
  tmux: string | undefined,
  { around, client }: { readonly around?: PersonTmux; readonly client?: string } = {},
): readonly string[] {
  const { socket, session, paneId, readOnly } = sight;
  const server = ['-u', ...serverWords(socket)];
  const only = readOnly ? ['-r'] : [];
  const whose = client === undefined ? [] : ['-c', client];
  if (isInside(sight, tmux)) return [...server, 'switch-client', ...only, ...whose, '-t', paneId ?? `=${session}:`];
  const pick = paneId === undefined ? [] : ['select-window', '-t', paneId, ';', 'select-pane', '-t', paneId, ';'];
  const said = around === undefined ? [] : [';', 'display-message', ...longer(around), leavingWords(around)];
  return [...server, ...pick, 'attach-session', ...only, '-t', `=${session}`, ...said];
}

/** The tmux of their own that the person sits in. */
export interface PersonTmux {
  /** As tmux writes a key. */
  readonly prefix: string;
  /** Of the program, as it prints it. */
  readonly version: string;
}

/** The crew's server is born without a configuration. */
const ourPrefix = 'C-b';

/** Pure. */
export const leavingWords = ({ prefix }: Pick<PersonTmux, 'prefix'>): string =>
  `${prefix === ourPrefix ? `${ourPrefix} ` : ''}${ourPrefix} d leaves the crew; ${prefix} d leaves your own tmux`;

const messageMs = 10_000;

/** Releases before 3.2 show it for as long as any message. */
const longer = ({ version }: PersonTmux): readonly string[] =>
  /\b(?:[12]\.|3\.[01])/.test(version) ? [] : ['-d', String(messageMs)];

/** Undefined outside of tmux, in the crew's own, and where it does not tell. */
async function aroundUs(sight: AttachTarget, env: Readonly<Record<string, string>>): Promise<PersonTmux | undefined> {
  if ((env.TMUX ?? '') === '' || isInside(sight, env.TMUX)) return undefined;
  const options = { env, timeoutMs: 2_000 };
  const [asked, told] = await Promise.all([
    run('tmux', ['show-options', '-gqv', 'prefix'], options),
    run('tmux', ['-V'], options),
  ]);
  const prefix = asked.stdout.trim();
  return prefix === '' || told.exitCode !== 0 ? undefined : { prefix, version: told.stdout };
}

/** `$TMUX` is the socket's path, the server's pid and a number. */
const isInside = ({ serverPid }: AttachTarget, tmux = ''): boolean => tmux.split(',').at(-2) === String(serverPid);

/** Of a popup in the crew's tmux: tmux itself would move the client that anybody used last. */
async function clientOf(sight: AttachTarget, env: Readonly<Record<string, string>>): Promise<string | undefined> {
  const { TMUX: tmux, TMUX_PANE: pane } = env;
  if (pane !== undefined || !isInside(sight, tmux)) return undefined;
  const list = ['list-clients', '-t', `$${tmux?.split(',').at(-1)}:`, '-F', '#{client_activity} #{client_name}'];
  const { stdout } = await run('tmux', list, { env, timeoutMs: 2_000 });
  const [newest] = stdout.trim().split('\n').toSorted().toReversed();
  return newest?.split(' ')[1];
}

/** Gives the terminal to tmux until the person leaves; resolves to tmux's exit code. */
export async function attachTo(sight: AttachTarget, env: Readonly<Record<string, string>>): Promise<number> {
  const own = isInside(sight, env.TMUX) ? env : tmuxEnvironment(env);
  const [around, client] = await Promise.all([aroundUs(sight, env), clientOf(sight, env)]);
  return handOver('tmux', attachWords(sight, env.TMUX, defined({ around, client })), { env: own });
}
