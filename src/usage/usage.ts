// What workers have used: tokens, money, and what is left. Pure.
import { defined } from '../model/defined.ts';
import type { Cost, Left, ModelTokens, Spent, Tokens, Usage } from '../model/usage.ts';
import { costOf, type Prices } from './prices.ts';

/** Undefined for a conversation that has used nothing yet. */
export function usageOf(spent: Spent & Left, prices: Prices): Usage | undefined {
  if (spent.tokens.length === 0 && (spent.toldUsd ?? 0) === 0) return undefined;
  const { contextLeft, limits } = spent;
  return { ...total(spent.tokens), ...defined({ cost: costSoFar(spent, prices), contextLeft, limits }) };
}

function costSoFar({ toldUsd, untold }: Spent, prices: Prices): Cost | undefined {
  if (toldUsd !== undefined && untold.length === 0) return { usd: withoutNoise(toldUsd), source: 'agent' };
  const since = costOf(untold, prices);
  return since === undefined ? undefined : { usd: withoutNoise((toldUsd ?? 0) + since), source: 'estimate' };
}

/** Without a cost where that of one is not known; what is left of a context or an allowance is no sum. */
export function sumOf(usages: readonly Usage[]): Usage | undefined {
  if (usages.length === 0) return undefined;
  const costs = usages.flatMap(({ cost }) => cost ?? []);
  const usd = costs.reduce((sum, cost) => sum + cost.usd, 0);
  const source = costs.every((cost) => cost.source === 'agent') ? 'agent' : 'estimate';
  return { ...total(usages), ...(costs.length === usages.length && { cost: { usd: withoutNoise(usd), source } }) };
}

const total = (all: readonly Omit<Tokens, 'cacheWriteTokens'>[]) => ({
  inputTokens: all.reduce((sum, one) => sum + one.inputTokens, 0),
  outputTokens: all.reduce((sum, one) => sum + one.outputTokens, 0),
  cacheTokens: all.reduce((sum, one) => sum + one.cacheTokens, 0),
});

/** A sum or product of floating-point numbers, to the millionth. */
export const withoutNoise = (sum: number): number => Number(sum.toFixed(6));

/** The tokens of each model, with those of `added` among them; `replaced` is what its message had counted before. */
export function withTokens(
  tokens: readonly ModelTokens[],
  { added, replaced }: { readonly added: ModelTokens; readonly replaced: Tokens | undefined },
): readonly ModelTokens[] {
  const known = tokens.find(({ model }) => model === added.model);
  const count = (of: (tokens: Tokens) => number): number =>
    (known ? of(known) : 0) + of(added) - (replaced ? of(replaced) : 0);
  const written = count(({ cacheWriteTokens }) => cacheWriteTokens ?? 0);
  const now: ModelTokens = {
    ...defined({ model: added.model }),
    inputTokens: count(({ inputTokens }) => inputTokens),
    outputTokens: count(({ outputTokens }) => outputTokens),
    cacheTokens: count(({ cacheTokens }) => cacheTokens),
    ...(written > 0 && { cacheWriteTokens: written }),
  };
  if (known !== undefined) return tokens.map((one) => (one === known ? now : one));
  return now.inputTokens + now.outputTokens + now.cacheTokens === 0 ? tokens : [...tokens, now];
}
