// Room for one task at a time, workers that ask before they act, and answers of many tasks.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { listTasksOutput } from '../../src/wire/tasks.ts';
import { commit, type JobServer, type JobStand, openJobStand } from './job-stand.ts';

let stand: JobStand;
let server: JobServer;
beforeAll(async () => {
  stand = openJobStand({ defaults: { skip_permissions: false, sandbox: 'off' }, limits: { max_parallel: 1 } });
  server = await stand.serveJobs();
});
afterAll(() => stand.dispose());

const talk = { brings: 'report' } as const;

it('a second task waits for room, and a more urgent one goes before it', async () => {
  const first = await server.submit({ ...talk, title: 'First', prompt: 'HOLD room\nSAY done' });
  await server.comes(first.task_id, 'running');
  const second = await server.submit({ ...talk, title: 'Second', prompt: 'SAY second' });
  const urgent = await server.submit({ ...talk, title: 'Urgent', prompt: 'SAY urgent', priority: 9 });
  const task_ids = [first, second, urgent].map(({ task_id }) => task_id);
  const early = await server.awaited({ task_ids, timeout: 0.3 });
  expect(early).toMatchObject({ timed_out: true, all_ended: false, waiting_on: task_ids });
  expect((await server.task(second.task_id)).state).toBe('queued');
  stand.release('room');
  expect(await server.awaited({ task_ids, mode: 'any' })).toMatchObject({ ended: [first.task_id], timed_out: false });
  await server.awaited({ task_ids });
  const [one, two] = await Promise.all([second, urgent].map(({ task_id }) => server.task(task_id)));
  expect(Date.parse(two?.ended_at ?? '')).toBeLessThanOrEqual(Date.parse(one?.started_at ?? ''));
});

it('a worker that asks for leave ends the wait with the call that answers it', async () => {
  const { task_id } = await server.submit({ title: 'Asks', prompt: `${commit('asked.txt', '1')}\nSAY done` });
  const { attention } = await server.awaited({ task_ids: [task_id] });
  expect(attention).toMatchObject([{ waiting_for: 'permission', tool: { name: 'Bash' } }]);
  expect((await server.comes(task_id, 'waiting')).next_calls[0]).toBe(attention[0]?.answer_with[0]);
  await server.call('answer_worker', z.looseObject({}), { session_id: attention[0]?.session_id, decision: 'allow' });
  expect(await server.awaited({ task_ids: [task_id] })).toMatchObject({ tasks: [{ state: 'done' }], attention: [] });
});

it('a bound on a cost that cannot be known is refused before anything is made', async () => {
  const before = (await server.call('list_tasks', listTasksOutput)).count;
  const branches = stand.git('for-each-ref', '--format=%(refname)');
  const bound = { prompt: 'SAY never', agent_type: 'codex', max_cost_usd: 1 };
  const refused = (name: string) => `invalid_argument: ${name} has max_cost_usd, and names no model for codex`;
  expect(await server.refusal('submit_task', { title: 'Dear', ...bound })).toContain(refused('Dear'));
  const jobs = [
    { name: 'cheap', prompt: 'SAY never' },
    { name: 'dear', ...bound },
  ];
  expect(await server.refusal('create_plan', { name: 'costs', jobs })).toContain(refused('dear'));
  expect((await server.call('list_tasks', listTasksOutput)).count).toBe(before);
  expect(stand.git('for-each-ref', '--format=%(refname)')).toBe(branches);
  const { plan_id } = await server.plan({
    ...{ name: 'late', mode: 'copilot' },
    jobs: [{ name: 'cheap', prompt: 'SAY never', max_cost_usd: 1 }],
  });
  expect(await server.refusal('edit_plan', { plan_id, add: [{ name: 'dear', ...bound }] })).toContain(refused('dear'));
});

it('answers about a hundred jobs stay within bounds, and say what they leave out', async () => {
  const criteria = 'It does all that stands here. '.repeat(12);
  const { plan_id } = await server.plan({
    name: 'many',
    mode: 'copilot',
    jobs: Array.from({ length: 100 }, (_, at) => ({
      name: `job-${at}`,
      prompt: 'SAY done',
      touch_set: [`src/part-${at}/`],
      acceptance_criteria: criteria,
      depends_on: at < 10 ? [] : [`job-${at - 10}`],
    })),
  });
  const sizeOf = async (tool: string, args: object) => {
    const { structuredContent, content } = await server.connection.answer(tool, { ...args });
    return Math.max(JSON.stringify(structuredContent).length, JSON.stringify(content).length);
  };
  const sizes = await Promise.all([
    sizeOf('plan_status', { plan_id }),
    sizeOf('list_tasks', { plan_id }),
    sizeOf('wait_tasks', { plan_id, timeout: 1 }),
    sizeOf('approve_plan', { plan_id }),
  ]);
  for (const size of sizes) expect(size).toBeLessThan(44_000);
  const { tasks, count, more } = await server.call('list_tasks', listTasksOutput, { plan_id });
  expect(count).toBe(100);
  expect(tasks.length).toBeLessThan(100);
  expect(more?.count).toBe(100 - tasks.length);
  const cancelled = await server.connection.answer('cancel_plan', { plan_id });
  expect(JSON.stringify(cancelled.structuredContent).length).toBeLessThan(44_000);
  expect(await server.awaited({ plan_id })).toMatchObject({ plan_state: 'cancelled' });
});
