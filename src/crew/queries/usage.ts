// What workers have used, as callers see it.
import { defined } from '../../model/defined.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { sumOf, type Usage, usageOf } from '../../usage/usage.ts';
import type { UsageView } from '../../wire/usage.ts';
import type { Totals } from '../workers/conversation.ts';
import type { CrewContext } from '../workers/roster.ts';

/** Of one conversation, by the prices of its worker's project. */
export const usageIn = (context: CrewContext, record: WorkerRecord, { spent }: Totals): Usage | undefined =>
  usageOf(spent, context.settingsFor(record.mainRepoPath ?? record.projectPath).settings.prices);

/** Of all these workers that are followed. */
export const usageOfAll = (context: CrewContext, records: readonly WorkerRecord[]): Usage | undefined =>
  sumOf(
    records.flatMap((record) => {
      const totals = context.roster.following(record.id)?.conversation.totals;
      return (totals && usageIn(context, record, totals)) ?? [];
    }),
  );

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
