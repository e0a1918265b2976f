import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { describeTool } from '../../src/mcp/describe-tool.ts';
import { described } from '../../src/mcp/described.ts';
import { tools } from '../../src/tools/index.ts';
import { worker } from '../../src/wire/worker.ts';
import { root } from '../laws/source.ts';
import { type Connection, connect } from '../support/mcp.ts';
import { eventually, makeSandbox, type Sandbox } from '../support/sandbox.ts';
import { buildStub, type Stub, stubServer } from '../support/stub.ts';

let sandbox: Sandbox;
let stub: Stub;
let server: Connection;

beforeAll(async () => {
  sandbox = makeSandbox();
  stub = stubServer({ sandbox, program: buildStub(sandbox.root) });
  server = await connect({ ...stub, clientName: 'claude-code', roots: ['https://example.invalid/', fileUri()] });
});
afterAll(async () => {
  await server?.close().finally(() => sandbox.dispose());
});
const fileUri = () => pathToFileURL(`${sandbox.root}/my project`).href;

const arguments_: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  spawn_workers: { workers: [{ project_path: 'auto' }] },
  examine_worker: { session_id: 'ada', screen_lines: 3 },
  close_workers: { session_ids: ['ada'] },
  adopt_worker: { tmux_pane_id: '%1' },
  annotate_worker: { session_id: 'ada', annotation: 'new' },
  restart_workers: { session_ids: ['ada'] },
  message_workers: { session_ids: ['ada'], message: 'Hello' },
  interrupt_workers: { session_ids: ['ada'] },
  answer_worker: { session_id: 'ada', decision: 'allow' },
  diff_worker: { session_id: 'ada' },
  merge_worker: { session_id: 'ada' },
  sync_worker: { session_id: 'ada' },
  open_pull_request: { session_id: 'ada' },
  read_worker_logs: { session_id: 'ada' },
  read_worker_screen: { session_id: 'ada' },
  ask_expert: { question: 'Why?' },
  check_idle_workers: { session_ids: ['ada'] },
  wait_idle_workers: { session_ids: ['ada'], timeout: 0 },
  set_permissions: { scope: 'default', allow: ['Bash(npm test *)'] },
  list_worktrees: { repo_path: '/project' },
  submit_task: { title: 'Cart', prompt: 'Write it.' },
  update_task: { task_id: 't1', action: 'start' },
  wait_tasks: { task_ids: ['t1'], timeout: 0 },
  create_plan: { name: 'shop', jobs: [{ name: 'api', prompt: 'Write it.' }] },
  approve_plan: { plan_id: 'p1', checkpoint: 'start' },
  edit_plan: { plan_id: 'p1', skip: ['api'] },
  cancel_plan: { plan_id: 'p1' },
  schedule_task: { action: 'list' },
  run_loop: { action: 'status' },
};

