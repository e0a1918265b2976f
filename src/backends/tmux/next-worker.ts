// `n` on the crew's own tmux server: the pane of the next worker that needs somebody.
import type { Command } from './command.ts';
import { askOnce } from './one-shot.ts';

export interface WorkerPane {
  readonly id: string;
  readonly needsSomebody: boolean;
}

/** The next one of those that need somebody, or of all where nobody does; after the last comes the first. Pure. */
export function nextPane(panes: readonly WorkerPane[], current: string): string | undefined {
  const at = panes.findIndex(({ id }) => id === current) + 1;
  const onwards = [...panes.slice(at), ...panes.slice(0, at)];
  return (onwards.find(({ needsSomebody }) => needsSomebody) ?? onwards[0])?.id;
}

export const paneFormat = '#{?#{@crewmux_worker},#{pane_id} #{?#{@crewmux_alarm},1,0},}';

/** From lines of `paneFormat`; a pane without a worker has an empty one. Pure. */
export const workerPanes = (output: string): readonly WorkerPane[] =>
  output.split('\n').flatMap((line) => {
    const [id = '', alarm] = line.split(' ');
    return id === '' ? [] : [{ id, needsSomebody: alarm === '1' }];
  });

export interface Press {
  readonly socket: string;
  readonly env: Readonly<Record<string, string>>;
  /** Exact ids, of the tmux session and of the pane before the person. */
  readonly session: string;
  readonly pane: string;
}

/** Everybody who looks at the tmux session sees that pane then; resolves to whether there was one. */
export async function showNext({ socket, env, session, pane }: Press): Promise<boolean> {
  const listing: Command = ['list-panes', '-s', '-t', session, '-F', paneFormat];
  const listed = await askOnce({ socket, env }, [listing]);
  const next = listed.is === 'done' ? nextPane(workerPanes(listed.output), pane) : undefined;
  if (next === undefined) return false;
  const shown = await askOnce({ socket, env }, [
    ['select-window', '-t', next],
    ['select-pane', '-t', next],
  ]);
  return shown.is === 'done';
}
