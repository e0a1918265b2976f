import { expect, it } from 'vitest';
import { localDay } from '../../src/model/time-zone.ts';
import { emptyLedger, withLine } from '../../src/usage/ledger.ts';
import { type Share, usageOfShares, usageRows } from '../../src/usage/rows.ts';

const noon = new Date(2026, 10, 25, 12).getTime();
const [today, tomorrow] = [noon, noon + 86_400_000].map(localDay);

const used = (...at: readonly number[]) =>
  at.reduce((ledger, one, index) => {
    const usage = { at: one, messageId: `m${index}`, inputTokens: 100, outputTokens: 10, cacheTokens: 0 };
    return withLine(ledger, { usage, model: 'gpt-5.5' }, { file: 'a', conversation: 'a', since: 0 });
  }, emptyLedger);

const shares: readonly Share[] = [
  { id: '1', name: 'Ada', role: 'tester', task: 't1', ledger: used(noon), prices: {} },
  { id: '2', name: 'Bo', role: 'tester', ledger: used(noon, noon + 86_400_000), prices: {} },
  { id: '3', name: 'Ada', ledger: used(noon + 86_400_000), prices: {} },
  { id: '4', name: 'Idle', ledger: emptyLedger, prices: {} },
];
const planOf = (task: string) => (task === 't1' ? 'shop' : undefined);

it.each([
  [
    'worker',
    [
      ['Ada', 100],
      ['Bo', 200],
      ['Ada', 100],
    ],
  ],
  [
    'role',
    [
      ['tester', 300],
      ['(no role)', 100],
    ],
  ],
  [
    'plan',
    [
      ['shop', 100],
      ['(no plan)', 300],
    ],
  ],
  [
    'day',
    [
      [today, 200],
      [tomorrow, 200],
    ],
  ],
] as const)('usage by %s sums up all that belongs together', (by, rows) => {
  expect(usageRows(shares, by, planOf).map(({ name, usage }) => [name, usage.inputTokens])).toEqual(rows);
});

it('a sum over workers has a cost as long as that of each is known', () => {
  expect(usageOfShares(shares)?.cost).toEqual({ usd: 0.0032, source: 'estimate' });
  expect(usageOfShares([])).toBeUndefined();
});
