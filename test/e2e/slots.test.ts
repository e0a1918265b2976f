// A task with all that a worker is started with, and a slot that is spawned, refused and used again.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { spawnOutput } from '../../src/wire/starting.ts';
import { statusOutput } from '../../src/wire/status.ts';
import { listOutput } from '../../src/wire/worker.ts';
import { eventually } from '../support/sandbox.ts';
import { type JobServer, type JobStand, openJobStand } from './job-stand.ts';

let stand: JobStand;
let server: JobServer;
beforeAll(async () => {
  stand = openJobStand({ slots: [{ id: 'tester-1', role: 'tester', description: 'runs tests' }] });
  server = await stand.serveJobs();
});
afterAll(() => stand.dispose());

const slots = async () => (await server.call('crew_status', statusOutput, {})).slots;

it('a held task, edited and started, has its worker see model, variables, set-up and system prompt', async () => {
  const held = await server.submit({
    ...{ prompt: 'SAY no', start: false, brings: 'report', keep_worker: true, env: { CART_WORD: 'apple' } },
    ...{ setup_commands: ['echo "$CART_WORD pie" > made.txt'] },
  });
  expect(held).toMatchObject({ state: 'queued', held: true });
  await server.update(held.task_id, 'edit', {
    prompt: 'BASH echo "$CART_WORD" > seen.txt\nSAY done',
    task: { append_system_prompt: 'Be short.' },
  });
  await server.update(held.task_id, 'start', { model: 'fast' });
  const { worker } = await server.comes(held.task_id, 'done');
  const { workers } = await server.call('list_workers', listOutput, { fields: 'full' });
  const one = workers.find(({ session_id }) => session_id === worker?.session_id);
  expect(one).toMatchObject({ model: 'fast' });
  const read = (name: string) => readFileSync(join(one?.worktree_path ?? '', name), 'utf8');
  expect([read('made.txt'), read('seen.txt')]).toEqual(['apple pie\n', 'apple\n']);
  const launch = join(stand.sandbox.dir('crewmux'), 'workers', one?.session_id ?? '', 'launches', '1');
  const files = readdirSync(launch, { withFileTypes: true }).filter((entry) => entry.isFile());
  expect(files.some(({ name }) => readFileSync(join(launch, name), 'utf8').includes('Be short.'))).toBe(true);
});

it('a slot has one worker, whose id is its name; a task of its role takes it, and starts it where it is free', async () => {
  const free = { id: 'tester-1', role: 'tester', description: 'runs tests', worker: 'free' };
  expect(await slots()).toEqual([free]);
  const filled = await server.submit({ prompt: 'SAY all pass', role: 'tester', brings: 'report' });
  expect(await server.comes(filled.task_id, 'done')).toMatchObject({ worker: { name: 'tester-1' } });
  await eventually('it is free again', async () => (await slots())[0]?.worker === 'free');

  const { sessions } = await server.spawn({ slot: 'tester-1', project_path: 'auto', prompt: 'SAY ready' });
  expect(sessions).toMatchObject([{ name: 'tester-1', slot: 'tester-1', role: 'tester' }]);
  const refused = await server.refusal('spawn_workers', { workers: [{ slot: 'tester-1' }] });
  expect(refused).toMatch(/^worker_busy: The slot tester-1 has its worker tester-1 .*message_workers/);
  await server.wait(sessions);
  const [own] = sessions;
  if (own === undefined) throw new Error('not spawned');
  const account = {
    files_changed: [],
    what_done: 'Work of before.',
    what_open: '',
    what_tested: '',
    what_untested: '',
  };
  await (await stand.toolsOf(own)).call('submit_report', { ...account, next_steps: '', errors_encountered: '' });
  const reused = await server.submit({ prompt: 'SAY again', role: 'tester', brings: 'report' });
  const ended = await server.comes(reused.task_id, 'done');
  expect(ended.worker?.session_id).toBe(own.session_id);
  const { tasks } = await server.awaited({ task_ids: [reused.task_id] });
  expect(tasks[0]?.report, 'it was made before').toBeUndefined();
  expect(await server.reports({ task_id: reused.task_id })).toEqual([]);
  expect(await slots()).toMatchObject([{ worker: { name: 'tester-1', session_id: sessions[0]?.session_id } }]);

  await server.close(own);
  const next = await server.one({ slot: 'tester-1', project_path: 'auto' });
  const { sessions: returned } = await server.call('restart_workers', spawnOutput, { session_ids: [own.session_id] });
  expect(returned).toMatchObject([{ session_id: own.session_id, role: 'tester' }]);
  expect(returned[0]).not.toHaveProperty('slot');
  await server.close(next);
  expect(await slots()).toEqual([free]);
});
