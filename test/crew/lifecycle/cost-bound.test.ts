import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Agent } from '../../../src/agents/agent.ts';
import { claudeAgent } from '../../../src/agents/claude/claude.ts';
import { codexAgent } from '../../../src/agents/codex/codex.ts';
import { modelOf } from '../../../src/crew/lifecycle/draft.ts';
import { serversOf } from '../../../src/crew/lifecycle/spawn.ts';
import { refuseUnknownCost, uncountedWords } from '../../../src/crew/lifecycle/start-order.ts';
import { openRestingCrew, type RestingCrew } from '../../support/resting-crew.ts';

describe('a bound in dollars', () => {
  const price = { input: 1, cache_write: 1, cache_read: 1, output: 1 };
  it.each<[tellsCost: Agent['tellsCost'], model: string | undefined, refusal: string | undefined]>([
    ['itself', undefined, undefined],
    ['itself', 'brand-new', undefined],
    ['tokens', 'gpt-5.5', undefined],
    ['tokens', 'own-model', undefined],
    ['tokens', 'brand-new', 'page has max_cost_usd, and has the model brand-new, whose price is not known'],
    ['tokens', undefined, 'page has max_cost_usd, and names no model for codex, which tells tokens alone'],
    ['nothing', 'gpt-5.5', 'page has max_cost_usd, and has the agent codex, which does not tell what it costs'],
  ])('on an agent that tells %s, with the model %s, is refused: %s', (tellsCost, model, refusal) => {
    const act = () =>
      refuseUnknownCost({ name: 'page', agent: { type: 'codex', tellsCost }, model, prices: { 'own-*': price } });
    if (refusal === undefined) expect(act).not.toThrow();
    else expect(act).toThrow(refusal);
    const told = uncountedWords({
      name: 'page',
      agent: { type: 'codex', tellsCost },
      model,
      prices: { 'own-*': price },
    });
    expect(told?.replace(/.*since the worker /, 'page has max_cost_usd, and ')).toBe(refusal && `${refusal}.`);
  });
});

let crew: RestingCrew;
beforeAll(async () => {
  crew = await openRestingCrew();
});
afterAll(() => crew.dispose());

type Start = Parameters<typeof crew.crew.asksAhead>[0]['starts'][number];

it('only what has a bound is looked at, with the configured agent where none is named', async () => {
  const ahead = (start: Partial<Start>) =>
    crew.crew.asksAhead({ project: crew.repo, starts: [{ name: 'page', lands: true, ...start }] });
  await ahead({ agentType: 'codex' });
  await ahead({ maxCostUsd: 1 });
  await ahead({ agentType: 'codex', model: 'gpt-5.5', maxCostUsd: 1 });
  const refused = { code: 'invalid_argument', message: expect.stringContaining('page has max_cost_usd') };
  await expect(ahead({ agentType: 'codex', maxCostUsd: 1 })).rejects.toMatchObject(refused);
});

it('a worker with such a bound is not started', async () => {
  const calm = { signal: new AbortController().signal, tell: () => undefined };
  const order = { project: crew.repo, name: 'bea', agentType: 'codex', maxCostUsd: 1 };
  const { failed, sessions } = await crew.crew.start({ workers: [order] }, calm);
  expect(sessions).toEqual([]);
  expect(failed).toMatchObject([
    { step: 'check', error: expect.stringContaining('invalid_argument: bea has max_cost') },
  ]);
});

it('configured servers come before those of an order, for an agent that takes any', () => {
  const settings = { defaults: { mcp_servers: { docs: { command: 'a' }, web: { command: 'b' } } } };
  const servers = (takes: readonly 'mcpServers'[], mcpServers?: Readonly<Record<string, unknown>>) =>
    serversOf({ agent: { takes: new Set(takes) }, order: mcpServers === undefined ? {} : { mcpServers }, settings });
  expect(servers(['mcpServers'], { web: { command: 'c' } })).toEqual({ docs: { command: 'a' }, web: { command: 'c' } });
  expect(servers(['mcpServers'])).toEqual(settings.defaults.mcp_servers);
  expect(servers([])).toBeUndefined();
});

it('a server with the name of our own is refused before any worker of it is started', async () => {
  const start = { name: 'page', lands: true, mcpServers: { crew: {} } };
  const refused = { code: 'invalid_argument', message: expect.stringContaining('a server named "crew"') };
  await expect(crew.crew.asksAhead({ project: crew.repo, starts: [start] })).rejects.toMatchObject(refused);
});

it.each<[string, Agent, string | undefined, string | undefined]>([
  ['of its own', claudeAgent, undefined, 'opus'],
  ['of another agent alone, and so none', codexAgent, undefined, undefined],
  ['of the call, whatever that is', codexAgent, 'sonnet', 'sonnet'],
])('with a configured model of Claude Code, a worker has one %s', (_, agent, asked, model) => {
  expect(modelOf({ agent, settings: { defaults: { model: 'opus' } }, asked })).toBe(model);
});
