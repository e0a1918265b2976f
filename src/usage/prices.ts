// The price of tokens, by model. Pure.
import { matches } from '../model/glob.ts';
import type { ModelTokens } from '../model/usage.ts';

/** Dollars per million tokens. */
export interface Price {
  readonly input: number;
  readonly cache_write: number;
  readonly cache_read: number;
  readonly output: number;
}
export type Prices = Readonly<Record<string, Price>>;

/** As of `at`; a model that is not here has no price. */
export const priceTable: { readonly at: string; readonly prices: Prices } = {
  at: '2026-11-25',
  prices: {
    'claude-opus-5-5*': { input: 4, cache_write: 5, cache_read: 0.2, output: 20 },
    'claude-sonnet-5-5*': { input: 2, cache_write: 2.5, cache_read: 0.1, output: 10 },
    'gpt-5.5': { input: 5, cache_write: 5, cache_read: 0.5, output: 30 },
  },
};

/** Of several globs of `own` the first that fits wins; the table is asked last. */
export function priceOf(model: string, own: Prices): Price | undefined {
  const rows = [...Object.entries(own), ...Object.entries(priceTable.prices)];
  return rows.find(([glob]) => matches(glob, model))?.[1];
}

/** Undefined where one of the models has no price. */
export function costOf(tokens: readonly ModelTokens[], own: Prices): number | undefined {
  let usd = 0;
  for (const one of tokens) {
    const price = one.model === undefined ? undefined : priceOf(one.model, own);
    if (price === undefined) return undefined;
    const written = one.cacheWriteTokens ?? 0;
    usd +=
      one.inputTokens * price.input +
      one.outputTokens * price.output +
      written * price.cache_write +
      (one.cacheTokens - written) * price.cache_read;
  }
  return usd / 1_000_000;
}
