// The bounds of a worker and of its project's day, and how much of each is used now.
import type { Clock } from '../../model/clock.ts';
import { defined } from '../../model/defined.ts';
import { localDay } from '../../model/time-zone.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { pending } from '../../turn/facts.ts';
import type { TurnState } from '../../turn/reduce-turn.ts';
import { type Bound, reachedOf, requestOf, turnsIn, turnsWith, usedWords } from '../../usage/budget.ts';
import { type Ledger, spentOf } from '../../usage/ledger.ts';
import type { Prices } from '../../usage/prices.ts';
import { usageOf, withoutNoise } from '../../usage/usage.ts';
import type { LimitView } from '../../wire/attention.ts';
import type { CrewContext } from './crew-context.ts';
import { readLedger } from './spending.ts';
import { isoTimeOf } from './view.ts';

export const projectOf = ({ mainRepoPath, projectPath }: Pick<WorkerRecord, 'mainRepoPath' | 'projectPath'>): string =>
  mainRepoPath ?? projectPath;

/** Turns that it has begun, over its launches. */
export const turnsOf = ({ turnCount, launch }: WorkerRecord, turn: TurnState | undefined): number =>
  turnsIn(turnsWith(turnCount, launch.number, turn?.turn?.number ?? 0));

export const pricesFor = (context: CrewContext, record: WorkerRecord): Prices =>
  context.recentSettings(projectOf(record)).prices;

/** Where one of its models has no price, what its agent has told so far: less than nothing is known would let all begin. */
export function usdOf(ledger: Ledger, { day, prices }: { readonly day?: string; readonly prices: Prices }): number {
  const spent = spentOf(ledger, day);
  return usageOf(spent, prices)?.cost?.usd ?? spent.toldUsd ?? 0;
}

interface DayCost {
  readonly day: string;
  readonly prices: Prices;
  readonly usd: number;
}

/** Each signal of one worker asks for the costs of all; a ledger never changes in place. */
const dayCosts = new WeakMap<Ledger, DayCost>();

function usdOnDay(ledger: Ledger, { day, prices }: Omit<DayCost, 'usd'>): number {
  const known = dayCosts.get(ledger);
  if (known?.day === day && known.prices === prices) return known.usd;
  const usd = usdOf(ledger, { day, prices });
  dayCosts.set(ledger, { day, prices, usd });
  return usd;
}

/** What each ended worker has used changes no more. */
const endedLedgers = new WeakMap<CrewContext, Map<string, Ledger | undefined>>();

function ledgerNow(context: CrewContext, record: WorkerRecord): Ledger | undefined {
  const following = context.roster.following(record.id);
  if (following !== undefined) return following.spending.ledger;
  const known = endedLedgers.get(context) ?? new Map<string, Ledger | undefined>();
  endedLedgers.set(context, known);
  const key = `${record.id} ${record.launch.number}`;
  const ledger = known.has(key) ? known.get(key) : readLedger(record.launch);
  if (record.phase === 'closed') known.set(key, ledger);
  return ledger;
}

function startOfDay(now: number, daysOn = 0): number {
  const date = new Date(now);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + daysOn).getTime();
}

/** Dollars of all workers of a project today, as far as their cost is known. */
function dayBound(context: CrewContext, project: string): Bound | undefined {
  const { limits, prices } = context.recentSettings(project);
  const { max_cost_usd: amount } = limits;
  if (amount === undefined) return undefined;
  const now = context.clock.now();
  const day = localDay(now);
  const since = startOfDay(now);
  const records = context.roster
    .records()
    .filter((record) => projectOf(record) === project && (record.endedAt ?? now) >= since);
  const grants = Math.max(0, ...records.map(({ grants: { day: one } = {} }) => (one?.day === day ? one.times : 0)));
  const costs = records.map((record) => {
    const ledger = ledgerNow(context, record);
    return ledger === undefined ? 0 : usdOnDay(ledger, { day, prices });
  });
  const used = withoutNoise(costs.reduce((sum, one) => sum + one, 0));
  return { kind: 'day', amount, grants, used, day };
}

/** Its own bounds first, then that of its project. */
export function boundsOf(context: CrewContext, record: WorkerRecord): readonly Bound[] {
  const { budget = {}, grants = {} } = record;
  const { maxTurns, maxCostUsd } = budget;
  const turn = context.roster.turn(record.id);
  const ledger = maxCostUsd === undefined ? undefined : ledgerNow(context, record);
  const prices = pricesFor(context, record);
  const turns: readonly Bound[] =
    maxTurns === undefined
      ? []
      : [{ kind: 'turns', amount: maxTurns, grants: grants.turns ?? 0, used: turnsOf(record, turn) }];
  const cost: readonly Bound[] =
    maxCostUsd === undefined || ledger === undefined
      ? []
      : [{ kind: 'cost', amount: maxCostUsd, grants: grants.cost ?? 0, used: usdOf(ledger, { prices }) }];
  const day = dayBound(context, projectOf(record));
  return [...turns, ...cost, ...(day === undefined ? [] : [day])];
}

/** What keeps it from a new turn. */
export const boundReached = (context: CrewContext, record: WorkerRecord): Bound | undefined =>
  reachedOf(boundsOf(context, record));

/** As `boundReached`, for one more prompt: those that wait in its agent are turns to come. */
export function boundOnPrompt(context: CrewContext, record: WorkerRecord): Bound | undefined {
  const facts = context.roster.turn(record.id)?.facts;
  const waiting = facts === undefined ? 0 : pending(facts);
  const withWaiting = (bound: Bound): Bound =>
    bound.kind === 'turns' ? { ...bound, used: bound.used + waiting } : bound;
  return reachedOf(boundsOf(context, record).map(withWaiting));
}

/** Of a project, where it keeps each new worker from a turn. */
export function dayReached(context: CrewContext, project: string): Bound | undefined {
  const bound = dayBound(context, project);
  return bound && reachedOf([bound]);
}

export const boundView = (bound: Bound, { now }: Pick<Clock, 'now'>): LimitView => ({
  kind: bound.kind === 'turns' ? 'turns' : 'cost',
  detail: usedWords(bound),
  ...defined({ resets_at: bound.day === undefined ? undefined : isoTimeOf(startOfDay(now(), 1)) }),
});

/** The call that grants the same amount again, once. */
export const grantCall = ({ id }: Pick<WorkerRecord, 'id'>, bound: Bound): string =>
  `answer_worker ${JSON.stringify({ session_id: id, request_id: requestOf(bound), decision: 'allow' })}`;
