// Writes what a change of a worker means: events in the log, and the status on the border of its pane.
import type { Disposer } from '../../model/clock.ts';
import { defined } from '../../model/defined.ts';
import type { CrewEvent, EventDraft } from '../../model/event.ts';
import { type Signal, waitingKinds } from '../../model/turn.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { type AgentRequest, openOf } from '../../turn/agent-request.ts';
import { seenState, type TurnState } from '../../turn/reduce-turn.ts';
import { questionLine, type WorkerQuestion } from '../../turn/worker-question.ts';
import { type CrewContext, paneRef } from './crew-context.ts';
import { failureSet, lostTurnLate } from './failures.ts';
import type { WorkerChange } from './roster.ts';
import { turnSet } from './turn-set.ts';
import { limitView } from './view.ts';

export interface Publisher {
  /** Resolves when the events of every change so far are on disk, or the disk refused them. */
  settled(): Promise<void>;
  close(): void;
}

/** Publishes in the order of the changes; only for workers of this server. */
export function publishChanges(context: CrewContext): Publisher {
  let last: Promise<unknown> = Promise.resolve();
  const stop: Disposer = context.roster.onChange((change) => {
    const record = context.log.records().get(change.workerId);
    if (record === undefined || !context.roster.isMine(record) || context.roster.closing.has(record.id)) return;
    const states = stateDrafts(change, context.roster.present(record));
    const drafts = [...movedDraft(change, record), ...sandboxDraft(change, record), ...states];
    // The log keeps the order of its appends: what is appended here comes before any later append.
    if (drafts.length > 0) last = Promise.all([last, append(context, drafts)]);
    if (change.before.is !== change.after.is || change.before.waitingFor !== change.after.waitingFor) {
      void showOnPane(context, record, borderStatus(change.after));
    }
  });
  return { settled: () => last.then(() => undefined), close: stop };
}

/** A conversation that the agent began itself is the one to resume later. */
function movedDraft({ signal }: WorkerChange, record: WorkerRecord): readonly EventDraft[] {
  const moved = conversationIn(signal);
  if (moved === undefined) return [];
  const { agentSessionId, transcriptPath = record.launch.transcriptPath, reason } = moved;
  const { launch } = record;
  if (agentSessionId === launch.agentSessionId && transcriptPath === launch.transcriptPath) return [];
  const data = { agent_session_id: agentSessionId, reason };
  return [
    { type: 'worker_ready', workerId: record.id, data, set: { launch: { ...launch, agentSessionId, transcriptPath } } },
  ];
}

/** A sandbox that broke, and one that does not keep a command from git's folder. Pure. */
export function sandboxDraft(
  { signal }: Pick<WorkerChange, 'signal'>,
  { id, launch }: WorkerRecord,
): readonly EventDraft[] {
  if (signal.from === 'transcript' && signal.kind === 'activity' && signal.sandboxBroke !== undefined) {
    const { count, lastAt } = launch.sandboxBroke ?? { count: 0, lastAt: 0 };
    // A server that starts reads what another one has counted.
    if (signal.at <= lastAt) return [];
    const set = { launch: { ...launch, sandboxBroke: { count: count + 1, lastAt: signal.at } } };
    return [{ type: 'sandbox_failed', workerId: id, data: { detail: signal.sandboxBroke }, set }];
  }
  if (signal.from !== 'hook' || signal.kind !== 'unwalled') return [];
  const detail = `git's folder is not guarded: the agent starts bubblewrap in a new way: ${signal.reason}`;
  const { holes = [] } = launch;
  if (holes.includes(detail)) return [];
  const set = { launch: { ...launch, sandbox: 'partial' as const, holes: [...holes, detail], writesRefs: true } };
  return [{ type: 'sandbox_failed', workerId: id, data: { detail }, set }];
}

function conversationIn(signal: Signal) {
  if (signal.from === 'hook' && signal.kind === 'ready') return signal;
  return signal.from === 'pane' && signal.kind === 'conversation' ? { ...signal, reason: 'seen' } : undefined;
}

const stateDrafts = (change: WorkerChange, record: WorkerRecord): readonly EventDraft[] =>
  draftsOf([...eventsOfChange(change.before, change.after), ...lostTurnLate(change)], change.after, {
    record,
    died: failureSet(change, record),
  });

/** With what they change of its record, which names the conversation of now. */
export function draftsOf(
  events: readonly StateEvent[],
  after: TurnState,
  { record, died = {} }: { readonly record: WorkerRecord; readonly died?: EventDraft['set'] },
): readonly EventDraft[] {
  const { at, detail } = after.evidence;
  return events.map((event) => ({
    ...event,
    workerId: record.id,
    ...(event.type === 'turn_started' ? turnSet(record, after.turn?.number ?? 0) : {}),
    ...(event.type === 'worker_dead' ? { set: { phase: 'dead', endedAt: at, endDetail: detail, ...died } } : {}),
  }));
}

