// Draws the board of each crew: who needs a person and what to do about it, then everybody.
import { type Disposer, wallTime } from '../../model/clock.ts';
import { cell, clipped, oneLine, plain, wrapped } from '../../model/terminal-text.ts';
import { type Status, statuses, type WorkerRecord } from '../../model/worker.ts';
import type { AttentionView } from '../../wire/attention.ts';
import { attentionKey, needDetail, needRemedy } from '../attention/attention.ts';
import { borderStatus } from '../workers/publish.ts';
import type { CrewContext } from '../workers/roster.ts';
import { gather } from '../workers/timing.ts';
import { statusOf } from '../workers/view.ts';

// Changes within `gatherMs` share a drawing; a busy crew gets one every `pauseMs`.
const gatherMs = 40;
const pauseMs = 500;

/** What it takes to keep boards. */
export type BoardKeeper = Pick<CrewContext, 'clock' | 'me' | 'socket'> & {
  readonly logger: Pick<CrewContext['logger'], 'write'>;
  readonly log: Pick<CrewContext['log'], 'onEvents'>;
  readonly needsOf: (record: WorkerRecord) => readonly AttentionView[];
  readonly roster: Pick<CrewContext['roster'], 'isMine' | 'records' | 'turn'> & {
    readonly onChange: (listen: () => void) => Disposer;
  };
  readonly terminal: Pick<CrewContext['terminal'], 'draw'>;
};

/** Draws at changes only; logs a drawing that fails, and goes on. */
export function keepBoards(context: BoardKeeper): Disposer {
  /** The content of each crew's board, with its panes: its tmux session goes with the last of them. */
  const drawn = new Map<string, string>();
  const rungFor = new Set<string>();
  const draw = async (crew: string, records: readonly WorkerRecord[]) => {
    const needs = records.flatMap((record) => context.needsOf(record));
    const keys = needs.map(attentionKey);
    const bell = keys.some((key) => !rungFor.has(key));
    for (const key of keys) rungFor.add(key);
    const rows = records.map((record) => rowOf(context, record));
    const text = boardText({ crew, needs: needs.map(needOf), rows });
    const shown = [...records.map(({ pane }) => pane?.paneId), text].join('\n');
    if (drawn.get(crew) === shown) return;
    drawn.set(crew, shown);
    const drawnAt = `   drawn ${wallTime(context.clock.now())} by crewmux, process ${context.me.pid}`;
    await context.terminal.draw(crew, { text: `${text}\n${drawnAt} · C-b n next window · C-b d leaves`, bell });
  };
  const onTrouble = (error: unknown) => context.logger.write('warn', 'a board could not be drawn', error);
  const options = { clock: context.clock, gatherMs, restMs: () => pauseMs, onTrouble };
  const drawings = gather(options, async () => {
    const crews = crewsOf(context);
    for (const gone of [...drawn.keys()].filter((crew) => !crews.has(crew))) drawn.delete(gone);
    for (const [crew, records] of crews) await draw(crew, records).catch(onTrouble);
  });
  const stops = [context.roster.onChange(drawings.request), context.log.onEvents(drawings.request), drawings.stop];
  drawings.request();
  return () => {
    for (const stop of stops) stop();
  };
}

/** Workers that are not closed, of every crew in which this server manages one in its own tmux. */
function crewsOf(context: BoardKeeper): ReadonlyMap<string, readonly WorkerRecord[]> {
  const there = context.roster.records().filter(({ phase, pane }) => phase !== 'closed' && pane !== undefined);
  const own = there.filter((record) => record.pane?.socket === context.socket && context.roster.isMine(record));
  const crews = [...new Set(own.map(({ crew }) => crew))];
  return new Map(crews.map((crew) => [crew, there.filter((record) => record.crew === crew)]));
}

function rowOf(context: BoardKeeper, record: WorkerRecord): BoardRow {
  const turn = context.roster.turn(record.id);
  const status = statusOf(record, turn);
  return {
    name: record.name,
    colour: record.colour,
    status,
    state: turn === undefined || status === 'dead' ? status : borderStatus(turn),
    since: wallTime((status === 'dead' ? record.endedAt : turn?.since) ?? record.createdAt),
    detail: [record.bead, record.annotation, record.branch].filter((part) => part !== undefined).join(' · '),
  };
}

const needOf = (need: AttentionView): BoardNeed => ({
  title: need.title,
  since: wallTime(Date.parse(need.since)),
  detail: needDetail(need),
  remedy: needRemedy(need),
});

export interface BoardRow {
  readonly name: string;
  /** A tmux colour, `colour39`. */
  readonly colour: string;
  readonly status: Status;
  /** As on the pane's border. */
  readonly state: string;
  /** A local time of day. */
  readonly since: string;
  readonly detail: string;
}

interface BoardNeed {
  readonly title: string;
  readonly since: string;
  readonly detail: string;
  readonly remedy: string;
}

interface BoardFacts {
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
