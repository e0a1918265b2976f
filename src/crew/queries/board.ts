// Draws the board of each crew: who needs a person and what to do about it, then everybody.
import type { BoardPlace } from '../../backends/terminal.ts';
import {
  type BoardFacts,
  type BoardNeed,
  type BoardWorker,
  boardText,
  type CrewRow,
  decisionMark,
} from '../../draw/board-text.ts';
import { type Disposer, wallTime } from '../../model/clock.ts';
import { defined } from '../../model/defined.ts';
import { quote } from '../../model/quote.ts';
import { type Alarm, alarmTitle, type PaneRecord, standingProgress, type WorkerRecord } from '../../model/worker.ts';
import { gather } from '../../system/pace.ts';
import { type AttentionView, attentionKey, needForPerson } from '../../wire/attention.ts';
import { percent, tokensOf, type UsageView, usageWords } from '../../wire/usage.ts';
import { doingWords } from '../../wire/worker.ts';
import { type CrewContext, visibleTo } from '../workers/crew-context.ts';
import { borderStatus } from '../workers/publish.ts';
import { standingAlarm } from '../workers/reports.ts';
import { doingNow, sinceOf, statusOf } from '../workers/view.ts';
import { fullWindow, usageSeen } from './usage.ts';

// Changes within `gatherMs` share a drawing; a busy crew gets one every `pauseMs`.
const gatherMs = 40;
const pauseMs = 500;

interface BoardSource {
  readonly needsOf: (record: WorkerRecord) => readonly AttentionView[];
  readonly usageOf?: (record: WorkerRecord) => UsageView | undefined;
  readonly roster: Pick<CrewContext['roster'], 'turn'>;
}

/** Lines about tasks and plans for the board of each crew; only in memory. */
export interface BoardLines {
  readonly of: (crew: string) => readonly string[];
  /** In place of the ones before. */
  readonly post: (crew: string, lines: readonly string[]) => void;
  readonly onPost: (listen: () => void) => Disposer;
}

export function boardLines(): BoardLines {
  const posted = new Map<string, readonly string[]>();
  const listeners = new Set<() => void>();
  return {
    of: (crew) => posted.get(crew) ?? [],
    post(crew, lines) {
      if (lines.length === 0) posted.delete(crew);
      else posted.set(crew, [...lines]);
      for (const listen of [...listeners]) listen();
    },
    onPost(listen) {
      listeners.add(listen);
      return () => listeners.delete(listen);
    },
  };
}

/** What it takes to keep boards. */
export type BoardKeeper = BoardSource &
  Pick<CrewContext, 'clock' | 'me'> & {
    readonly tmux: Pick<CrewContext['tmux'], 'socket'>;
    readonly logger: Pick<CrewContext['logger'], 'write'>;
    readonly log: Pick<CrewContext['log'], 'onEvents'>;
    readonly roster: Pick<CrewContext['roster'], 'attach' | 'isMine' | 'records'> & {
      readonly onChange: (listen: () => void) => Disposer;
    };
    readonly terminal: Pick<CrewContext['terminal'], 'draw' | 'watch'>;
    readonly lines: Pick<BoardLines, 'of' | 'onPost'>;
  };

