// Ends that no server saw: judged by what the agent has left, and logged.
import type { EventDraft, RecordChange } from '../../model/event.ts';
import type { PaneSignal } from '../../model/turn.ts';
import type { ManagerRef, WorkerRecord } from '../../model/worker.ts';
import type { CrewContext } from '../workers/crew-context.ts';
import { type End, failureIn, failureSet, isFailing } from '../workers/failures.ts';
import { Following } from '../workers/following.ts';
import type { PaneVerdict, VerdictOf } from '../workers/pane-facts.ts';
import { StateFiles } from '../workers/state-files.ts';
import { recentMs } from './left-crash.ts';

interface Found {
  readonly detail: string;
  readonly at: number;
  readonly me: ManagerRef;
  readonly failure?: RecordChange | undefined;
}

/** One that was being closed when its server ended is closed; what it made stays. Pure. */
export function endedDraft(
  { id: workerId, closing }: Pick<WorkerRecord, 'id' | 'closing'>,
  { detail, at, me, failure }: Found,
): EventDraft {
  const about = { workerId, data: { detail, found: 'at start' } };
  const end = { endedAt: at, manager: me };
  return closing === true
    ? { type: 'worker_closed', ...about, set: { ...end, phase: 'closed', endDetail: 'closed', closing: null } }
    : { type: 'worker_dead', ...about, set: { ...end, phase: 'dead', endDetail: detail, ...failure } };
}

/** Of those that ended while no server lived: what that changes in the record of each that crashed, by its id. */
export async function unseenFailures(
  context: CrewContext,
  records: readonly WorkerRecord[],
  verdictOf: VerdictOf,
): Promise<ReadonlyMap<string, RecordChange>> {
  const { roster } = context;
  const ends = records.map((record) => ({ record, signal: endOf(record, verdictOf(record), context.clock.now()) }));
  const failing = ends.flatMap(({ record, signal }) => (isFailing(signal?.exit) && signal ? [{ record, signal }] : []));
  if (failing.length === 0) return new Map();
  await roster.lookAtManagers();
  const left = failing.filter(({ record }) => !roster.isOthers(record));
  return new Map(await Promise.all(left.map(async (one) => [one.record.id, await failureOf(context, one)] as const)));
}

type Gone = Extract<PaneSignal, { kind: 'gone' }>;

function endOf({ phase }: WorkerRecord, verdict: PaneVerdict, at: number): Gone | undefined {
  if (phase !== 'live' || verdict.is !== 'ended') return undefined;
  const { is: _, ...end } = verdict;
  return { from: 'pane', kind: 'gone', at, ...end };
}

interface Ending {
  readonly record: WorkerRecord;
  readonly signal: Gone;
}

/** Judges the end as a server that had seen it would. */
async function failureOf({ agents, clock, logger }: CrewContext, { record, signal }: Ending): Promise<RecordChange> {
  const onTrouble = (error: unknown) => logger.write('warn', 'a trace could not be followed', error);
  const parts = { agent: agents.of(record), clock, stateFiles: new StateFiles(clock), onTrouble };
  const following = new Following(record, parts);
  try {
    await following.caughtUp();
    const before = following.state;
    following.apply(signal);
    return unseenFailure({ signal, before, after: following.state }, record);
  } finally {
    await following.close();
  }
}

/**
 * What such an end changes in the record. Only its last sign tells when it came. Nobody saw whether its agent had
 * started, so that only a crash counts. Pure.
 */
export function unseenFailure(end: End, record: Pick<WorkerRecord, 'failures'>): RecordChange {
  if (failureIn(end) !== 'crash') return {};
  const { at, detail } = end.after.evidence;
  const isOld = at - end.before.lastActivityAt >= recentMs;
  return { ...failureSet(end, record), lostTurn: { at, detail, ...(isOld && { left: true as const }) } };
}