async function append(context: CrewContext, drafts: readonly EventDraft[]): Promise<void> {
  try {
    await context.log.appendOwn(drafts);
  } catch (error) {
    context.logger.write('error', `events could not be written: ${drafts.map((draft) => draft.type).join(' ')}`, error);
  }
}

/** Logs a failure and goes on: no act depends on the border. */
export async function showOnPane(context: CrewContext, record: WorkerRecord, status: string): Promise<void> {
  if (record.pane === undefined) return;
  try {
    await context.terminal.label(paneRef(record.pane), labelOf(record, status));
  } catch (error) {
    context.logger.write('warn', 'a pane could not be labelled', error);
  }
}

export const labelOf = (record: Pick<WorkerRecord, 'name' | 'annotation' | 'bead' | 'colour'>, status: string) => ({
  name: record.name,
  annotation: [record.bead, record.annotation].filter((part) => part !== undefined).join(' '),
  status,
  colour: record.colour,
  alarm: status === 'dead' || status.startsWith('waiting'),
});

/** The status of a worker as its pane's border shows it. */
export function borderStatus(state: TurnState): string {
  if (state.is === 'waiting') return `waiting: ${(state.waitingFor ?? 'dialog').replace('_', ' ')}`;
  return state.is === 'gone' ? 'dead' : state.is;
}

type StateEvent = Pick<EventDraft, 'type' | 'data'>;

/** The events of one change; none where it changed nothing that a reader of the log acts on. Pure. */
export const eventsOfChange = (before: TurnState, after: TurnState): readonly StateEvent[] => [
  ...readyEvents(before, after),
  ...turnEvents(before, after),
  ...requestEvents(before, after),
  ...questionEvents(before, after),
  ...statusEvents(before, after),
  ...troubleEvents(before, after),
  ...returnedEvents(before, after),
  ...limitEvents(before, after),
];

const statusOfEvent = { worker_idle: 'idle', worker_active: 'working', worker_waiting: 'waiting' } as const;
const hasStatus = (type: string): type is keyof typeof statusOfEvent => Object.hasOwn(statusOfEvent, type);

/** What the log lacks of a worker that no server saw for a time, oldest first in the log. Pure. */
export function missedEvents(
  after: TurnState,
  logged: readonly Pick<CrewEvent, 'type' | 'data'>[],
): readonly StateEvent[] {
  const launch = logged.slice(logged.findLastIndex(({ type }) => isStart.has(type)) + 1);
  const turnIn = (wanted: string) => Number(launch.findLast(({ type }) => type === wanted)?.data.turn ?? 0);
  const [number, endedNumber] = [turnIn('turn_started'), turnIn('turn_ended')];
  const startedAt = after.turn?.startedAt ?? 0;
  const endedAt = number === endedNumber ? startedAt : undefined;
  const last = launch.findLast(({ type }) => hasStatus(type));
  const before: TurnState = {
    ...after,
    ...(last !== undefined && hasStatus(last.type)
      ? { is: statusOfEvent[last.type], waitingFor: waitingKinds.find((kind) => kind === last.data.waiting_for) }
      : { is: 'starting', waitingFor: undefined }),
    turn: number === 0 ? undefined : { number, startedAt, endedAt, endedBy: undefined },
  };
  return [...turnEvents(before, after), ...statusEvents(before, after)];
}

const isStart = new Set<string>(['worker_started', 'worker_restarted']);

function readyEvents(before: TurnState, after: TurnState): readonly StateEvent[] {
  const isNew = before.facts.readyAt === undefined && after.facts.readyAt !== undefined;
  return isNew ? [{ type: 'worker_ready', data: { evidence: after.evidence } }] : [];
}

function turnEvents(before: TurnState, after: TurnState): readonly StateEvent[] {
  const [was, is] = [before.turn, after.turn];
  if (is === undefined) return [];
  const started = was?.number !== is.number;
  const events: StateEvent[] = started ? [{ type: 'turn_started', data: { turn: is.number } }] : [];
  const endedNow = is.endedAt !== undefined && (started || was?.endedAt === undefined);
  const isKnown = !started && is.endedAt === was?.endedBefore?.at && is.endedBy === was?.endedBefore?.by;
  if (endedNow && !isKnown)
    events.push({ type: 'turn_ended', data: { turn: is.number, ended_by: is.endedBy ?? null } });
  return events;
}

