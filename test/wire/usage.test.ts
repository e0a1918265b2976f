import { expect, it } from 'vitest';
import { isScarce, type UsageView, usageWords } from '../../src/wire/usage.ts';

const usage = (more: Partial<UsageView> = {}): UsageView => ({
  ...{ input_tokens: 900, output_tokens: 99, cache_tokens: 0 },
  ...more,
});
const limit = (used: number) => ({ window: '5h', used, resets_at: '2030-01-01T00:00:00.000Z' });

it.each<[Partial<UsageView>, boolean]>([
  [{}, false],
  [{ context_left: 0.21 }, false],
  [{ context_left: 0.2 }, true],
  [{ limits: [limit(0.79)] }, false],
  [{ limits: [limit(0.1), limit(0.8)] }, true],
  [{ cost: { usd: 900, source: 'agent' } }, false],
])('a list shows usage where little is left: %j is %s', (more, is) => {
  expect(isScarce(usage(more))).toBe(is);
});

it.each<[Partial<UsageView>, string]>([
  [{}, '999 tokens'],
  [{ cache_tokens: 1_200_000 }, '1.2M tokens'],
  [{ context_left: 0.83, limits: [limit(0.42)] }, '999 tokens · window 17% full · 5h 42%'],
  [{ cost: { usd: 0.424, source: 'agent' } }, '999 tokens · $0.42'],
  [{ cost: { usd: 0.424, source: 'estimate' } }, '999 tokens · ~$0.42'],
])('is said with tokens first and money last: %j', (more, words) => {
  expect(usageWords(usage(more))).toBe(words);
});
