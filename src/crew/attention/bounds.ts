// Bounds on turns and dollars: tells once at 80 % and once at 100 %, and grants the same amount again.
import type { Disposer } from '../../model/clock.ts';
import { defined } from '../../model/defined.ts';
import { CrewError } from '../../model/errors.ts';
import type { LimitNotice, WorkerRecord } from '../../model/worker.ts';
import { type Bound, levelOf, limitOf, newsOf, requestOf, usedWords } from '../../usage/budget.ts';
import type { AnswerResult, AttentionView } from '../../wire/attention.ts';
import type { AnswerOrder, Run } from '../orders.ts';
import { boundOnPrompt, boundReached, boundsOf, boundView, grantCall, projectOf } from '../workers/budget.ts';
import type { CrewContext } from '../workers/crew-context.ts';

type Told = NonNullable<WorkerRecord['limitNotices']>;

/** Writes down what it tells, so that no other server tells it again. */
export function watchBounds(context: CrewContext): Disposer {
  const { roster, log, clock, logger } = context;
  // The log has it a moment later.
  const told = new Map<string, Told>();
  const toldOf = (record: WorkerRecord): Told => ({ ...record.limitNotices, ...told.get(record.id) });
  const lastTold = (record: WorkerRecord, { kind, day }: Bound): LimitNotice | undefined => {
    if (kind !== 'day') return toldOf(record)[kind];
    const ofProject = roster.records().filter((one) => projectOf(one) === projectOf(record));
    const ofDay = ofProject.flatMap((one) => toldOf(one).day ?? []).filter((one) => one.day === day);
    return ofDay.reduce<LimitNotice | undefined>(
      (newest, one) => (newest && newest.at > one.at ? newest : one),
      undefined,
    );
  };
  const look = (workerId: string) => {
    const record = log.records().get(workerId);
    if (record?.phase !== 'live' || !roster.isMine(record)) return;
    for (const bound of boundsOf(context, record)) {
      // A task that reaches a bound of its own fails.
      const level = isTasks(record, bound) ? undefined : newsOf(bound, lastTold(record, bound));
      if (level === undefined) continue;
      const limit = limitOf(bound);
      const now: LimitNotice = { level, limit, at: clock.now(), ...defined({ day: bound.day }) };
      told.set(record.id, { ...toldOf(record), [bound.kind]: now });
      const data = { ...boundView(bound, clock), used: bound.used, limit, level };
      const draft = { type: 'limit' as const, workerId, data, set: { limitNotices: toldOf(record) } };
      log.append([draft]).catch((error: unknown) => logger.write('error', 'a limit could not be told', error));
    }
  };
  const stops = [
    roster.onChange(({ workerId }) => look(workerId)),
    roster.onFollow(({ workerId }) => look(workerId)),
    roster.onSpending(look),
  ];
  for (const { workerId } of roster.all()) look(workerId);
  return () => {
    for (const stop of stops) stop();
  };
}

const isTasks = ({ task }: WorkerRecord, { kind }: Bound): boolean => task !== undefined && kind !== 'day';

export interface BoundNeed extends Pick<AttentionView, 'detail' | 'limit' | 'answer_with'> {
  readonly requestId: string;
  readonly words: string;
  readonly at: number;
}

/** Bounds that are reached, once its worker is idle: what runs goes on. That of a project stands at one worker. */
export function boundNeeds(context: CrewContext, record: WorkerRecord): readonly BoundNeed[] {
  const { roster, clock } = context;
  if (!roster.lives(record)) return [];
  const needs = (bound: Bound): boolean => {
    if (levelOf(bound) !== 'stop' || isTasks(record, bound)) return false;
    return bound.kind === 'day' ? firstOf(context, record)?.id === record.id : roster.turn(record.id)?.is === 'idle';
  };
  return boundsOf(context, record)
    .filter(needs)
    .map((bound) => ({
      requestId: requestOf(bound),
      words: usedWords(bound),
      at: record.limitNotices?.[bound.kind]?.at ?? clock.now(),
      detail: `No new turn begins. "allow" grants ${bound.amount} ${bound.kind === 'turns' ? 'turns' : 'USD'} more, once.`,
      limit: boundView(bound, clock),
      answer_with: [grantCall(record, bound)],
    }));
}

const firstOf = ({ roster }: CrewContext, record: WorkerRecord): WorkerRecord | undefined =>
  roster
    .records()
    .find(
      (one) => projectOf(one) === projectOf(record) && roster.isMine(one) && one.phase === 'live' && roster.lives(one),
    );

/** The bound that an answer is about; undefined where it is about something else. Throws where it is not open. */
function boundAsked(
  context: CrewContext,
  record: WorkerRecord,
  { requestId, decision }: AnswerOrder,
): Bound | undefined {
  const isNamed = requestId?.startsWith('limit-') === true;
  const open = boundsOf(context, record).filter((bound) => levelOf(bound) !== 'nothing');
  const isIdle = context.roster.turn(record.id)?.is === 'idle';
  const bound = isNamed
    ? [...open, boundOnPrompt(context, record)].find((one) => one !== undefined && requestOf(one) === requestId)
    : requestId === undefined && isIdle
      ? boundReached(context, record)
      : undefined;
  if (bound === undefined && isNamed)
    throw new CrewError(
      'already_answered',
      `${requestId} of ${record.name} is not open: it was granted, or the bound is not reached.`,
      'attention in crew_status has what is open.',
    );
  if (bound !== undefined && decision !== 'allow')
    throw new CrewError(
      'invalid_argument',
      `"${decision}" does not answer a bound: ${record.name} ${usedWords(bound)}.`,
      'Decide "allow" to grant the same again; to grant nothing, leave it.',
    );
  return bound;
}

/** Grants the same amount again where the answer is about a bound; the same answer twice grants once. */
export async function grantMore(context: CrewContext, order: AnswerOrder, run: Run): Promise<AnswerResult | undefined> {
  await context.log.catchUp();
  const record = context.roster.resolve(order.worker);
  const bound = boundAsked(context, record, order);
  if (bound === undefined) return undefined;
  const times = bound.grants + 1;
  const { kind, day } = bound;
  const grants = { ...record.grants, ...(day === undefined ? { [kind]: times } : { day: { day, times } }) };
  const request_id = requestOf(bound);
  const limit = limitOf({ ...bound, grants: times });
  const data = { waiting_for: 'limit', request_id, by: run.by ?? 'manager', decision: 'allow', limit };
  await context.log.append([{ type: 'worker_answered', workerId: record.id, data, set: { grants } }]);
  const { evidence, status } = context.roster.view(context.roster.record(record.id));
  return { success: true, session_id: order.worker, request_id, decision: 'allow', via: 'us', evidence, status };
}
