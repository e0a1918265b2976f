// The crew at a glance: the workers by state, who needs somebody, and the next calls to make.
import { defined } from '../../model/defined.ts';
import type { CrewEvent } from '../../model/event.ts';
import type { Status, WorkerRecord } from '../../model/worker.ts';
import type { AttentionView } from '../../wire/attention.ts';
import type { EventView } from '../../wire/events.ts';
import type { Foreseen } from '../../wire/landing.ts';
import type { WordView } from '../../wire/reports.ts';
import type { CrewStatus } from '../../wire/status.ts';
import { usageView } from '../../wire/usage.ts';
import { doingWords, type WorkerView } from '../../wire/worker.ts';
import { type AlreadyShown, idleKey } from '../attention/already-shown.ts';
import { goOnSuggestions } from '../attention/answer-calls.ts';
import { attentionFor } from '../attention/attention.ts';
import { attentionOrStuck } from '../attention/stuck.ts';
import { slotViews } from '../lifecycle/slots.ts';
import { type CrewContext, visibleTo } from '../workers/crew-context.ts';
import { escapesOf } from '../workers/escapes.ts';
import { alarmWord, newestReports, wordOf } from '../workers/reports.ts';
import { isIdle } from '../workers/view.ts';
import { eventView, shownEvents } from './changes.ts';
import { fullWindow, usageOfAll, usageSeen } from './usage.ts';

/** Failures older than these are not looked for. */
const latestEvents = 500;
const recentEvents = 10;
const recentReports = 5;
const reportBytes = 64 * 1024;
const failureTypes = new Set<string>(['worker_dead', 'message_held', 'bounced', 'task_bounced']);
const failedForMs = 3_600_000;
/** The lists of workers beside the events show what these have come to. */
const routine = new Set<string>([
  'worker_spawning',
  'worker_started',
  'worker_ready',
  'worker_active',
  'worker_idle',
  'turn_started',
]);
const isNews = ({ type, data }: CrewEvent): boolean =>
  !routine.has(type) && !(type === 'turn_ended' && data.ended_by === 'completed');
const isFailure = ({ type, data, at }: CrewEvent, now: number): boolean =>
  now - at < failedForMs && (failureTypes.has(type) || (type === 'task_ended' && data.state === 'failed'));

export async function crewStatus(context: CrewContext, conflicts: readonly Foreseen[]): Promise<CrewStatus> {
  const records = visibleTo(context).filter((record) => record.phase !== 'closed');
  const views = records.map((record) => context.roster.view(record));
  const attention = records.flatMap((record) => attentionOrStuck(context, record));
  const ids = new Set(records.map((record) => record.id));
  const latest = await context.log.since(Math.max(0, context.log.lastSeq - latestEvents));
  const own = latest.filter((event) => ids.has(event.workerId));
  const events = await shownEvents(context, latest, records);
  const now = context.clock.now();
  const nearlyFull = (id: string) => fullWindow(usageSeen(context, context.roster.record(id)));
  const inStatus = (status: Status) => views.filter((view) => view.status === status);
  const reports = (await newestReports(context, records, reportBytes)).map(wordOf);
  const alarms = records.flatMap((record) => alarmWord(record, context.roster.turn(record.id)) ?? []);
  const usage = usageOfAll(context, records);
  const pane = records.find((record) => record.pane !== undefined)?.pane;
  return {
    workers: mapStatuses((status) =>
      inStatus(status).map((view) => ({
        session_id: view.session_id,
        name: view.name,
        detail: memberWords(view, nearlyFull(view.session_id)),
        ...defined({ progress: view.progress }),
      })),
    ),
    counts: mapStatuses((status) => inStatus(status).length),
    slots: slotViews(context),
    attention,
    recent: own.filter(isNews).slice(-recentEvents).map(eventView(context)).map(withoutEvidence),
    reports: [...alarms, ...reports.filter((one) => !alarms.some(isSameWord(one))).slice(0, recentReports)],
    conflicts,
    escapes: await escapesOf(context, records),
    failures: events
      .filter((event) => isFailure(event, now))
      .slice(-recentEvents)
      .map(eventView(context)),
    ...defined({ usage: usage && usageView(usage) }),
    suggested_calls: suggestions(attention, {
      alarms,
      working: inStatus('working').map((view) => view.name),
      idle: inStatus('idle').map((view) => view.name),
    }),
    attach: pane === undefined ? null : context.roster.attach(pane),
  };
}

