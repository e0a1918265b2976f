// Whether a person looks at the tmux session of a pane, asked from inside the pane.
import type { Command } from './command.ts';
import { askOnce } from './one-shot.ts';

/**
 * `env` is the environment of the pane's own programs. False where there is no tmux, or it does not answer. Control
 * clients are programs and do not count.
 */
export async function hasOnlooker(env: Readonly<Record<string, string | undefined>>): Promise<boolean> {
  const socket = env.TMUX?.split(',')[0];
  const pane = env.TMUX_PANE;
  if (socket === undefined || pane === undefined) return false;
  const list: Command = ['list-clients', '-t', pane, '-F', '#{client_control_mode}'];
  const reply = await askOnce({ socket, env: { PATH: env.PATH ?? '/usr/bin:/bin' } }, [list], { timeoutMs: 2_000 });
  return reply.is === 'done' && reply.output.split('\n').includes('0');
}
