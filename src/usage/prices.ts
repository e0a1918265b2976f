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

const price = ([input, cache_write, cache_read, output]: readonly [number, number, number, number]): Price => ({
  ...{ input, cache_write, cache_read, output },
});

/** A model, also by a name that ends in its date. */
const priced = (names: string, each: Price): readonly (readonly [string, Price])[] =>
  names.split(' ').flatMap((name) => [[name, each] as const, [`${name}-20*`, each] as const]);

/**
 * As of `at`, by the catalog of the tested Claude Code; Codex has none, and what is not known is not here. Nor is a
 * model whose price goes by the length of each prompt.
 */
export const priceTable: { readonly at: string; readonly prices: Prices } = {
  at: '2026-11-25',
  prices: Object.fromEntries([
    ...priced('claude-opus-5-5', price([4, 5, 0.2, 20])),
    ...priced(
      'claude-opus-5 claude-opus-4-8 claude-opus-4-7 claude-opus-4-6 claude-opus-4-5',
      price([5, 6.25, 0.5, 25]),
    ),
    ...priced('claude-opus-4-1 claude-opus-4-0 claude-opus-4', price([15, 18.75, 1.5, 75])),
    ...priced('claude-sonnet-5-5', price([2, 2.5, 0.1, 10])),
    ...priced('claude-sonnet-5', price([2, 2.5, 0.2, 10])),
    ...priced('claude-sonnet-4-6 claude-sonnet-4-5 claude-sonnet-4-0 claude-sonnet-4', price([3, 3.75, 0.3, 15])),
    ...priced('claude-3-7-sonnet claude-3-5-sonnet', price([3, 3.75, 0.3, 15])),
    ...priced('claude-haiku-4-5', price([1, 1.25, 0.1, 5])),
    ...priced('claude-3-5-haiku', price([0.8, 1, 0.08, 4])),
    ...priced('claude-fable-5-2 claude-mythos-5-2', price([8, 10, 0.2, 40])),
    ...priced('claude-fable-5-1 claude-mythos-5-1', price([10, 12.5, 0.25, 50])),
    ...priced('claude-fable-5 claude-mythos-5', price([10, 12.5, 1, 50])),
    ...priced('gpt-5.5', price([5, 5, 0.5, 30])),
  ]),
};

const priceIn = (rows: Prices, model: string): Price | undefined =>
  Object.entries(rows).find(([glob]) => matches(glob, model))?.[1];

/** Of several globs of `own` the first that fits wins; the table is asked last. */
export const priceOf = (model: string, own: Prices): Price | undefined =>
  priceIn(own, model) ?? priceIn(priceTable.prices, model);

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