/** What it does, and that its context window is nearly full. Pure. */
export const memberWords = (
  { doing, evidence }: Pick<WorkerView, 'doing' | 'evidence'>,
  full: string | undefined,
): string => [doing === undefined ? evidence.detail : doingWords(doing), full].filter((part) => part).join(' · ');

/** The workers beside it have the evidence of what holds now. */
const withoutEvidence = ({ data: { evidence: _, ...data }, ...event }: EventView): EventView => ({ ...event, data });

/** Of workers of this server, as of now. */
export interface Needs {
  readonly attention: readonly AttentionView[];
  readonly alarms: readonly WordView[];
  /** Once all workers without a task rest: those whose last turn has ended unseen. */
  readonly rested: readonly { readonly name: string; readonly key: string }[];
  /** Those that another manager has adopted from this one, and still has. */
  readonly taken: readonly { readonly name: string; readonly by: number; readonly key: string }[];
}

export function needsNow(context: CrewContext, alreadyShown: Pick<AlreadyShown, 'has'>): Needs {
  const mine = context.roster.records().filter((record) => context.roster.isMine(record) && record.phase !== 'closed');
  return {
    attention: mine.flatMap((record) => attentionFor(context, record)),
    alarms: mine.flatMap((record) => alarmWord(record, context.roster.turn(record.id)) ?? []),
    taken: takenFrom(context),
    rested: restedOf(context, mine).filter(({ key }) => !alreadyShown.has(key)),
  };
}

const takenFrom = ({ roster }: CrewContext): Needs['taken'] =>
  [...roster.takenAway].flatMap(([id, at]) => {
    const record = roster.record(id);
    const { name, manager } = record;
    return roster.isMine(record) ? [] : [{ name, by: manager.pid, key: `${id} taken ${at}` }];
  });

function restedOf({ roster }: CrewContext, mine: readonly WorkerRecord[]): Needs['rested'] {
  const led = mine.filter((record) => record.task === undefined && roster.lives(record));
  if (!led.every((record) => isIdle(record, roster.turn(record.id)))) return [];
  return led.flatMap(({ id, name }) => {
    const turn = roster.turn(id)?.turn;
    return turn?.endedAt === undefined ? [] : [{ name, key: idleKey(id, turn.number) }];
  });
}

const mapStatuses = <T>(value: (status: Status) => T): Record<Status, T> => ({
  starting: value('starting'),
  idle: value('idle'),
  working: value('working'),
  waiting: value('waiting'),
  unknown: value('unknown'),
  dead: value('dead'),
  closed: value('closed'),
});

const isSameWord =
  (one: WordView) =>
  ({ session_id, at }: WordView): boolean =>
    session_id === one.session_id && at === one.at;

/** Pure: the next calls worth making, most pressing first. */
export function suggestions(
  attention: readonly AttentionView[],
  workers: {
    readonly alarms?: readonly WordView[];
    readonly working: readonly string[];
    readonly idle: readonly string[];
  },
): readonly string[] {
  const isLimited = ({ waiting_for, options, request_id }: AttentionView) =>
    waiting_for === 'limit' && options === undefined && request_id === undefined;
  const names = [...new Set(attention.filter((need) => !isLimited(need)).map(({ name }) => name))];
  const limits = goOnSuggestions(attention.filter(isLimited));
  const calls = [
    ...(workers.alarms ?? []).map(alarmCall),
    ...(names.length > 0 ? [`answer_with of ${names.join(', ')} in attention`] : []),
    ...limits,
  ];
  if (workers.working.length > 0) calls.push(`wait_idle_workers ${JSON.stringify({ session_ids: workers.working })}`);
  for (const name of workers.idle.slice(0, 3)) calls.push(`read_worker_logs ${JSON.stringify({ session_id: name })}`);
  if (calls.length === 0) calls.push('spawn_workers to begin');
  return calls;
}

const alarmCall = ({ session_id, name, kind }: WordView): string =>
  `${name} reports ${kind}: read_reports ${JSON.stringify({ worker: session_id })}; message_workers answers it`;