describe('tools over a real client', () => {
  it.each(tools.map(({ name }) => name))(
    '%s answers with what its output schema promises and a short text',
    async (name) => {
      const result = await server.answer(name, arguments_[name] ?? {});
      expect(result.isError).toBeUndefined();
      expect(result.structuredContent).toBeTypeOf('object');
      expect(result.content).toMatchObject([{ type: 'text', text: expect.stringMatching(/\S/) }]);
      expect(JSON.stringify(result).length).toBeLessThan(50_000);
    },
  );

  it('lists every tool with both schemas, hints and the few that are always loaded', async () => {
    const listed = (await server.client.listTools()).tools;
    expect(listed.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
    expect(
      listed
        .filter(({ _meta }) => _meta?.['anthropic/alwaysLoad'] === true)
        .map(({ name }) => name)
        .sort(),
    ).toEqual([
      'answer_worker',
      'crew_status',
      'list_workers',
      'message_workers',
      'spawn_workers',
      'wait_idle_workers',
      'wait_tasks',
    ]);
  });

  it('lists from the build what the schemas say now', async () => {
    const { tools: listed } = await server.client.listTools();
    expect(listed).toEqual(JSON.parse(JSON.stringify(tools.map(describeTool))));
    expect(described).toEqual({});
    expect(readFileSync(stub.args[0] ?? '', 'utf8')).toContain('manager:()=>JSON.parse');
  });

  it('keeps a list of hundreds of workers below the limit, each worker whole, and says how many more there are', async () => {
    const result = await server.call('list_workers', { include_closed: true });
    expect(JSON.stringify(result).length).toBeLessThan(50_000);
    const { workers, more } = z
      .looseObject({ workers: z.array(worker), more: z.object({ count: z.number(), hint: z.string() }) })
      .parse(result);
    expect(result).toMatchObject({ count: 300, truncated: true });
    expect(more).toEqual({ count: 300 - workers.length, hint: expect.stringContaining('status_filter') });
  });

  it('cuts one overlong text instead of the messages around it', async () => {
    const result = await server.call('read_worker_logs', { session_id: 'ada' });
    expect(result).toMatchObject({
      truncated: true,
      messages: [{ content: expect.stringContaining('[truncated, 200000') }],
    });
  });
});

describe('errors', () => {
  it('passes an error of the crew on as code, message and hint, and nothing else', async () => {
    await expect(server.call('examine_worker', { session_id: 'nobody' })).rejects.toMatchObject({
      code: 'unknown_worker',
      message: 'No worker named "nobody".',
      hint: 'Call list_workers.',
    });
  });

  it('calls its own mistakes internal, names the log, and the log has the stack', async () => {
    await expect(server.call('examine_worker', { session_id: 'boom' })).rejects.toMatchObject({
      code: 'internal',
      message: expect.stringContaining('the floor gave way'),
      hint: expect.stringContaining(stub.logPath),
    });
    expect(readFileSync(stub.logPath, 'utf8')).toMatch(/the floor gave way\n\s+at /);
  });

  it('refuses an unknown parameter before the crew hears of it', async () => {
    await expect(server.call('list_workers', { status_filtre: 'idle' })).rejects.toMatchObject({
      code: 'unknown_parameter',
      hint: expect.stringContaining('Did you mean "status_filter"'),
    });
  });

  it.each([
    ['list_worker', 'Did you mean list_workers?'],
    ['conjure', 'Call one of the tools that tools/list shows.'],
  ])('answers a call of %s, which is no tool, with the nearest there is, and lists no others', async (name, hint) => {
    await expect(server.call(name)).rejects.toMatchObject({ code: 'unknown_tool', hint });
  });
});

describe('slash commands as prompts', () => {
  const skills = join(root, 'plugin/skills');
  const textOf = (name: string) => readFileSync(join(skills, name, 'SKILL.md'), 'utf8');

  it('are all of the plugin, each with the words it takes', async () => {
    const { prompts } = await server.client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(readdirSync(skills));
    expect(prompts.find(({ name }) => name === 'merge-worker')).toEqual({
      name: 'merge-worker',
      description: expect.stringContaining('land it'),
      arguments: [
        { name: 'worker', required: false },
        { name: 'wishes', required: false },
      ],
    });
  });

  it('are the text of the plugin, with the words given in their place as they are', async () => {
    const given = { worker: ' Ada', wishes: 'into $& now' };
    const { messages } = await server.client.getPrompt({ name: 'merge-worker', arguments: given });
    const body = textOf('merge-worker').replace(/^---\n[\s\S]*?\n---\n/, '');
    expect(messages).toEqual([
      { role: 'user', content: { type: 'text', text: body.split('$ARGUMENTS').join('Ada into $& now') } },
    ]);
    const bare = await server.client.getPrompt({ name: 'crew' });
    expect(JSON.stringify(bare)).toContain('<words>\\n\\n</words>');
  });

  it.each([
    [{ name: 'merge-workers' }, /No prompt is named "merge-workers"\. There are: .*merge-worker/],
    [{ name: 'crew', arguments: { wrker: 'ada' } }, /No argument of crew is named "wrker"\. There are: action, worker/],
  ])('that are not there are named with those that are: %o', async (asked, words) => {
    await expect(server.client.getPrompt(asked)).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(words),
    });
  });

  it.each([
    ['worker', 'A', ['ada']],
    ['action', 'l', ['launch', 'list']],
    ['wishes', 'a', []],
  ])('know what %s may be that begins with %s', async (name, value, values) => {
    const { completion } = await server.client.complete({
      ref: { type: 'ref/prompt', name: 'crew' },
      argument: { name, value },
    });
    expect(completion.values).toEqual(values);
  });
});

describe('older words', () => {
  it('mean what they were given for', async () => {
    for (const [older, status] of Object.entries({ ready: 'idle', busy: 'working', spawning: 'starting' })) {
      await server.call('list_workers', { status_filter: older });
      expect(stub.diary()).toContain(`list ${JSON.stringify({ includeClosed: false, status })}`);
    }
    await server.call('spawn_workers', { workers: [{ project_path: '/p', badge: 'fix login', issue_id: 'app-7' }] });
    expect(stub.diary().join('\n')).toContain('"annotation":"fix login","bead":"app-7"');
  });
});

describe('what a call knows of its client', () => {
  it('is the first root that is a folder', async () => {
    await server.call('spawn_workers', { workers: [{ project_path: 'auto' }] });
    expect(stub.diary().join('\n')).toContain(`"here":"${sandbox.root}/my project"`);
  });

  it('is the patience of that client', async () => {
    const giveUp = new AbortController();
    const asked = { session_ids: ['ada'], timeout: 86_400 };
    const call = server.call('wait_idle_workers', asked, { signal: giveUp.signal });
    await eventually('it waits less', () => stub.diary().includes(`wait ${3 * 3_600_000} ms`));
    giveUp.abort();
    await expect(call).rejects.toThrow();
  });

  it('is that it has lost interest: a cancelled call aborts its signal, and the server goes on', async () => {
    const giveUp = new AbortController();
    const call = server.call('wait_idle_workers', { session_ids: ['ada'], timeout: 99 }, { signal: giveUp.signal });
    await eventually('the wait has begun', () => stub.diary().some((line) => line === 'wait 99000 ms'));
    giveUp.abort();
    await expect(call).rejects.toThrow();
    await eventually('the wait is aborted', () => stub.diary().includes('wait aborted'));
    await expect(server.call('crew_status')).resolves.toMatchObject({ attach: null });
  });
});
