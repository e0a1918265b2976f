// What a key on the crew's own tmux server starts.
import { showNext } from '../backends/tmux/next-worker.ts';
import { definedOf } from '../model/defined.ts';

/** Resolves to the exit code; 1 where no worker is there to be shown. */
export async function pressKey(
  [act, socket = '', session = '', pane = '']: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  if (act !== 'next') return 2;
  return (await showNext({ socket, env: definedOf(env), session, pane })) ? 0 : 1;
}
