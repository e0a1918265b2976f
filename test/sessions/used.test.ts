import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { claudeAgent } from '../../src/agents/claude/claude.ts';
import { claudeSessions } from '../../src/agents/claude/sessions.ts';
import { codexAgent } from '../../src/agents/codex/codex.ts';
import { codexSessions } from '../../src/agents/codex/sessions.ts';
import { localDay } from '../../src/model/time-zone.ts';
import { addUsage, spentOn, spentTogether } from '../../src/sessions/used.ts';
import { emptyLedger, type Ledger, spentOf } from '../../src/usage/ledger.ts';
import { usageOf } from '../../src/usage/usage.ts';
import { casesOf } from '../agents/recordings.ts';
import { answer, cost, nextDay, noon } from './usage-lines.ts';

const trace = (agent: typeof claudeSessions, isSubagent = false) => ({
  agent,
  file: { path: '/t', size: 0, modifiedAt: 0, agentSessionId: 's', ...(isSubagent && { isSubagent }) },
});
const ledgerOf = (lines: readonly string[], isSubagent = false): Ledger =>
  addUsage(emptyLedger, lines, trace(claudeSessions, isSubagent));

describe.each([
  [
    'claude',
    claudeAgent,
    claudeSessions,
    {
      ...{ cleared: '3075 in, 12 out, 0.01254 by agent', resumed: '6204 in, 24 out, 0.025296 by estimate' },
      ...{ forked: '3116 in, 12 out, 0.012704 by estimate', compacted: '6506 in, 24 out, 0.026504 by estimate' },
    },
  ],
  [
    'codex',
    codexAgent,
    codexSessions,
    {
      ...{ cleared: '100 in, 13 out, 0.00089 by estimate', resumed: '200 in, 26 out, 0.00178 by estimate' },
      ...{ forked: '100 in, 13 out, 0.00089 by estimate', compacted: '300 in, 39 out, 0.00267 by estimate' },
    },
  ],
] as const)('a recording of %s', (_, agent, sessions, sums) => {
  const recorded = casesOf(agent).flatMap(({ folder, name }) => {
    try {
      return [{ name, lines: readFileSync(join(folder, 'transcript.jsonl'), 'utf8').split('\n') }];
    } catch {
      return [];
    }
  });

  test('has used the same whichever lines are understood, but for what a fork has copied', () => {
    const lazy = { ...sessions, usageIn: agent.decodeLine };
    const odd = recorded.filter(({ lines }) => {
      const [one, other] = [sessions, lazy].map((how) => addUsage(emptyLedger, lines, trace(how)));
      return JSON.stringify(one) !== JSON.stringify(other);
    });
    expect(odd.map(({ name }) => name)).toEqual(agent === claudeAgent ? ['forked'] : []);
  });

  test.each(Object.entries(sums))('%s has used %s', (wanted, sum) => {
    const { lines } = recorded.find(({ name }) => name === wanted) ?? { lines: [] };
    const usage = usageOf(spentTogether(addUsage(emptyLedger, lines, trace(sessions)), []), {});
    const { inputTokens, outputTokens, cost: { usd, source } = {} } = usage ?? {};
    expect(`${inputTokens} in, ${outputTokens} out, ${usd} by ${source}`).toBe(sum);
  });
});

describe('a session with subagents', () => {
  const told = (usd: number) => ({ usd, source: 'agent' });
  const estimate = (usd: number) => ({ usd, source: 'estimate' });
  const early = ledgerOf([answer('s1', { at: noon - 5, isSidechain: true })], true);
  const late = ledgerOf([answer('s2', { at: noon + 5, isSidechain: true })], true);

  it.each([
    ['that has no figure of its agent is an estimate of all', [answer('m1')], [early], estimate(0.00128), 200],
    ['has the figure that holds them', [answer('m1'), cost(0.5)], [early], told(0.5), 200],
    ['has an estimate once one of them went on', [answer('m1'), cost(0.5)], [late], estimate(0.00128), 200],
    [
      'has the figure and what it used since',
      [answer('m1'), cost(0.5), answer('m2', { at: noon + 1 })],
      [],
      estimate(0.50064),
      200,
    ],
  ])('%s', (_, lines, subagents, usd, tokens) => {
    const usage = usageOf(spentTogether(ledgerOf(lines), subagents), {});
    expect([usage?.cost, usage?.inputTokens]).toEqual([usd, tokens]);
  });

  it('does not count their lines where its own transcript has them', () => {
    expect(spentOf(ledgerOf([answer('s1', { isSidechain: true })])).tokens).toEqual([]);
  });
});

it('a day has the answers of that day alone, whatever figure its end has', () => {
  const ledger = ledgerOf([answer('m1'), answer('m2', { at: nextDay }), answer('m2', { at: nextDay }), cost(9)]);
  expect(usageOf(spentOn(localDay(nextDay), [ledger, ledger]), {})).toEqual({
    ...{ inputTokens: 200, outputTokens: 24, cacheTokens: 0 },
    cost: { usd: 0.00128, source: 'estimate' },
  });
  expect(usageOf(spentOn('2020-01-01', [ledger]), {})).toBeUndefined();
});
