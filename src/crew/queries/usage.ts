// What workers have used, as callers see it.
import { defined } from '../../model/defined.ts';
import type { Usage, UsageGroup } from '../../model/usage.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { isNearlyFull } from '../../usage/context-left.ts';
import { type Ledger, spentOf } from '../../usage/ledger.ts';
import { type Share, usageOfShares, usageRows } from '../../usage/rows.ts';
import { sumOf, usageOf } from '../../usage/usage.ts';
import { type UsageRow, type UsageView, usageView, windowWords } from '../../wire/usage.ts';
import { pricesFor } from '../workers/budget.ts';
import { type CrewContext, visibleTo } from '../workers/crew-context.ts';
import { Spending } from '../workers/spending.ts';

/** Of one worker over its whole life, by the prices of its project. */
export const usageIn = (context: CrewContext, record: WorkerRecord, ledger: Ledger): Usage | undefined =>
  usageOf(spentOf(ledger), pricesFor(context, record));

/** What a worker has used up to now, followed or not. */
export async function ledgerOf(context: CrewContext, record: WorkerRecord): Promise<Ledger> {
  const following = context.roster.following(record.id);
  if (following !== undefined) return following.spending.ledger;
  const onTrouble = (error: unknown) => context.logger.write('warn', `usage of ${record.id} could not be read`, error);
  const spending = new Spending(record, { agent: context.agents.of(record), clock: context.clock, onTrouble });
  await spending.catchUp().catch(onTrouble);
  return spending.ledger;
}

/** Of one that is followed, from memory. */
export function usageNow(context: CrewContext, record: WorkerRecord): Usage | undefined {
  const following = context.roster.following(record.id);
  return following && usageIn(context, record, following.spending.ledger);
}

export function usageSeen(context: CrewContext, record: WorkerRecord): UsageView | undefined {
  const usage = usageNow(context, record);
  return usage && usageView(usage);
}

/** That the context window is nearly full, in words; undefined for any other. Pure. */
export const fullWindow = (usage: UsageView | undefined): string | undefined =>
  usage !== undefined && isNearlyFull(usage.context_left) ? windowWords(usage) : undefined;

/** Of all these workers that are followed. */
export const usageOfAll = (context: CrewContext, records: readonly WorkerRecord[]): Usage | undefined =>
  sumOf(records.flatMap((record) => usageNow(context, record) ?? []));

export interface UsageQuery {
  readonly by: UsageGroup;
  /** The names of plans, by task. */
  readonly plans?: ReadonlyMap<string, string>;
}

/** Of all workers that this project shows, ended ones too. */
export async function usageBy(context: CrewContext, { by, plans }: UsageQuery): Promise<readonly UsageRow[]> {
  const rows = usageRows(await sharesOf(context, visibleTo(context)), by, (task) => plans?.get(task));
  return rows.map(({ name, usage }) => ({ name, usage: usageView(usage) }));
}

/** Of all workers that were started for one of these tasks. */
export async function usageOfTasks(context: CrewContext, tasks: ReadonlySet<string>): Promise<UsageView | undefined> {
  const records = context.roster.records().filter(({ task }) => tasks.has(task?.id ?? ''));
  const usage = usageOfShares(await sharesOf(context, records));
  return usage && usageView(usage);
}

const sharesOf = (context: CrewContext, records: readonly WorkerRecord[]): Promise<readonly Share[]> =>
  Promise.all(
    records.map(async (record) => ({
      ...{ id: record.id, name: record.name, prices: pricesFor(context, record) },
      ...defined({ role: record.role, task: record.task?.id }),
      ledger: await ledgerOf(context, record),
    })),
  );
