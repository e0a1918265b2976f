// Usage limits: when they are over is told, and afterwards workers are sent on once.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { list } from '../../src/wire/parts.ts';
import { listTasksOutput, submitTaskOutput, updateTaskOutput } from '../../src/wire/tasks.ts';
import type { Fields } from '../support/mcp.ts';
import { eventually } from '../support/sandbox.ts';
import { openStand, type Server, type Stand, type Worker } from './crew.ts';

const status = z.looseObject({ suggested_calls: list(z.string()) });

let stand: Stand;
let server: Server;
beforeAll(async () => {
  stand = openStand();
  const config = join(stand.sandbox.dir('home/.config/crewmux'), 'config.json');
  writeFileSync(config, JSON.stringify({ limits: { resume_after_reset: true } }));
  server = await stand.serve();
});
afterAll(() => stand.dispose());

const bare = (name: string, more: Fields = {}) => server.one({ name, use_worktree: false, ...more });
/** Whoever steers knows better than the limit of the account. */
const stop = async (worker: Worker, seconds: number) => {
  await server.message(worker, `LIMIT ${seconds}`, { delivery: 'steer' });
  return server.until(worker.session_id, 'waiting');
};

it('is said with its time, with one call for all whom it stops; what is new for the account is kept', async () => {
  const [ada, bea] = await Promise.all([bare('ada'), bare('bea')]);
  const before = Date.now();
  for (const worker of [ada, bea]) {
    const seen = await stop(worker, 3_600);
    expect(seen).toMatchObject({ waiting_for: 'limit', limit: { detail: expect.stringContaining('5-hour limit') } });
    const resets = Date.parse(seen.limit?.resets_at ?? '') - before;
    expect(resets).toBeGreaterThan(3_590_000);
    expect(resets).toBeLessThan(3_660_000);
  }
  const { suggested_calls } = await server.call('crew_status', status);
  expect(suggested_calls.filter((call) => call.includes('message_workers'))).toHaveLength(1);
  const { sessions, warnings } = await server.spawn({ name: 'gus', use_worktree: false, prompt: 'SAY too early' });
  expect(warnings.join(' ')).toMatch(/gus: its first prompt is kept \(us: the usage limit of its account is over at 2/);
  const [gus] = sessions;
  if (gus === undefined) throw new Error('not spawned');
  expect(await server.until(gus.session_id, 'waiting')).toMatchObject({
    ...{ waiting_for: 'limit', pending_messages: 1, limit: { kind: 'account', resets_at: expect.any(String) } },
  });
  expect(await server.prompts(gus)).toEqual([]);
  const task = { title: 'Later', prompt: 'SAY later', brings: 'report' };
  const { task_id } = await server.call('submit_task', submitTaskOutput, task);
  await eventually('the task names the reset', async () => {
    const { tasks } = await server.call('list_tasks', listTasksOutput, { task_id });
    return tasks[0]?.state === 'queued' && tasks[0].reason?.includes(gus.limit?.resets_at ?? 'this starts after 2');
  });
  await server.call('update_task', updateTaskOutput, { task_id, action: 'cancel' });
  await Promise.all([ada, bea, gus].map((worker) => server.close(worker, true)));
});

it('ends for all of its account, one after the other and each once, also after the server was killed', async () => {
  const [one, two, three, four] = await Promise.all(['cleo', 'dora', 'edna', 'fay'].map((name) => bare(name)));
  if (one === undefined || two === undefined || three === undefined || four === undefined)
    throw new Error('not spawned');
  // A turn that ends well shows that the account works again.
  await stop(three, 15);
  await server.message(three, 'SAY written to', { delivery: 'steer', wait_mode: 'all', timeout: 60 });
  expect(await server.message(four, 'SAY free', { wait_mode: 'all' })).toMatchObject({ verdict: 'submitted' });
  const stopped = await stop(one, 5);
  const kept = await server.message(two, 'SAY kept');
  expect(kept).toMatchObject({ success: true, verdict: 'kept', hint: expect.stringContaining('after that time') });
  expect(kept.evidence.detail).toContain(stopped.limit?.resets_at);
  expect(await server.until(two.session_id, 'waiting')).toMatchObject({
    limit: { kind: 'account', resets_at: stopped.limit?.resets_at },
  });
  expect(await server.look(four.session_id)).toMatchObject({ status: 'idle' });
  process.kill(server.connection.pid, 'SIGKILL');
  server = await stand.serve();
  const isOn = async (worker: Worker, words: string) =>
    (await server.prompts(worker)).some((text) => text.includes(words));
  // Asked only once there is something to see.
  await server.wait([one, two, three, four], { on_attention: 'ignore', timeout: 60 });
  await eventually(
    'they were sent on',
    async () => (await isOn(one, 'limit is over')) && (await isOn(two, 'SAY kept')),
  );
  await server.wait([one, two, three, four]);
  expect(await server.prompts(one)).toHaveLength(2);
  expect(await server.prompts(two)).toEqual(['SAY kept']);
  expect(await server.prompts(three)).toEqual(['LIMIT 15', 'SAY written to']);
  expect(await server.prompts(four)).toEqual(['SAY free']);
  const begun = await Promise.all([one, two].map(async ({ session_id }) => (await server.look(session_id)).turn));
  const [first = 0, second = 0] = begun.map((turn) => Date.parse(turn?.started_at ?? '')).sort();
  expect(second - first).toBeGreaterThanOrEqual(4_000);
  expect(first).toBeGreaterThan(Date.parse(stopped.limit?.resets_at ?? ''));
});