/** Each request that came while others were open, and each that was answered, by whom. */
function requestEvents(before: TurnState, after: TurnState): readonly StateEvent[] {
  const [were, are] = [openOf(before.facts.asked), openOf(after.facts.asked)];
  const came = before.is === 'waiting' && after.is === 'waiting' ? without(are, were) : [];
  const went = after.is === 'gone' ? [] : without(were, are);
  return [
    ...went.map((one) => answered({ ...askedData(one), ...answerOf(one, { before, after }) })),
    ...came.map((one) => waiting(askedData(one))),
  ];
}

/** A question of the worker's own stays open when its tool stops waiting. */
function questionEvents({ questions: were }: TurnState, { questions: are, is }: TurnState): readonly StateEvent[] {
  if (were === are) return [];
  const went = is === 'gone' ? [] : without(were, are);
  return [
    ...went.map((one) => answered(questionData(one))),
    ...without(are, were).map((one) => waiting({ ...questionData(one), question: questionLine(one.text) })),
  ];
}

const answered = (data: EventDraft['data']): StateEvent => ({ type: 'worker_answered', data });
const waiting = (data: EventDraft['data']): StateEvent => ({ type: 'worker_waiting', data });

interface Request {
  readonly at: number;
  readonly requestId?: string;
  readonly tool?: string;
}

const without = <T extends Request>(some: readonly T[], others: readonly T[]): readonly T[] =>
  some.filter(
    ({ at, tool, requestId }) =>
      !others.some((one) =>
        requestId === undefined ? one.at === at && one.tool === tool : one.requestId === requestId,
      ),
  );

const askedData = ({ waitingFor, requestId, tool }: AgentRequest) => ({
  waiting_for: waitingFor,
  ...defined({ request_id: requestId }),
  tool,
});

const questionData = ({ requestId }: WorkerQuestion) => ({
  waiting_for: 'question',
  request_id: requestId,
  tool: 'ask_manager',
});

/** An answer that no hook of crewmux gave the agent comes from a person at the pane. */
function answerOf({ requestId }: AgentRequest, { before, after }: { before: TurnState; after: TurnState }) {
  const given = after.facts.asked.find((one) => one.requestId === requestId)?.answered;
  if (given !== undefined && requestId !== undefined) return { by: given.by, decision: given.decision };
  return chosenBy(before) ?? { by: 'pane', decision: after.is === 'idle' ? 'deny' : 'allow' };
}

/** The option that crewmux chose on the screen during this wait. */
function chosenBy({ facts: { chosen }, since }: TurnState) {
  return chosen !== undefined && chosen.at >= since
    ? { by: 'manager', via: 'screen', option: chosen.option.slice(0, longestOption) }
    : undefined;
}

const longestOption = 100;

function statusEvents(before: TurnState, after: TurnState): readonly StateEvent[] {
  const was = seenState(before);
  if (after.is === 'unknown' || (was.is === after.is && was.waitingFor === after.waitingFor)) return [];
  const isAnswer =
    was.is === 'waiting' && after.is !== 'gone' && before.facts.asked.length === 0 && !isOwnQuestion(before);
  const answers = isAnswer ? [answered({ waiting_for: was.waitingFor, ...chosenBy(before) })] : [];
  const { evidence, waitingFor: waiting_for } = after;
  const [first] = after.requests;
  switch (after.is) {
    case 'starting':
      return [];
    case 'idle':
      return [...answers, { type: 'worker_idle', data: { evidence } }];
    case 'working':
      return [...answers, { type: 'worker_active', data: { evidence } }];
    case 'waiting':
      if (isOwnQuestion(after)) return [];
      return [waiting({ waiting_for, evidence, ...(first && askedData(first)) })];
    case 'gone':
      return [{ type: 'worker_dead', data: { evidence } }];
  }
}

/** `questionEvents` reports such a wait. */
const isOwnQuestion = ({ evidence }: TurnState): boolean => evidence.source === 'us';

/** One event when the trouble begins and one when it ends; none for each try. */
function troubleEvents(before: TurnState, after: TurnState): readonly StateEvent[] {
  const [was, is] = [before.facts.trouble, after.facts.trouble];
  if ((was === undefined) === (is === undefined)) return [];
  return [{ type: 'worker_trouble', data: { detail: is?.detail ?? null } }];
}

function returnedEvents(before: TurnState, after: TurnState): readonly StateEvent[] {
  const { returned } = after.facts;
  if (returned.length === 0 || returned === before.facts.returned) return [];
  return [{ type: 'message_returned', data: { count: returned.length } }];
}

/** A reset time that becomes known later, or changes, makes one more event of the same limit. */
function limitEvents({ limit: was }: TurnState, { limit: is }: TurnState): readonly StateEvent[] {
  if (is === undefined) return [];
  const isKnown = was?.resetsAt === is.resetsAt && was?.goesOn === is.goesOn && was?.detail === is.detail;
  return isKnown ? [] : [{ type: 'limit', data: { ...limitView(is) } }];
}
