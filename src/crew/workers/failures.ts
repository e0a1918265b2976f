// Which ends of an agent are failures, and when there have been too many of them.
import type { EventDraft, RecordChange } from '../../model/event.ts';
import type { PaneExit, Signal } from '../../model/turn.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import type { TurnState } from '../../turn/reduce-turn.ts';
import type { CrewContext } from './crew-context.ts';

export interface End {
  readonly signal: Signal;
  readonly before: TurnState;
  readonly after: TurnState;
}

/** `crash`: in the midst of a turn. Where nobody saw how its process ended, it is no failure. Pure. */
export function failureIn({ signal, before, after }: End): 'stillborn' | 'crash' | undefined {
  if (signal.from !== 'pane' || signal.kind !== 'gone' || signal.exit === undefined) return undefined;
  if (before.facts.gone !== undefined) return undefined;
  if (before.is === 'starting') return 'stillborn';
  return isFailing(signal.exit) && wasCutOff(after) ? 'crash' : undefined;
}

/** Nobody can tell of an end that nobody saw. Pure. */
export const isFailing = ({ code = 0, by }: PaneExit = {}): boolean => by !== undefined || code !== 0;

/** The end of its turn is the end of the agent, and nothing else. */
function wasCutOff({ turn, facts }: TurnState): boolean {
  const { gone, leaving, witness } = facts;
  if (turn?.endedAt === undefined || turn.endedBy !== 'error' || witness.end !== undefined) return false;
  return turn.endedAt >= Math.min(gone?.at ?? Number.POSITIVE_INFINITY, leaving?.at ?? Number.POSITIVE_INFINITY);
}

const windowMs = 30 * 60_000;
const mostOfWorker = 3;
const mostOfCrew = 10;

const recent = (failures: readonly number[] = [], now: number): readonly number[] =>
  failures.filter((at) => now - at < windowMs);

/** With one more; those too old to count are left out. */
export const failuresWith = (failures: readonly number[] | undefined, at: number): readonly number[] => [
  ...recent(failures, at),
  at,
];

/** Its hook told of the end, and its pane tells how that came. Pure. */
export const lostTurnLate = (end: End): readonly Pick<EventDraft, 'type' | 'data'>[] =>
  end.before.is === 'gone' && failureIn(end) === 'crash'
    ? [{ type: 'worker_dead', data: { evidence: end.after.evidence } }]
    : [];

/** What a failure changes in the record. Pure. */
export function failureSet(end: End, { failures }: Pick<WorkerRecord, 'failures'>): RecordChange {
  const failure = failureIn(end);
  const { at, detail } = end.after.evidence;
  if (failure === undefined) return {};
  return { failures: failuresWith(failures, at), ...(failure === 'crash' && { lostTurn: { at, detail } }) };
}

/** Why it is not started again unless somebody names it; `crew`: the failures of each of its crew, itself included. Pure. */
export function tooManyFailures(
  own: readonly number[] | undefined,
  { crew, now }: { readonly crew: readonly (readonly number[] | undefined)[]; readonly now: number },
): string | undefined {
  const minutes = windowMs / 60_000;
  const times = recent(own, now).length;
  if (times >= mostOfWorker) return `it has failed ${times} times within ${minutes} minutes`;
  const all = crew.flatMap((failures) => recent(failures, now)).length;
  return all >= mostOfCrew ? `its crew has failed ${all} times within ${minutes} minutes` : undefined;
}

/** Why nobody starts it again unless it is named; undefined where nothing is in the way. */
export function whyStopped(
  { roster, clock }: Pick<CrewContext, 'roster' | 'clock'>,
  { failures, crew }: WorkerRecord,
): string | undefined {
  const ofCrew = roster.records().filter((one) => one.crew === crew);
  return tooManyFailures(failures, { crew: ofCrew.map((one) => one.failures), now: clock.now() });
}
