// Keeps the board of each crew of ours as its workers are.
import type { Disposer } from '../../model/clock.ts';
import { wallTime } from '../../model/clock.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import type { AttentionView } from '../../wire/attention.ts';
import { attentionKey, needDetail, needRemedy } from '../attention/attention.ts';
import { borderStatus } from '../workers/news.ts';
import type { CrewContext } from '../workers/roster.ts';
import { statusOf } from '../workers/view.ts';
import { type BoardNeed, type BoardRow, boardText } from './board-text.ts';

// What changes together is drawn together, and a busy crew costs no more than this.
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

/** Draws at changes only; a drawing that fails is logged and nothing else. */
export function keepBoards(context: BoardKeeper): Disposer {
  /** What each crew's board shows, and for which panes: its tmux session goes with the last of them. */
  const drawn = new Map<string, string>();
  const rungFor = new Set<string>();
  let waiting: Disposer | undefined;
  let drawing = false;
  let missed = false;
  let stopped = false;
  let lastAt = Number.NEGATIVE_INFINITY;
  const want = () => {
    if (drawing) missed = true;
    if (drawing || stopped || waiting !== undefined) return;
    const delayMs = Math.max(gatherMs, lastAt + pauseMs - context.clock.now());
    waiting = context.clock.after(delayMs, () => {
      waiting = undefined;
      void drawAll();
    });
  };
  const drawAll = async () => {
    drawing = true;
    missed = false;
    const crews = crewsOf(context);
    for (const gone of [...drawn.keys()].filter((crew) => !crews.has(crew))) drawn.delete(gone);
    for (const [crew, records] of crews) await drawOne(crew, records).catch(complain);
    drawing = false;
    lastAt = context.clock.now();
    if (missed) want();
  };
  const complain = (error: unknown) => context.logger.write('warn', 'a board could not be drawn', error);
  const drawOne = async (crew: string, records: readonly WorkerRecord[]) => {
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
  const stops = [context.roster.onChange(want), context.log.onEvents(want)];
  want();
  return () => {
    stopped = true;
    for (const stop of stops) stop();
    waiting?.();
  };
}

/** Workers that have not been closed, of every crew in which one in our tmux is ours to tell of. */
function crewsOf(context: BoardKeeper): ReadonlyMap<string, readonly WorkerRecord[]> {
  const there = context.roster.records().filter(({ phase, pane }) => phase !== 'closed' && pane !== undefined);
  const ours = there.filter((record) => record.pane?.socket === context.socket && context.roster.isMine(record));
  const crews = [...new Set(ours.map(({ crew }) => crew))];
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
