import { describe, expect, it } from 'vitest';
import { localDay } from '../../src/model/time-zone.ts';
import {
  emptyLedger,
  type Ledger,
  type LedgerRow,
  spentOf,
  type UsageLine,
  withLine,
  withTold,
} from '../../src/usage/ledger.ts';
import { usageOf } from '../../src/usage/usage.ts';

const noon = new Date(2026, 10, 25, 12).getTime();
const nextDay = noon + 86_400_000;
/** 0.028 dollars. */
const row = (messageId: string, at = noon, more: Partial<LedgerRow> = {}): UsageLine => ({
  model: 'claude-opus-5-5',
  usage: {
    at,
    messageId,
    inputTokens: 1_000,
    outputTokens: 400,
    cacheTokens: 32_000,
    cacheWriteTokens: 2_000,
    ...more,
  },
});
const figure = (costUsd: number): UsageLine => ({ costUsd });

interface Story {
  readonly since?: number;
  readonly file?: string;
}

const told = (ledger: Ledger, costUsd: number, { at = noon, of = 'a' } = {}): Ledger =>
  withTold(ledger, { agentSessionId: of, costUsd, at });

function counted(lines: readonly UsageLine[], { since = 0, file = 'a' }: Story = {}, before = emptyLedger): Ledger {
  return lines.reduce((ledger, line) => withLine(ledger, line, { file, conversation: file, since }), before);
}
const costOf = (ledger: Ledger, day?: string) => usageOf(spentOf(ledger, day), {})?.cost;
const agent = (usd: number) => ({ usd, source: 'agent' });
const estimate = (usd: number) => ({ usd, source: 'estimate' });

describe('the cost of a worker', () => {
  it.each<[string, Ledger, unknown]>([
    ['one turn', counted([row('m1')]), estimate(0.028)],
    ['one turn, told', told(counted([row('m1')]), 0.028), agent(0.028)],
    ['a second turn under way', counted([row('m2', noon + 1)], {}, told(counted([row('m1')]), 0.028)), estimate(0.056)],
    [
      'a row that comes after the figure that holds it',
      counted([row('m1', noon)], {}, told(emptyLedger, 0.028)),
      agent(0.028),
    ],
    ['a compaction, of which no row tells', told(told(counted([row('m1')]), 0.028), 0.03), agent(0.03)],
    ['the end, told twice', told(counted([row('m1'), figure(0.028)]), 0.028), agent(0.028)],
    ['a return, which goes on from its last figure', told(told(told(emptyLedger, 0.028), 0.028), 0.05), agent(0.05)],
    [
      'a return after a kill, whose figure begins before its end',
      told(told(told(emptyLedger, 0.05), 0.028), 0.04),
      agent(0.062),
    ],
    ['two conversations, the first cleared', told(told(emptyLedger, 0.05), 0.01, { of: 'b' }), agent(0.06)],
  ])('is to the cent that of %s', (_, ledger, cost) => {
    expect(costOf(ledger)).toEqual(cost);
  });

  it('leaves out what a conversation had cost before the worker took it up', () => {
    const taken = counted([row('m1', noon - 5), figure(0.5), row('m2', noon + 1)], { since: noon });
    expect(costOf(taken)).toEqual(estimate(0.028));
    expect(costOf(told(taken, 0.528, { at: noon + 2 }))).toEqual(agent(0.028));
  });

  it('of a fork begins with its first own message', () => {
    const fork = counted([row('m1', noon - 5), row('m2', noon + 1)], { since: noon, file: 'fork' });
    expect(costOf(told(fork, 0.028, { at: noon + 2, of: 'fork' }))).toEqual(agent(0.028));
    expect(usageOf(spentOf(fork), {})).toMatchObject({ inputTokens: 1_000, outputTokens: 400, cacheTokens: 32_000 });
  });

  it('stands by the day on which it was told', () => {
    const first = told(counted([row('m1')]), 0.028);
    const second = told(counted([row('m2', nextDay)], {}, first), 0.068, { at: nextDay });
    expect(costOf(second, localDay(noon))).toEqual(agent(0.028));
    expect(costOf(second, localDay(nextDay))).toEqual(agent(0.04));
    expect(costOf(second)).toEqual(agent(0.068));
    expect(costOf(second, '2020-01-01')).toBeUndefined();
  });
});

describe('the tokens of a worker', () => {
  const tokens = (ledger: Ledger) => {
    const { inputTokens = 0, outputTokens = 0 } = usageOf(spentOf(ledger), {}) ?? {};
    return [inputTokens, outputTokens];
  };
  const sum = (input: number, output: number) => ({ inputTokens: input, outputTokens: output, cacheTokens: 0 });
  const small = (messageId: string, [input, output]: readonly [number, number], total?: readonly [number, number]) =>
    ({
      usage: { at: noon, messageId, ...sum(input, output), ...(total && { total: sum(...total) }) },
    }) satisfies UsageLine;

  it.each<[string, readonly UsageLine[], readonly number[]]>([
    [
      'a message of several lines counts once, by its last',
      [small('m1', [10, 1]), small('m1', [10, 7]), small('m2', [20, 5])],
      [30, 12],
    ],
    [
      'a record that is written again counts once',
      [small('r1', [10, 1], [10, 1]), small('r1', [10, 1], [10, 1])],
      [10, 1],
    ],
    [
      'a record that comes again later counts once',
      [small('r1', [10, 1], [10, 1]), small('r2', [5, 1], [15, 2]), small('r2b', [5, 1], [15, 2])],
      [15, 2],
    ],
    [
      'a sum tells also what no record has told',
      [small('r1', [10, 1], [10, 1]), small('r3', [5, 1], [40, 9])],
      [40, 9],
    ],
    [
      'a fork begins with its first record, whatever the sum',
      [small('r9', [10, 1], [510, 51]), small('r10', [5, 1], [515, 52])],
      [15, 2],
    ],
    [
      'a sum that begins anew counts by its records',
      [small('r1', [10, 1], [90, 9]), small('r2', [5, 1], [5, 1])],
      [15, 2],
    ],
  ])('%s', (_, lines, all) => {
    expect(tokens(counted(lines))).toEqual(all);
  });

  it('stand by model', () => {
    const ledger = counted([row('m1'), { ...row('m2'), model: 'claude-sonnet-5-5' }]);
    expect(spentOf(ledger).tokens.map(({ model }) => model)).toEqual(['claude-opus-5-5', 'claude-sonnet-5-5']);
    expect(costOf(ledger)).toEqual(estimate(0.042));
  });
});

it('a day begins at midnight here', () => {
  expect([new Date(2026, 0, 2, 0, 0), new Date(2026, 0, 2, 23, 59)].map((at) => localDay(at.getTime()))).toEqual([
    '2026-01-02',
    '2026-01-02',
  ]);
});
