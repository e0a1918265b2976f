import { describe, expect, it } from 'vitest';
import type { ModelTokens, Spent } from '../../src/model/usage.ts';
import { costOf } from '../../src/usage/prices.ts';
import { sumOf, usageOf, withTokens } from '../../src/usage/usage.ts';

const tokens = (model: string | undefined, input = 1_000, output = 400): ModelTokens => ({
  ...(model !== undefined && { model }),
  ...{ inputTokens: input, outputTokens: output, cacheTokens: 32_000, cacheWriteTokens: 2_000 },
});
const opus = tokens('claude-opus-5-5');
const spent = (all: readonly ModelTokens[], more: Partial<Spent> = {}): Spent => ({
  tokens: all,
  untold: all,
  ...more,
});

describe('the cost of tokens', () => {
  it.each([
    ['claude-opus-5-5', 0.028],
    ['claude-sonnet-5-5', 0.014],
    ['claude-opus-5-5-20261101', 0.028],
  ])('is what the agent itself counts for %s', (model, usd) => {
    expect(costOf([tokens(model)], {})).toBeCloseTo(usd, 9);
  });

  it.each([
    ['claude-opus-5', 0.0425],
    ['claude-opus-4-20250514', 0.1275],
    ['claude-haiku-4-5-20251001', 0.0085],
    ['claude-fable-5-2', 0.05],
    ['gpt-5.5', 0.042],
  ])('goes by the table for %s', (model, usd) => {
    expect(costOf([tokens(model)], {})).toBeCloseTo(usd, 9);
  });

  it.each(['claude-haiku-5-5', 'claude-opus-5-9', 'gpt-6-sol', 'gpt-5.5-pro'])('is not guessed for %s', (model) => {
    expect(costOf([tokens(model)], {})).toBeUndefined();
  });

  it('is unknown where one model has no price, or no name', () => {
    expect(costOf([opus, tokens('brand-new')], {})).toBeUndefined();
    expect(costOf([tokens(undefined)], {})).toBeUndefined();
  });

  it('goes by the first glob of the settings that fits, before the table', () => {
    const price = (input: number) => ({ input, cache_write: 0, cache_read: 0, output: 0 });
    expect(costOf([opus], { 'claude-opus-*': price(7), 'claude-*': price(9) })).toBe(0.007);
    expect(costOf([tokens('brand-new')], { 'brand*': price(3) })).toBe(0.003);
  });
});

describe('usage', () => {
  it("prefers the agent's own figure, and estimates only what came after it", () => {
    expect(usageOf(spent([opus], { toldUsd: 0.5, untold: [] }), {})?.cost).toEqual({ usd: 0.5, source: 'agent' });
    expect(usageOf(spent([opus], { toldUsd: 0.5 }), {})?.cost).toEqual({ usd: 0.528, source: 'estimate' });
    expect(usageOf(spent([opus]), {})?.cost).toEqual({ usd: 0.028, source: 'estimate' });
  });

  it('leaves out what is not known', () => {
    expect(usageOf(spent([]), {})).toBeUndefined();
    const counts = { inputTokens: 1_000, outputTokens: 400, cacheTokens: 32_000 };
    expect(usageOf(spent([tokens('brand-new')]), {})).toEqual(counts);
    expect(usageOf(spent([tokens('brand-new')], { toldUsd: 0.5 }), {})).toEqual(counts);
  });

  it('has in a sum the cost only where that of each is known', () => {
    const [known, unknown] = [usageOf(spent([opus]), {}), usageOf(spent([tokens('brand-new')]), {})];
    const both = [known, unknown].flatMap((one) => one ?? []);
    expect(sumOf(both)).toEqual({ inputTokens: 2_000, outputTokens: 800, cacheTokens: 64_000 });
    expect(sumOf(both.slice(0, 1))?.cost).toEqual({ usd: 0.028, source: 'estimate' });
    expect(sumOf([])).toBeUndefined();
  });
});

it('a message that is counted again replaces what it had counted', () => {
  const first = withTokens([], { added: tokens('a', 10, 1), replaced: undefined });
  expect(withTokens(first, { added: tokens('a', 10, 7), replaced: tokens('a', 10, 1) })).toEqual([tokens('a', 10, 7)]);
});
