import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { launchWords } from '../../../src/agents/agent.ts';
import { claudeAgent } from '../../../src/agents/claude/claude.ts';
import { codexAgent } from '../../../src/agents/codex/codex.ts';
import { genericAgent } from '../../../src/agents/generic/generic.ts';
import { castInRole, changedRole, lacking, pastParallel, withRole } from '../../../src/crew/lifecycle/role-order.ts';
import type { StartOrder } from '../../../src/crew/lifecycle/start-order.ts';
import { roleResolver } from '../../../src/crew/workers/roles.ts';
import type { Role } from '../../../src/settings/roles/role-file.ts';
import { loadSettings } from '../../../src/settings/settings.ts';
import { homeAt } from '../../../src/store/home.ts';
import { openRestingCrew, type RestingCrew } from '../../support/resting-crew.ts';

const role: Role = {
  ...{ name: 'scout', text: 'Look.', model: 'opus', permissionMode: 'plan', sandbox: false, tools: ['Read'] },
  ...{ mcpServers: { docs: { command: 'of role' }, own: {} }, deny: [], leftOut: [] },
};
const asked: StartOrder = { project: '/p', role: 'scout' };
const plain = { type: 'sh', takes: new Set<(typeof launchWords)[number]>() };

describe('the call beats the role', () => {
  it.each<[string, Partial<StartOrder>, object]>([
    [
      'where it says nothing',
      {},
      { model: 'opus', permissionMode: 'plan', sandbox: false, mcpServers: role.mcpServers },
    ],
    ['by its model', { model: 'haiku' }, { model: 'haiku' }],
    ['by its mode', { permissionMode: 'auto' }, { permissionMode: 'auto' }],
    ['by its sandbox', { sandbox: true }, { sandbox: true }],
    ['by a server of the same name', { mcpServers: { docs: {} } }, { mcpServers: { docs: {}, own: {} } }],
  ])('%s', (_, order, expected) => {
    expect(withRole({ ...asked, ...order }, role, claudeAgent)).toMatchObject({ ...asked, ...expected });
  });
});

it('a mode without any check comes from a call alone, and an agent without words for a part goes without', () => {
  const bold = { ...role, permissionMode: 'bypassPermissions' };
  expect(withRole(asked, bold, claudeAgent)).not.toHaveProperty('permissionMode');
  expect(withRole(asked, role, plain)).toEqual({ ...asked, sandbox: false });
});

it.each([
  ['opus', codexAgent],
  ['claude-sonnet-5', codexAgent],
  ['gpt-6-sol', claudeAgent],
])('the model %s is refused by name for %o', (model, agent) => {
  expect(() => withRole(asked, { ...role, model }, agent)).toThrow(
    `The role scout has the model "${model}", which ${agent.type} does not know.`,
  );
  expect(withRole({ ...asked, model: 'mine' }, { ...role, model }, agent)).toMatchObject({ model: 'mine' });
});

it.each<[string, Parameters<typeof lacking>, readonly string[]]>([
  ['all it says', [role, { order: asked, agent: claudeAgent, skips: false }], []],
  [
    'no limit of tools',
    [role, { order: asked, agent: codexAgent, skips: false }],
    ['codex has no words for tools of the role scout; it goes without.'],
  ],
  [
    'nothing but its text',
    [role, { order: { ...asked, prompt: 'x' }, agent: plain, skips: false }],
    [
      'sh has no words for model, permissionMode, tools, mcpServers of the role scout; it goes without.',
      'sh takes no system prompt, so the text of the role scout stands before its first prompt.',
    ],
  ],
  [
    'no mode without checks',
    [
      { ...role, permissionMode: 'bypassPermissions' },
      { order: asked, agent: claudeAgent, skips: false },
    ],
    [
      'permissionMode "bypassPermissions" of the role scout does not count without skip_permissions of the call or your defaults.',
    ],
  ],
  [
    'that mode, where somebody else says so',
    [
      { ...role, permissionMode: 'bypassPermissions' },
      { order: asked, agent: claudeAgent, skips: true },
    ],
    [],
  ],
])('a worker gets of its role %s', (_, given, warnings) => {
  expect(lacking(...given)).toEqual(warnings);
});

