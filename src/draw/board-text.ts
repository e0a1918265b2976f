// A crew on one screen for a person: who needs somebody, then everybody, in the rows and columns that there are.
import { oneLine, plain } from '../model/plain-text.ts';
import { type Status, statuses } from '../model/worker.ts';
import { alarm, bare, bold, cell, clipped, columnsIn, dim, type Part, styled, wrapped } from './terminal-text.ts';

export interface BoardNeed {
  readonly title: string;
  readonly detail: string;
  /** What leads a person there, or who helps instead. */
  readonly way: string;
}

export interface BoardWorker {
  readonly name: string;
  /** A tmux colour of the terminal's own, `colour4`. */
  readonly colour: string;
  readonly status: Status;
  /** As on the pane's border. */
  readonly state: string;
  /** A local time of day. */
  readonly since: string;
  readonly detail: string;
  readonly needsSomebody: boolean;
}

/** What a board with a cursor shows of a worker beside. */
export interface CrewRow extends BoardWorker {
  readonly id: string;
  /** Since when it is in its state, epoch ms. */
  readonly at: number;
  readonly needs: readonly BoardNeed[];
  readonly label?: string;
  readonly doing?: string;
  readonly branch?: string;
  /** Other workers, or the base. */
  readonly conflictsWith: readonly string[];
  /** When its running turn began, epoch ms. */
  readonly turnAt?: number;
  /** What it said last; empty where nothing is known. */
  readonly words: string;
  readonly tokens?: string;
  readonly contextLeft?: string;
  readonly model?: string;
}

/** What a board shows. */
export interface BoardFacts<Row extends BoardWorker = BoardWorker> {
  readonly crew: string;
  /** Most pressing first. */
  readonly needs: readonly BoardNeed[];
  /** A line each about tasks and plans. */
  readonly jobs?: readonly string[];
  readonly workers: readonly Row[];
}

/** Where it is shown. */
export interface BoardScreen {
  readonly columns: number;
  readonly rows: number;
  /** How the ways of the needs are used. */
  readonly guide: string;
  readonly foot: string;
}

/** With this begins the line of a plan that waits for a decision. */
export const decisionMark = '  ! ';

export const pausedLine = (since: string): string => `paused since ${since}: no task starts, and nothing lands`;

const mostLinesOfNeed = 3;

/** Lines of at most the screen's columns, and no more of them than its rows. */
export function boardText(board: BoardFacts & BoardScreen): string {
  const { crew, needs, jobs = [], workers, columns, rows, guide, foot } = board;
  const guides = needs.length === 0 || guide === '' ? [] : guideLines(guide, columns);
  const head = styled(columns, [' ', bare], ['crewmux', bold], [` · ${oneLine(crew)} · ${counts(workers)}`, bare]);
  const heading = styled(columns, [`   ${cell('WORKER', 18)} ${cell('STATE', 22)} SINCE`, dim]);
  const free = Math.max(rows - 3 - guides.length, 0);
  const asked = needsIn(needs, { columns, others: workers.length + jobs.length, free });
  const work = jobsIn(jobs, { columns, workers: workers.length, free: free - asked.length });
  const left = free - asked.length - work.length;
  const byNeed = workers.toSorted((a, b) => Number(b.needsSomebody) - Number(a.needsSomebody));
  const table = cutTo(byNeed, left, (more) => `   and ${more.length} more: ${counts(more)}`);
  const everybody = table.map((one) => (typeof one === 'string' ? styled(columns, [one, bare]) : row(one, columns)));
  const spare = left - everybody.length;
  const gap = (at: number) => (spare >= at ? [''] : []);
  const all = [
    head,
    ...gap(1),
    ...asked,
    ...guides,
    ...(needs.length === 0 ? [] : gap(2)),
    ...work,
    ...(work.length === 0 ? [] : gap(4)),
    heading,
    ...everybody,
    ...gap(3),
    styled(columns, [`   ${oneLine(foot)}`, bare]),
  ];
  return all.slice(0, Math.max(rows, 0)).join('\n');
}