/** Draws at changes only; logs a drawing that fails, and goes on. */
export function keepBoards(context: BoardKeeper): Disposer {
  /** The content of each crew's board, with its panes: its tmux session goes with the last of them. */
  const drawn = new Map<string, string>();
  const rungFor = new Set<string>();
  const draw = async (crew: string, records: readonly WorkerRecord[]) => {
    const keys = records.flatMap((record) => [
      ...context.needsOf(record).map(attentionKey),
      ...alarmOf(context, record).map(({ at }) => `${record.id} ${at}`),
    ]);
    // A plan that waits for a decision, by the words of it.
    keys.push(...context.lines.of(crew).filter((line) => line.startsWith(decisionMark)));
    const bell = keys.some((key) => !rungFor.has(key));
    const jobs = context.lines.of(crew);
    const content = boardFacts(context, { crew, records, jobs, wayTo: () => '' });
    const shown = JSON.stringify([records.map(({ pane }) => pane?.paneId), content]);
    if (drawn.get(crew) === shown) return;
    drawn.set(crew, shown);
    const foot = `drawn ${wallTime(context.clock.now())} by crewmux, process ${context.me.pid}`;
    await context.terminal.draw(crew, {
      text: (place) =>
        boardText({
          ...boardFacts(context, {
            crew,
            records,
            jobs,
            wayTo: ({ pane }) => (pane && wayIn(context, place, pane)) ?? '',
          }),
          columns: place.columns,
          rows: place.rows,
          guide: guideAt(place),
          foot: `${foot}; ${waysAt(place)}`,
        }),
      bell,
    });
    for (const key of keys) rungFor.add(key);
  };
  const onTrouble = (error: unknown) => context.logger.write('warn', 'a board could not be drawn', error);
  const options = { clock: context.clock, gatherMs, restMs: () => pauseMs, onTrouble };
  const drawings = gather(options, async () => {
    const crews = crewsOf(context);
    for (const gone of [...drawn.keys()].filter((crew) => !crews.has(crew))) drawn.delete(gone);
    for (const [crew, records] of crews) await draw(crew, records).catch(onTrouble);
  });
  const onResize = () => {
    drawn.clear();
    drawings.request();
  };
  const stops = [
    context.roster.onChange(drawings.request),
    context.log.onEvents(drawings.request),
    context.lines.onPost(drawings.request),
    context.terminal.watch(({ kind }) => kind === 'board-resized' && onResize()),
    drawings.stop,
  ];
  drawings.request();
  return () => {
    for (const stop of stops) stop();
  };
}

const guideAt = ({ back, acts }: BoardPlace): string =>
  `The keys lead to the pane, ${back} leads back; ${acts.get('answer') ?? '`crewmux answer`'} answers.`;

const waysAt = ({ acts }: BoardPlace): string => {
  const help = acts.get('help');
  return `${acts.get('board') ?? '`crewmux board`'} has keys${help === undefined ? '' : `, ${help} lists all`}`;
};

/** Workers that are not closed, of every crew in which this server manages one in its own tmux. */
function crewsOf(context: BoardKeeper): ReadonlyMap<string, readonly WorkerRecord[]> {
  const there = context.roster.records().filter(({ phase, pane }) => phase !== 'closed' && pane !== undefined);
  const own = there.filter((record) => record.pane?.socket === context.tmux.socket && context.roster.isMine(record));
  const crews = [...new Set(own.map(({ crew }) => crew))];
  return new Map(crews.map((crew) => [crew, there.filter((record) => record.crew === crew)]));
}

