// `n` on the crew's own tmux server: the pane of the next worker that needs somebody.
import type { Command } from './command.ts';
import { askOnce } from './one-shot.ts';

export interface WorkerPane {
  readonly id: string;
  readonly needsSomebody: boolean;
  readonly name: string;
  readonly status: string;
  readonly annotation: string;
}

/** The next one of those that need somebody, or of all where nobody does; after the last comes the first. Pure. */
export function nextPane(
  panes: readonly Pick<WorkerPane, 'id' | 'needsSomebody'>[],
  current: string,
): string | undefined {
  const at = panes.findIndex(({ id }) => id === current) + 1;
  const onwards = [...panes.slice(at), ...panes.slice(0, at)];
  return (onwards.find(({ needsSomebody }) => needsSomebody) ?? onwards[0])?.id;
}

/** In no value; tmux rewrites control characters. */
const between = '␟';
const marks = ['name', 'status', 'annotation'].map((mark) => `${between}#{@crewmux_${mark}}`).join('');
const paneFormat = `#{?#{@crewmux_worker},#{pane_id} #{?#{@crewmux_alarm},1,0}${marks},}`;

/** From lines of `paneFormat`; a pane without a worker has an empty one. Pure. */
export const workerPanes = (output: string): readonly WorkerPane[] =>
  output.split('\n').flatMap((line) => {
    const [head = '', name = '', status = '', annotation = ''] = line.split(between);
    const [id = '', alarm] = head.split(' ');
    return id === '' ? [] : [{ id, needsSomebody: alarm === '1', name, status, annotation }];
  });

export interface Press {
  readonly socket: string;
  readonly env: Readonly<Record<string, string>>;
  /** Exact ids, of the tmux session and of the pane before the person. */
  readonly session: string;
  readonly pane: string;
}

/** Of a tmux session; undefined where tmux does not tell. */
export async function listWorkers({
  socket,
  env,
  session,
}: Omit<Press, 'pane'>): Promise<readonly WorkerPane[] | undefined> {
  const listing: Command = ['list-panes', '-s', '-t', session, '-F', paneFormat];
  const listed = await askOnce({ socket, env }, [listing]);
  return listed.is === 'done' ? workerPanes(listed.output) : undefined;
}

export const show = (id: string): readonly Command[] => [
  ['select-window', '-t', id],
  ['select-pane', '-t', id],
];

/** Everybody who looks at the tmux session sees that pane then; resolves to whether there was one. */
export async function showNext(press: Press): Promise<boolean> {
  const next = nextPane((await listWorkers(press)) ?? [], press.pane);
  return next !== undefined && (await askOnce(press, show(next))).is === 'done';
}
