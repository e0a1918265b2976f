// A plan from its goal alone, through all its ends: approved, sent back, failed, cancelled, and over a killed server.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listTasksOutput } from '../../src/wire/tasks.ts';
import { isAlive } from '../support/mcp.ts';
import { eventually } from '../support/sandbox.ts';
import { commit, type JobServer, type JobStand, openJobStand } from './job-stand.ts';

let stand: JobStand;
let server: JobServer;
beforeAll(async () => {
  stand = openJobStand();
  server = await stand.serveJobs();
});
afterAll(() => stand.dispose());

const job = (name: string, more: object = {}) => ({
  name,
  prompt: `${commit(`${name}.txt`, name)}\nSAY done`,
  acceptance_criteria: 'The file is there.',
  touch_set: ['*.txt'],
  ...more,
});
const none = { session_id: '', name: '' };
const isClosed = async ({ session_id }: typeof none) => (await server.look(session_id)).status === 'closed';

it('a goal becomes a plan that is sent back once, outlives its server, and runs when it is approved', async () => {
  const made = await server.plan({ goal: 'Sell a cart.\nHOLD first', mode: 'supervisor' });
  const { plan_id, planner = none } = made;
  expect(made).toMatchObject({ name: 'Sell a cart. HOLD first', state: 'proposed', waves: [], planner: {} });
  expect(await server.refusal('approve_plan', { plan_id })).toContain('has no jobs yet: its planner is at work');
  expect(await server.refusal('edit_plan', { plan_id, skip: ['one'] })).toContain('has handed in no jobs yet');
  expect(await server.awaited({ plan_id, timeout: 0 })).toMatchObject({ plan_state: 'proposed', timed_out: true });

  const desk = await stand.toolsOf(planner);
  const handIn = (jobs: unknown) => desk.call('submit_plan', { jobs });
  expect((await desk.client.listTools()).tools.map(({ name }) => name)).toContain('submit_plan');
  await expect(handIn([job('one')])).rejects.toMatchObject({ message: expect.stringContaining('this one has 1.') });
  await expect(handIn([job('one', { role: 'juggler' }), job('two')])).rejects.toMatchObject({
    message: expect.stringContaining('juggler'),
  });
  expect(await handIn([job('one'), job('two')])).toMatchObject({ taken: true });
  await expect(handIn([job('one'), job('three')])).rejects.toMatchObject({
    message: expect.stringContaining('are with your manager already'),
  });
  stand.release('first');
  expect(await server.awaited({ plan_id })).toMatchObject({ plan_state: 'proposed', checkpoint: { at: 'start' } });
  expect(await server.status(plan_id)).toMatchObject({
    state: 'proposed',
    planner,
    waves: [['one', 'two']],
    critical_path: ['one'],
    warnings: [
      expect.stringContaining('one and two may run at the same time'),
      expect.stringContaining('No test command is known'),
    ],
  });
  expect(await server.refusal('approve_plan', { plan_id, action: 'relaunch' })).toContain('nothing says why');
  await server.approve(plan_id, { action: 'relaunch', prompt: 'One after the other.\nHOLD second' });
  await server.until(planner.session_id, 'working');
  const { pid } = server.connection;
  process.kill(pid, 'SIGKILL');
  await eventually('the server is gone', () => !isAlive(pid));
  const handed = handIn([job('one'), job('two', { depends_on: ['one'] })]);
  server = await stand.serveJobs();
  expect(await handed).toMatchObject({ next: expect.stringMatching(/^It holds/) });
  stand.release('second');
  expect(await server.status(plan_id)).toMatchObject({ waves: [['one'], ['two']], checkpoint: { at: 'start' } });
  await server.edit(plan_id, { edit: [{ name: 'two', priority: 9 }] });
  await server.approve(plan_id);
  // The mode counts now: each merge is approved.
  for (const name of ['one', 'two']) {
    expect(await server.awaited({ plan_id })).toMatchObject({ checkpoint: { at: 'pre_merge', job: name } });
    await server.approve(plan_id, { job: name });
  }
  expect(await server.awaited({ plan_id })).toMatchObject({ plan_state: 'completed' });
  await eventually('its planner is closed', () => isClosed(planner));
  expect(stand.subjects(`main..${made.integration_branch}`)).toEqual(['Write two.txt', 'Write one.txt']);
});

it('a planner that hands in nothing that holds, or nothing at all, or is called off, makes no plan', async () => {
  const silent = await server.plan({ goal: 'SAY I cannot do that.', name: 'silent' });
  expect(await server.awaited({ plan_id: silent.plan_id })).toMatchObject({ plan_state: 'failed' });
  const { reason, next_calls: [again] = [] } = await server.status(silent.plan_id);
  expect(reason).toBe('Its planner ended its turn without a plan that holds. Its last words: I cannot do that.');

  const wrong = await server.plan({ goal: 'HOLD wrong', name: 'wrong' });
  const desk = await stand.toolsOf(wrong.planner ?? none);
  const refused = (args: object) => desk.call('submit_plan', { ...args }).then(String, (error: Error) => String(error));
  expect(await refused({ jobs: [job('one', { skip_permissions: true })] })).toContain('skip_permissions');
  expect(await refused({ reached: true, why: 'done' })).toContain('reached is for the planner of a loop');
  expect(await refused({ jobs: [] })).toContain('this one has 0.');
  expect(await server.status(wrong.plan_id)).toMatchObject({
    state: 'failed',
    reason: expect.stringMatching(/^Its planner handed in 3 plans that do not hold; the last: .* has 0\./),
  });
  expect(await refused({ jobs: [] })).toContain('takes no jobs from you');
  stand.release('wrong');

  await server.connection.call('update_task', { action: 'pause' });
  const held = await server.plan({ goal: 'SAY held', name: 'held' });
  expect(held.warnings[0]).toBe('The project is paused: its planner begins after update_task {"action":"resume"}.');
  expect((await server.status(held.plan_id)).reason).toMatch(/so this does not start$/);
  await server.connection.call('cancel_plan', { plan_id: held.plan_id });
  await server.connection.call('update_task', { action: 'resume' });

  const off = await server.plan({ goal: 'HOLD off', name: 'off' });
  await server.connection.call('cancel_plan', { plan_id: off.plan_id });
  await eventually('its planner is closed', () => isClosed(off.planner ?? none));
  stand.release('off');

  // Other workers have no such tool.
  const { session_id } = await server.one({ use_worktree: false });
  const other = await stand.toolsOf({ session_id });
  expect((await other.client.listTools()).tools.map(({ name }) => name)).not.toContain('submit_plan');
  expect(await other.call('submit_plan', { jobs: [] }).then(String, String)).toContain('You make no plan.');

  await server.make(again);
  await eventually('it is planned again', async () => {
    const { tasks } = await server.call('list_tasks', listTasksOutput, { plan_id: silent.plan_id });
    return tasks[0]?.attempts === 2 && tasks[0].state === 'failed';
  });
});