/** Shows a crew now and at each change; `look` finds what only a new look shows, after each event of a server. */
export function watchCrew(
  context: CrewContext,
  {
    needsOf,
    look,
    onWord,
    show,
  }: {
    readonly needsOf: BoardSource['needsOf'];
    readonly look: () => Promise<void>;
    /** Calls back when a server has told more of a worker. */
    readonly onWord: (listen: () => void) => Disposer;
    readonly show: (facts: BoardFacts<CrewRow>) => void;
  },
): Disposer {
  const onTrouble = (error: unknown) => context.logger.write('warn', 'a crew could not be shown', error);
  const options = { clock: context.clock, gatherMs, restMs: () => pauseMs, onTrouble };
  const showings = gather(options, async () => {
    const records = visibleTo(context).filter(({ phase }) => phase !== 'closed');
    const crew = [...new Set(records.map((record) => record.crew))].join(', ');
    const wayTo = ({ name }: WorkerRecord) => `crewmux attach ${quote(name)}`;
    const usageOf = (record: WorkerRecord) => usageSeen(context, record);
    const of = { crew, records, wayTo };
    show(
      factsWith({ roster: context.roster, needsOf, usageOf }, of, (record, needs) => moreOf(context, record, needs)),
    );
  });
  const looks = gather(options, async () => {
    await look();
    showings.request();
  });
  showings.request();
  const stops = [
    context.roster.onChange(showings.request),
    context.log.onEvents(looks.request),
    onWord(looks.request),
    showings.stop,
    looks.stop,
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

const wayIn = (context: BoardKeeper, { keys }: BoardPlace, pane: PaneRecord): string =>
  (pane.socket === context.tmux.socket ? keys.get(pane.paneId) : undefined) ?? context.roster.attach(pane);

interface Shown {
  readonly crew: string;
  readonly records: readonly WorkerRecord[];
  readonly jobs?: readonly string[];
  readonly wayTo: (record: WorkerRecord) => string;
}

/** What a person is shown of a crew; `wayTo` says how they get to a worker. */
export const boardFacts = (context: BoardSource, of: Shown): BoardFacts => factsWith(context, of, () => ({}));

function factsWith<More>(
  context: BoardSource,
  of: Shown,
  more: (record: WorkerRecord, needs: readonly BoardNeed[]) => More,
): BoardFacts<BoardWorker & More> {
  const each = of.records.map((record) => {
    const alarms = alarmOf(context, record).map((alarm) => ({
      title: alarmTitle(record.name, alarm),
      detail: alarm.message,
      way: of.wayTo(record),
    }));
    const needs = context.needsOf(record).map((need) => needForPerson(need, of.wayTo(record)));
    return { record, alarms, needs };
  });
  return {
    crew: of.crew,
    jobs: of.jobs ?? [],
    needs: [...each.flatMap(({ alarms }) => alarms), ...each.flatMap(({ needs }) => needs)],
    workers: each.map(({ record, alarms, needs }) => ({
      ...workerRow(context, record),
      needsSomebody: alarms.length + needs.length > 0,
      ...more(record, [...alarms, ...needs]),
    })),
  };
}

/** From memory alone: a board is drawn often. */
function moreOf(
  context: CrewContext,
  record: WorkerRecord,
  needs: readonly BoardNeed[],
): Omit<CrewRow, keyof BoardWorker> {
  const turn = context.roster.turn(record.id);
  const following = context.roster.following(record.id);
  const doing = doingNow(record, turn);
  const usage = usageSeen(context, record);
  const { startedAt, endedAt } = turn?.turn ?? {};
  return {
    id: record.id,
    at: sinceOf(record, turn),
    needs,
    conflictsWith: following?.word?.conflictsWith ?? [],
    words: following?.conversation.totals.lastAssistantText ?? '',
    ...defined({
      label: record.annotation ?? record.bead,
      doing: doing && doingWords(doing),
      branch: record.branch,
      turnAt: endedAt === undefined ? startedAt : undefined,
      tokens: usage && tokensOf(usage),
      contextLeft: usage?.context_left === undefined ? undefined : percent(usage.context_left),
      model: record.model,
    }),
  };
}

/** At most one. */
const alarmOf = ({ roster }: BoardSource, record: WorkerRecord): readonly Alarm[] =>
  [standingAlarm(record, roster.turn(record.id))].filter((alarm) => alarm !== undefined);

const withPercent = (state: string, percent: number | undefined): string =>
  percent === undefined ? state : `${state} ${Math.round(percent)}%`;

function workerRow(context: BoardSource, record: WorkerRecord): Omit<BoardWorker, 'needsSomebody'> {
  const turn = context.roster.turn(record.id);
  const status = statusOf(record, turn);
  const doing = doingNow(record, turn);
  const said = doing && doingWords(doing);
  const usage = context.usageOf?.(record);
  return {
    name: record.name,
    colour: record.colour,
    status,
    state: withPercent(
      turn === undefined || status === 'dead' ? status : borderStatus(turn),
      standingProgress(record, turn?.turn?.startedAt),
    ),
    since: wallTime(sinceOf(record, turn)),
    detail: [fullWindow(usage), said, record.bead, record.annotation, record.branch, usage && usageWords(usage)]
      .filter((part) => part !== undefined)
      .join(' · '),
  };
}