/** A command in it stays in one piece. */
const guideLines = (guide: string, columns: number): readonly string[] =>
  wrapped(
    guide.replace(/`[^`]*`/g, (command) => command.replaceAll(' ', '\u00a0')),
    columns - 3,
  ).map((row) => styled(columns, [`   ${row.replaceAll('\u00a0', ' ').trimEnd()}`, dim]));

/** Each need in as many lines as there is room for beside all others; else half of the rows for some of them. */
function needsIn(
  needs: readonly BoardNeed[],
  { columns, others, free }: { readonly columns: number; readonly others: number; readonly free: number },
): readonly string[] {
  for (let most = mostLinesOfNeed; most > 0; most -= 1) {
    const lines = needs.flatMap((need) => needLines(need, { columns, most }));
    if (lines.length + others <= free) return lines;
  }
  const share = Math.max(Math.floor(free / 2), free - others);
  return cutTo(needs, share, (more) => ` and ${more.length} more who need somebody`).flatMap((one) =>
    typeof one === 'string' ? styled(columns, [one, alarm]) : needLines(one, { columns, most: 1 }),
  );
}

/** All of them where there is room beside all workers; else a third of the rows for the first ones. */
function jobsIn(
  jobs: readonly string[],
  { columns, workers, free }: { readonly columns: number; readonly workers: number; readonly free: number },
): readonly string[] {
  const share = Math.max(Math.floor(free / 3), free - workers);
  const shown = cutTo(jobs, share, (more) => `and ${more.length} more of tasks and plans`);
  return shown.map((one) => styled(columns, [`   ${oneLine(one)}`, bare]));
}

/** All of them, or the first with a word for the rest as the last. */
function cutTo<T>(all: readonly T[], most: number, word: (rest: readonly T[]) => string): readonly (T | string)[] {
  if (all.length <= most) return all;
  const kept = Math.max(most - 1, 0);
  return most <= 0 ? [] : [...all.slice(0, kept), word(all.slice(kept))];
}

/** One need in at most so many lines. */
export function needLines(
  { title, detail, way }: BoardNeed,
  { columns, most }: { readonly columns: number; readonly most: number },
): readonly string[] {
  const there = ` · ${oneLine(way)}`;
  // A way that has no room beside the title is left out whole, or has a row of its own.
  const isBeside = columnsIn(there) <= columns / 2 - 3;
  const hasRow = !isBeside && most > 1 && columnsIn(oneLine(way)) <= columns - 5;
  const room = columns - 3 - (isBeside ? columnsIn(there) : 2);
  const named: readonly Part[] = [
    [` ! ${clipped(oneLine(title), room)}`, alarm],
    [isBeside ? there : hasRow ? '' : ' …', bare],
  ];
  if (most === 1) return [styled(columns, ...named, [` · ${oneLine(detail)}`, bare])];
  const all = wrapped(plain(detail), columns - 6).filter((one) => one.trim() !== '');
  const shown = all.slice(0, most - 1 - (hasRow ? 1 : 0));
  const cut = all.length > shown.length ? ' …' : '';
  return [
    styled(columns, ...named, [hasRow && shown.length === 0 ? cut : '', bare]),
    ...(hasRow ? [styled(columns, [`     ${oneLine(way)}`, bare])] : []),
    ...shown.map((one, at) => {
      const end = at === shown.length - 1 ? cut : '';
      return styled(columns, [`     ${clipped(one.trimEnd(), columns - 5 - end.length)}${end}`, bare]);
    }),
  ];
}

function row({ name, colour, status, state, since, detail, needsSomebody }: BoardWorker, columns: number): string {
  const pressing = needsSomebody || status === 'waiting' || status === 'dead';
  return styled(
    columns,
    [pressing ? ' ! ' : '   ', alarm],
    [cell(oneLine(name), 18), coloured(colour)],
    [` ${cell(oneLine(state), 22)}`, pressing ? alarm : status === 'idle' ? dim : bare],
    [` ${since} ${oneLine(detail)}`.trimEnd(), bare],
  );
}

/** `1 idle, 2 working`. */
export function counts(workers: readonly Pick<BoardWorker, 'status'>[]): string {
  const present = statuses.flatMap((status) => {
    const count = workers.filter((one) => one.status === status).length;
    return count === 0 ? [] : [`${count} ${status}`];
  });
  return present.length === 0 ? 'nobody' : present.join(', ');
}

const coloured = (colour: string): ((text: string) => string) => {
  const number = Number(/^colour(\d{1,2})$/.exec(colour)?.[1] ?? 16);
  // A worker of an earlier version may have another.
  if (number > 15) return bold;
  return (text) => `\u001b[1;${number < 8 ? 30 + number : 82 + number}m${text}\u001b[0m`;
};
