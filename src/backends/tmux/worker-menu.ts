// `w` on the crew's own tmux server: a menu of the workers. Pure.
import { quoted } from '../../model/quote.ts';
import { type Command, listLine } from './command.ts';
import { show, type WorkerPane } from './next-worker.ts';

/** Those that need somebody first, else as they stand. */
export const neediestFirst = <P extends Pick<WorkerPane, 'needsSomebody'>>(panes: readonly P[]): readonly P[] =>
  [true, false].flatMap((needs) => panes.filter(({ needsSomebody }) => needsSomebody === needs));

export interface WorkerMenu {
  /** In the order of the menu. */
  readonly entries: readonly (Pick<WorkerPane, 'id' | 'needsSomebody'> & { readonly text: string })[];
  readonly from: number;
  /** Rows of the terminal. */
  readonly height: number;
  /** The file that holds the menu until tmux has read it. */
  readonly file: string;
  /** The line of a POSIX shell that writes the menu from that entry on. */
  readonly again: (from: number) => string;
}

// tmux itself moves by j, k, g and G, and ends the menu at q.
const letters = [...'abcdefhilmnoprstuvwxyzABCDEFHIJKLMNOPQRSTUVWXYZ123456789'];
/** The edges, the border of a pane and the status line. */
const rowsBeside = 4;

/** The lines of the file; the menu is no higher than the terminal, for tmux would not open it then. */
export function menuLines({ entries, from, height, file, again }: WorkerMenu): string {
  const room = Math.max(2, Math.min(height - rowsBeside, letters.length));
  const isLast = entries.length - from <= room;
  const shown = entries.slice(from, isLast ? undefined : from + room - 1);
  const left = entries.length - from - shown.length;
  const rows = shown.map(({ id, needsSomebody, text }, at) => [
    `${needsSomebody ? '#[fg=red,bold]!#[default]' : ' '} ${literal(text)}`,
    letters[at] ?? '',
    listLine(show(id)),
  ]);
  const next: readonly Command[] = [
    ['run-shell', literal(again(from + shown.length))],
    ['source-file', '-q', file],
  ];
  const more = isLast ? [] : ['', `  ${left} more`, '0', literal(listLine(next))];
  const menu: Command = ['display-menu', '-T', ' workers ', '-x', 'C', '-y', 'C', ...rows.flat(), ...more];
  const removal: Command = ['run-shell', '-b', literal(`rm -f -- ${quoted(file)}`)];
  const none: Command = ['display-message', 'No worker is here.'];
  return `${listLine([removal])}\n${listLine([entries.length === 0 ? none : menu])}\n`;
}

/** As tmux shows it where it expands formats. */
const literal = (text: string): string => text.replaceAll('#', '##');
