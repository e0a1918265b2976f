import { utimesSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { localDay } from '../../src/model/time-zone.ts';
import { emptyLedger } from '../../src/usage/ledger.ts';
import { eventually } from '../support/sandbox.ts';
import { makeHome, uuid } from './home.ts';
import { answer, noon, tokenRecord } from './usage-lines.ts';

let home: ReturnType<typeof makeHome>;
beforeEach(() => {
  home = makeHome();
});
afterEach(() => home.sandbox.dispose());

const usages = async (query: object, more: object = {}) => {
  const { sessions = [] } = await home.ask({ active_only: false, ...query }, noon, more);
  return Object.fromEntries(sessions.map((one) => [one.agent_session_id, one.usage]));
};
const tokens = (input_tokens: number, output_tokens: number, cache_tokens = 0) => ({
  ...{ input_tokens, output_tokens, cache_tokens },
});
const estimate = (usd: number) => ({ cost: { usd, source: 'estimate' } });

it('usage is left out until it was read, and then holds that of subagents, by the prices that count', async () => {
  home.transcript('lead', `${answer('m1')}\n${answer('m2')}\n`);
  home.transcript('lead/subagents/agent-s1', `${answer('s1', { isSidechain: true })}\n`);
  home.rollout(uuid(1), [tokenRecord('r1')]);
  home.transcript('quiet', home.line({ type: 'user', message: { role: 'user', content: 'x' } }));
  expect(await usages({})).toEqual({ lead: undefined, s1: undefined, quiet: undefined, [uuid(1)]: undefined });
  await eventually('usage is read', async () => Object.values(await usages({})).filter(Boolean).length === 3);
  const all = {
    lead: { ...tokens(300, 36), ...estimate(0.00192) },
    s1: { ...tokens(100, 12), ...estimate(0.00064) },
    [uuid(1)]: tokens(400, 7, 100),
    quiet: undefined,
  };
  expect(await usages({})).toEqual(all);
  const prices = { 'claude-*': { input: 1, output: 0, cache_read: 0, cache_write: 0 } };
  expect((await usages({}, { prices })).lead).toEqual({ ...tokens(300, 36), ...estimate(0.0003) });
});

it('a worker has the usage that is counted of it', async () => {
  home.transcript('ours', `${answer('m1')}\n`);
  const spent = { tokens: [{ inputTokens: 9, outputTokens: 8, cacheTokens: 7 }], toldUsd: 6, untold: [] };
  const ledger = () => ({ ...emptyLedger, contextLeft: 0.5, days: { '2030-01-01': spent } });
  const workers = [{ id: 'a1b2c3d4', name: 'ada', agentSessionId: 'ours', ledger }];
  expect(await usages({}, { workers })).toEqual({
    ours: { ...tokens(9, 8, 7), cost: { usd: 6, source: 'agent' }, context_left: 0.5 },
  });
});

it('the overview sums the answers of today, and says how many sessions it counts', async () => {
  const [lines, old] = [`${answer('m1', { at: noon - 86_400_000 })}\n${answer('m2')}\n`, `${answer('m3')}\n`];
  for (const [id, text, written] of [
    ['a', lines, noon],
    ['b', lines, noon],
    ['a/subagents/agent-s1', `${answer('s1', { isSidechain: true })}\n`, noon],
    ['of-yesterday', old, noon - 86_400_000],
  ] as const)
    utimesSync(home.transcript(id, text), written / 1_000, written / 1_000);
  expect(localDay(noon - 86_400_000)).not.toBe(localDay(noon));
  const ask = (query = {}) => home.ask({ view: 'overview', ...query }, noon);
  const first = await ask();
  expect(first.overview?.usage_today).toBeUndefined();
  expect(first.warnings).toEqual([
    'usage_today counts 0 of 3 sessions that were active today; ask again for the others',
  ]);
  const whole = await eventually('all are counted', async () => {
    const answer = await ask();
    return answer.warnings === undefined && answer;
  });
  expect(whole.overview?.usage_today).toEqual({ ...tokens(300, 36), ...estimate(0.00192) });
  expect((await ask({ session_id: 'b' })).overview?.usage_today).toMatchObject(tokens(100, 12));
  expect((await usages({}))['of-yesterday']).toBeUndefined();
});
