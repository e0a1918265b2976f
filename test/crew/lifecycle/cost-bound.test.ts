import { afterAll, beforeAll, expect, it } from 'vitest';
import { serversOf } from '../../../src/crew/lifecycle/spawn.ts';
import { costWarnings } from '../../../src/crew/lifecycle/start-order.ts';
import { openRestingCrew, type RestingCrew } from '../../support/resting-crew.ts';

const late = { type: 'claude', tellsCost: 'late' } as const;
const never = { type: 'codex', tellsCost: 'never' } as const;

it('a bound on an agent that tells no cost is refused by name, and one on an agent that tells it late is a warning', () => {
  expect(costWarnings([])).toEqual([]);
  expect(
    costWarnings([
      { name: 'api', agent: late },
      { name: 'page', agent: late },
    ]),
  ).toEqual([expect.stringContaining('The max_cost_usd of api, page is looked at late')]);
  expect(() =>
    costWarnings([
      { name: 'api', agent: late },
      { name: 'page', agent: never },
    ]),
  ).toThrow('page has max_cost_usd, and its agent codex does not tell what it costs, so nothing would hold it.');
});

let crew: RestingCrew;
beforeAll(async () => {
  crew = await openRestingCrew();
});
afterAll(() => crew.dispose());

type Start = Parameters<typeof crew.crew.asksAhead>[0]['starts'][number];

it('only what has a bound is looked at, with the configured agent where none is named', async () => {
  const ahead = async (start: Partial<Start>) =>
    (await crew.crew.asksAhead({ project: crew.repo, starts: [{ name: 'page', lands: true, ...start }] })).filter(
      (words) => words.includes('max_cost_usd'),
    );
  expect(await ahead({ agentType: 'codex' })).toEqual([]);
  expect(await ahead({ maxCostUsd: 1 })).toHaveLength(1);
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
