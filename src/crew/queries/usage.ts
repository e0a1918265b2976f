// What workers have used, as callers see it.
import { defined } from '../../model/defined.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { type Ledger, spentOf } from '../../usage/ledger.ts';
import type { Prices } from '../../usage/prices.ts';
import { sumOf, type Usage, usageOf } from '../../usage/usage.ts';
import type { UsageView } from '../../wire/usage.ts';
import type { CrewContext } from '../workers/roster.ts';
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

const pricesFor = (context: CrewContext, record: WorkerRecord): Prices =>
  context.settingsFor(record.mainRepoPath ?? record.projectPath).settings.prices;

/** Of one that is followed, from memory. */
export function usageNow(context: CrewContext, record: WorkerRecord): Usage | undefined {
  const following = context.roster.following(record.id);
  return following && usageIn(context, record, following.spending.ledger);
}

/** Of all these workers that are followed. */
export const usageOfAll = (context: CrewContext, records: readonly WorkerRecord[]): Usage | undefined =>
  sumOf(records.flatMap((record) => usageNow(context, record) ?? []));

export const usageView = ({ inputTokens, outputTokens, cacheTokens, cost, contextLeft, limits }: Usage): UsageView => ({
  ...{ input_tokens: inputTokens, output_tokens: outputTokens, cache_tokens: cacheTokens },
  ...defined({
    cost,
    context_left: contextLeft,
    limits: limits?.map(({ window, used, resetsAt }) => ({
      ...{ window, used },
      resets_at: new Date(resetsAt).toISOString(),
    })),
  }),
});
