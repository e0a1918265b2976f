// What the board of a crew says: who needs someone and what to do about it, then everybody.
import { cell, clipped, oneLine, plain, wrapped } from '../../model/terminal-text.ts';
import type { Status } from '../../model/worker.ts';
import { statuses } from '../../model/worker.ts';

export interface BoardRow {
  readonly name: string;
  /** A tmux colour, `colour39`. */
  readonly colour: string;
  readonly status: Status;
  /** What it says on the pane's border too. */
  readonly state: string;
  /** A time on the wall. */
  readonly since: string;
  readonly detail: string;
}

export interface BoardNeed {
  readonly title: string;
  readonly since: string;
  readonly detail: string;
  readonly remedy: string;
}

export interface BoardFacts {
  readonly crew: string;
  readonly needs: readonly BoardNeed[];
  readonly rows: readonly BoardRow[];
}

const width = 100;
const detailRows = 6;
const mostNeeds = 8;

const bold = (text: string): string => `\u001b[1m${text}\u001b[0m`;
const dim = (text: string): string => `\u001b[2m${text}\u001b[0m`;
const alarm = (text: string): string => `\u001b[1;31m${text}\u001b[0m`;

/** The whole screen; a lower one shows the head of it. */
export function boardText({ crew, needs, rows }: BoardFacts): string {
  const more = needs.length - mostNeeds;
  return [
    ` ${bold('crewmux')} · ${oneLine(crew)} · ${counts(rows)}`,
    '',
    ...needs.slice(0, mostNeeds).flatMap(needLines),
    ...(more > 0 ? [alarm(` and ${more} more who need someone`), ''] : []),
    dim(`   ${cell('WORKER', 18)} ${cell('STATE', 22)} ${cell('SINCE', 8)} `),
    ...rows.map(rowLine),
    '',
  ].join('\n');
}

function counts(rows: readonly BoardRow[]): string {
  const present = statuses.flatMap((status) => {
    const count = rows.filter((row) => row.status === status).length;
    return count === 0 ? [] : [`${count} ${status}`];
  });
  return present.length === 0 ? 'nobody' : present.join(', ');
}

function needLines({ title, since, detail, remedy }: BoardNeed): readonly string[] {
  const all = wrapped(plain(detail).trim(), width - 6);
  const shown = all.length <= detailRows ? all : [...all.slice(0, detailRows - 1), '…'];
  return [
    `${alarm(` ! ${clipped(oneLine(title), width - 20)}`)} · since ${since}`,
    ...shown.map((line) => `     ${line}`),
    ...wrapped(oneLine(remedy), width - 6).map((line) => dim(`     ${line}`)),
    '',
  ];
}

function rowLine({ name, colour, status, state, since, detail }: BoardRow): string {
  const isPressing = status === 'waiting' || status === 'dead';
  const shown = cell(oneLine(state), 22);
  return [
    ` ${isPressing ? alarm('!') : ' '} ${coloured(colour, cell(oneLine(name), 18))}`,
    isPressing ? alarm(shown) : status === 'idle' ? dim(shown) : shown,
    since,
    clipped(oneLine(detail), width - 54),
  ].join(' ');
}

function coloured(colour: string, text: string): string {
  const number = /^colour(\d{1,3})$/.exec(colour)?.[1];
  return number === undefined ? bold(text) : `\u001b[1;38;5;${number}m${text}\u001b[0m`;
}
