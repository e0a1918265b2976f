// What a key on the crew's own tmux server starts.
import { listWorkers, type Press, showNext, type WorkerPane } from '../backends/tmux/next-worker.ts';
import { menuLines, neediestFirst } from '../backends/tmux/worker-menu.ts';
import { cell, clipped, columnsIn } from '../draw/terminal-text.ts';
import { definedOf } from '../model/defined.ts';
import { oneLine } from '../model/plain-text.ts';
import { quoted } from '../model/quote.ts';
import { writeAtomic } from '../system/atomic.ts';

interface KeyWorld {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The words that start this program. */
  readonly program: readonly string[];
  readonly write: (text: string) => unknown;
}

/** Resolves to the exit code; 1 where no worker is there to be shown. */
export async function pressKey(
  [act, socket = '', session = '', pane = '', ...place]: readonly string[],
  world: KeyWorld,
): Promise<number> {
  const press = { socket, env: definedOf(world.env), session, pane };
  if (act === 'next') return (await showNext(press)) ? 0 : 1;
  if (act === 'menu') return writeMenu(press, place, world);
  if (act !== 'list') return 2;
  const lines = linesOf((await listWorkers(press)) ?? [], longestRow);
  world.write(
    lines
      .map(({ id, needsSomebody, text }) => `${needsSomebody ? '!' : ' '} ${id.slice(1).padStart(4)}  ${text}\n`)
      .join(''),
  );
  return lines.length === 0 ? 1 : 0;
}

const longestRow = 76;

/** A line for each worker, those that need somebody first. Pure. */
export function linesOf(panes: readonly WorkerPane[], width: number) {
  const names = Math.min(20, Math.max(0, ...panes.map(({ name }) => columnsIn(oneLine(name)))));
  return neediestFirst(panes).map(({ id, needsSomebody, name, status, annotation }) => {
    const words = [status, annotation].map(oneLine).filter((part) => part !== '');
    return { id, needsSomebody, text: clipped(`${cell(oneLine(name), names)}  ${words.join(' · ')}`, width).trimEnd() };
  });
}

/** The frame, the mark and the letter. */
const columnsBeside = 12;

async function writeMenu(
  press: Press,
  [file = '', width = '', height = '', from = '']: readonly string[],
  { program }: KeyWorld,
): Promise<number> {
  const panes = (await listWorkers(press)) ?? [];
  const columns = Math.max(1, Math.min(longestRow, Number(width) - columnsBeside));
  const again = (next: number) => {
    const words = [...program, 'crew-key', 'menu', press.socket, press.session, press.pane, file, width, height];
    return `${[...words, String(next)].map(quoted).join(' ')} > /dev/null 2>&1 || :`;
  };
  const menu = { entries: linesOf(panes, columns), from: Number(from), height: Number(height), file, again };
  await writeAtomic(file, menuLines(menu));
  return 0;
}
