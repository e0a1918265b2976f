import { expect, it } from 'vitest';
import { usdOf } from '../../../src/crew/workers/budget.ts';
import { emptyLedger } from '../../../src/usage/ledger.ts';

const tokens = (model: string) => [{ model, inputTokens: 1_000_000, outputTokens: 0, cacheTokens: 0 }];
const prices = { 'own-*': { input: 3, cache_write: 0, cache_read: 0, output: 0 } };

it.each([
  ['what its agent has told and an estimate since', 'own-model', 5],
  ['at least what its agent has told, where a model since has no price', 'brand-new', 2],
])('a bound in dollars counts %s', (_, model, usd) => {
  const spent = { tokens: tokens(model), untold: tokens(model), toldUsd: 2 };
  expect(usdOf({ ...emptyLedger, days: { '2026-01-01': spent } }, { prices })).toBe(usd);
});