const living = (name: string, more: object = {}) => ({ name, crew: 'shop', role: 'scout', ...more });
it.each<[string, number | undefined, readonly ReturnType<typeof living>[], readonly string[]]>([
  ['as many as its role lets work', 2, [living('ada')], []],
  ['one more of a role without such a bound', undefined, [living('ada')], []],
  ['one beside workers of other roles and crews', 1, [living('a', { role: 'b' }), living('c', { crew: 'd' })], []],
  [
    'one more than its role lets work',
    1,
    [living('ada')],
    [
      'The role scout has max_parallel 1, and 2 of its workers live now: ada, bruno. It holds back tasks and jobs alone.',
    ],
  ],
])('a spawn of %s is warned about accordingly', (_, maxParallel, others, warnings) => {
  const bruno = { name: 'bruno', crew: 'shop', order: asked, role: maxParallel === undefined ? {} : { maxParallel } };
  expect(pastParallel(bruno, { drafted: [bruno], living: others })).toEqual(warnings);
  const ofTask = { ...bruno, order: { ...asked, task: { id: 't', attempt: 1 } } };
  expect(pastParallel(ofTask, { drafted: [ofTask], living: others })).toEqual([]);
});

it('an agent that takes no system prompt gets the text before its first prompt, and keeps nothing of it for later', async () => {
  const home = homeAt('/nowhere');
  const { root } = home;
  const agent = genericAgent('sh', undefined);
  const { settings } = loadSettings({ env: { CREWMUX_HOME: root }, userHome: root, projectPath: root });
  const context = {
    agents: { builtIn: [], named: () => agent, of: () => agent },
    environment: { server: { HOME: root, CREWMUX_HOME: root }, git: {}, remote: {} },
    home,
    settingsFor: () => ({ settings, problems: [] }),
  };
  const order = { project: root, role: 'generalist', prompt: 'Tidy up.' };
  const resolveRole = roleResolver(context);
  const cast = await castInRole(context, order, { name: 'ada', settings, folders: [root], resolveRole });
  expect(cast.firstWords('Tidy up.')).toMatch(/^## What you own[\s\S]*\n\nTidy up\.$/);
  expect(cast.firstWords(undefined)).toBeUndefined();
  expect(cast).not.toHaveProperty('standingPrompt');
  expect(cast.warnings).toEqual([
    'ada: sh takes no system prompt, so the text of the role generalist stands before its first prompt.',
  ]);
});

describe('in a project', () => {
  let crew: RestingCrew;
  let file: string;
  const calm = { signal: new AbortController().signal, tell: () => undefined };
  const text = (body: string, more = '') => `---\nname: scout\n${more}---\n${body}\n`;
  beforeAll(async () => {
    crew = await openRestingCrew({ CREWMUX_COMMAND: process.execPath, CREWMUX_CODEX_COMMAND: process.execPath });
    const folder = join(crew.sandbox.home, '.config/crewmux/roles');
    mkdirSync(folder, { recursive: true });
    file = join(folder, 'scout.md');
  });
  afterAll(() => crew.dispose());

  const ahead = (name: string) =>
    crew.crew.asksAhead({ project: crew.repo, starts: [{ name: 'page', lands: true, role: name }] });

  it('an unknown role is refused with the known ones, before a worker is made and before a task is entered', async () => {
    const words =
      'There is no role "revewer". Known: architect, implementer, tester, reviewer, devops, documenter, generalist.';
    await expect(ahead('revewer')).rejects.toMatchObject({ code: 'invalid_argument', message: words });
    const { failed } = await crew.crew.start({ workers: [{ project: crew.repo, role: 'revewer' }] }, calm);
    expect(failed).toMatchObject([{ step: 'check', error: `invalid_argument: ${words}` }]);
  });

  it('a role with a fault is unknown, and the refusal says why', async () => {
    writeFileSync(file, text('', 'model: opus\n'));
    await expect(ahead('scout')).rejects.toMatchObject({
      message: expect.stringContaining(`${file} is left aside as a whole: it has no text below its front matter.`),
    });
  });

  it('a role that may not edit brings a report, by its preset, its tools or its rules', async () => {
    const denies = async (more: string) => {
      writeFileSync(file, text('Look.', more));
      return crew.crew.deniesEditing({ project: crew.repo, role: 'scout' });
    };
    expect(await denies('')).toBe(false);
    expect(await denies('crewmux: {preset: review}\n')).toBe(true);
    expect(await denies('tools: Read, Grep\n')).toBe(true);
    expect(await denies('disallowedTools: Edit\n')).toBe(true);
    expect(await crew.crew.deniesEditing({ project: crew.repo, role: 'architect' })).toBe(true);
    expect(await crew.crew.deniesEditing({ project: crew.repo, role: 'tester' })).toBe(false);
  });

  it('any agent is the one that the role names, where it names one', async () => {
    // No cost of a Codex without a model is known.
    const start = { name: 'page', lands: true, role: 'scout', agentType: 'any', maxCostUsd: 1 };
    const bounded = () => crew.crew.asksAhead({ project: crew.repo, starts: [start] });
    writeFileSync(file, text('Look.'));
    await expect(bounded()).rejects.toMatchObject({ message: expect.stringContaining('page has max_cost_usd') });
    writeFileSync(file, text('Look.', 'crewmux: {agent: claude}\n'));
    await bounded();
  });

  it('a model of another agent and a bound that cannot be held refuse a task, which only its start would tell else', async () => {
    const asked = (more: object) =>
      crew.crew.asksAhead({ project: crew.repo, starts: [{ name: 'page', lands: true, role: 'scout', ...more }] });
    writeFileSync(file, text('Look.', 'model: opus\n'));
    await asked({});
    await asked({ agentType: 'codex', model: 'gpt-5.5' });
    for (const agentType of ['codex', 'any'])
      await expect(asked({ agentType })).rejects.toThrow(
        'The role scout has the model "opus", which codex does not know.',
      );
    await expect(asked({ agentType: 'nobody' })).rejects.toThrow('There is no agent "nobody"');
    writeFileSync(file, text('Look.', 'crewmux: {agent: codex, max_cost_usd: 1}\n'));
    await expect(asked({})).rejects.toThrow('page has max_cost_usd, and names no model for codex');
  });

  it('a denial that an agent cannot be held to refuses a task of that agent', async () => {
    const asked = (more: object) =>
      crew.crew.asksAhead({ project: crew.repo, starts: [{ name: 'page', lands: true, role: 'scout', ...more }] });
    writeFileSync(file, text('Look.', 'disallowedTools: WebFetch\n'));
    await expect(asked({ agentType: 'codex' })).rejects.toThrow('cannot be held to the rule that denies WebFetch');
    for (const agentType of ['claude', 'any']) await asked({ agentType });
    await asked({ agentType: 'codex', role: 'reviewer' });
  });

  it('keys that are not carried over are named once for all workers', async () => {
    writeFileSync(file, text('Look.', 'hooks: {}\nskills: [a]\n'));
    const starts = ['a', 'b'].map((name) => ({ name, lands: true, role: 'scout' }));
    const warnings = await crew.crew.asksAhead({ project: crew.repo, starts });
    expect(warnings.filter((words) => words.includes('carry'))).toEqual([
      `crewmux does not carry over from ${file}: hooks, skills.`,
    ]);
  });

  it('whoever starts workers later knows the agent of a role and how many may work at once', async () => {
    const facts = (role: string) => crew.crew.roleFacts({ project: crew.repo, role });
    writeFileSync(file, text('Look.', 'crewmux: {agent: codex, max_parallel: 2}\n'));
    expect(await facts('scout')).toEqual({ agentType: 'codex', maxParallel: 2 });
    expect(await facts('tester')).toEqual({});
    expect(await facts('nobody')).toEqual({});
  });

  it('rules of its file and rules that are set for it add up', async () => {
    writeFileSync(file, text('Look.', 'disallowedTools: WebFetch\ncrewmux: {preset: test}\n'));
    const held = () => crew.crew.setRules({ scope: 'role:scout' });
    expect(await held()).toMatchObject({ rules: { preset: 'test', deny: ['WebFetch'] } });
    expect((await held()).not_enforced_by).toContainEqual({ agent_type: 'codex', list: 'deny', rule: 'WebFetch' });
    await crew.crew.setRules({ scope: 'role:scout', deny: ['WebSearch'] });
    expect(await held()).toMatchObject({ rules: { preset: 'test', deny: ['WebFetch', 'WebSearch'] } });
    const { failed } = await crew.crew.start(
      { workers: [{ project: crew.repo, role: 'scout', agentType: 'codex' }] },
      calm,
    );
    expect(failed[0]?.error).toContain('A codex worker cannot be held to the rule that denies WebFetch.');
  });

  it('a file that has changed since its worker began is said at its return', () => {
    writeFileSync(file, text('Look.'));
    const sha256 = createHash('sha256').update(text('Look.')).digest('hex');
    const back = { name: 'ada', role: 'scout', roleKept: { source: file, sha256, deny: [] } };
    expect(changedRole(back)).toEqual([]);
    writeFileSync(file, text('Look twice.'));
    expect(changedRole(back)).toEqual([
      `ada keeps its role scout as it was when it began: ${file} has changed since. A new worker gets it as it is now.`,
    ]);
  });
});
