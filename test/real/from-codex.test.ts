// A real Codex as the manager: the server comes from config.toml, and every step is a tool call of its model.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { type LeadingCodex, openLeadingCodex } from './leading-codex.ts';

let manager: LeadingCodex;
beforeAll(async () => {
  manager = await openLeadingCodex({ entry: 'default_tools_approval_mode = "approve"' });
});
afterAll(() => manager.dispose());

const found = z.array(z.object({ name: z.string(), tools: z.array(z.object({ name: z.string() })) }));

/** What the tool search of Codex finds of ours, best first. */
async function search(query: string): Promise<readonly string[]> {
  const { results } = await manager.call('tool_search', { query });
  const spaces = found.parse(JSON.parse(results.join('')));
  return spaces.find(({ name }) => name === 'mcp__crewmux')?.tools.map(({ name }) => name) ?? [];
}

test('before any search the model is told what the server is for, in the one line Codex gives it', async () => {
  const { told } = await manager.call('tool_search', { query: 'worker' });
  const line = /- mcp__crewmux: (.*)/.exec(told.join('\n'))?.[1];
  expect(line).toMatch(/Claude Code and Codex.*in parallel.*start.*wait.*workers\. /);
});

test.each([
  ['start a worker', 'spawn_workers'],
  ['spawn agents in parallel', 'spawn_workers'],
  ['delegate a task to another agent', 'spawn_workers'],
  ['run a claude code session', 'spawn_workers'],
  ['wait until workers finish', 'wait_idle_workers'],
  ['wait for agents to be done', 'wait_idle_workers'],
  ['send a message to an agent', 'message_workers'],
  ['stop an agent', 'interrupt_workers'],
  ['close the workers', 'close_workers'],
  ['read what the worker did', 'read_worker_logs'],
  ['status of the crew', 'crew_status'],
  ['list running agents', 'list_workers'],
  ['resume after restart', 'restart_workers'],
  ['approve a permission request of a worker', 'answer_worker'],
  ['answer the question of a worker', 'answer_worker'],
  ['rules of what a worker may do without asking', 'set_permissions'],
  ['adopt an agent that is already running', 'adopt_worker'],
])('the tool search of Codex finds, for "%s", %s among its first four', async (query, tool) => {
  expect((await search(query)).slice(0, 4)).toContain(tool);
});

const use = async (tool: string, args: object) => (await manager.call(`mcp__crewmux/${tool}`, args)).results.join('\n');

test('a manager spawns a worker of each kind, waits, reads and closes them by its own tools, and none of them is a manager', async () => {
  const { home, repo } = manager;
  const spawned = await use('spawn_workers', {
    workers: [
      { project_path: 'auto', name: 'ada', prompt: 'SAY the cart is done' },
      { project_path: 'auto', name: 'bruno', agent_type: 'codex', prompt: 'SAY the login is done' },
    ],
  });
  expect(spawned).toContain('"count":2');
  expect(spawned).toContain('"failed":[]');
  expect(await use('wait_idle_workers', { session_ids: ['ada', 'bruno'], timeout: 240 })).toContain('"all_idle":true');
  const ofWorker = home.model.requests.find(
    ({ kind, cwd, prompt }) => kind === 'turn' && cwd !== repo && prompt.includes('the login is done'),
  );
  expect(ofWorker?.told.join('\n')).toContain('Deferred tool namespaces');
  expect(ofWorker?.told.join('\n')).not.toContain('mcp__crewmux');
  expect(await use('read_worker_logs', { session_id: 'ada' })).toContain('the cart is done');
  expect(await use('read_worker_logs', { session_id: 'bruno' })).toContain('the login is done');
  const again = { session_ids: ['bruno'], message: 'SAY and again', wait_mode: 'all', timeout: 120 };
  expect(await use('message_workers', again)).toContain('"verdict":"submitted"');
  expect(await use('close_workers', { session_ids: ['ada', 'bruno'] })).toContain('"success_count":2');
  expect(home.sandbox.git(repo, 'status', '--porcelain')).toBe('');
});

const needs = z.object({
  attention: z.array(z.object({ request_id: z.string(), tool: z.looseObject({ name: z.string() }) })),
});

test.each([
  ['claude', 'BASH git tag asked'],
  ['codex', 'ESCALATE touch asked.txt'],
])(
  'a wait hands the manager what a %s worker asks, and its answer lets the worker go on',
  async (agent_type, asking) => {
    const prompt = `${asking}\nSAY ${agent_type} went on`;
    // In its sandbox Claude Code asks for no such thing.
    const sandbox = agent_type === 'codex';
    await use('spawn_workers', { workers: [{ project_path: 'auto', name: agent_type, agent_type, prompt, sandbox }] });
    const told = await use('wait_idle_workers', { session_ids: [agent_type], timeout: 240 });
    const { attention } = needs.parse(JSON.parse(told.slice(told.indexOf('{'))));
    expect(attention).toHaveLength(1);
    const answer = { session_id: agent_type, request_id: attention[0]?.request_id, decision: 'allow' };
    expect(await use('answer_worker', answer)).toContain('"success":true');
    expect(await use('wait_idle_workers', { session_ids: [agent_type], timeout: 240 })).toContain('"all_idle":true');
    expect(await use('read_worker_logs', { session_id: agent_type })).toContain(`${agent_type} went on`);
    await use('close_workers', { session_ids: [agent_type], force: true });
  },
);
