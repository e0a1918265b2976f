// A loop from its goal to its end: over a killed server, with its pauses, and called off.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { z } from 'zod';
import { runLoopOutput } from '../../src/wire/loops.ts';
import { statusOutput } from '../../src/wire/status.ts';
import { listTasksOutput } from '../../src/wire/tasks.ts';
import { type Fields, isAlive } from '../support/mcp.ts';
import { eventually } from '../support/sandbox.ts';
import { commit, type JobServer, type JobStand, openJobStand } from './job-stand.ts';
import { wordsOn } from './words.ts';

type Shown = z.output<typeof runLoopOutput>;

let stand: JobStand;
let server: JobServer;
beforeAll(async () => {
  stand = openJobStand();
  server = await stand.serveJobs();
});
afterAll(() => stand.dispose());

const loop = (action: string, more: Fields = {}) => server.call('run_loop', runLoopOutput, { action, ...more });
const comes = (what: string, is: (shown: Shown) => boolean) =>
  eventually(what, async () => {
    const shown = await loop('status');
    return is(shown) && shown;
  });

/** The tools of the planner of this iteration, once it is there. */
async function plannerOf(iteration: number) {
  const { plans } = await comes(`iteration ${iteration} is planned`, (shown) => shown.plans.length === iteration);
  const planId = plans.at(-1)?.plan_id ?? '';
  const worker = await eventually('its planner is there', async () => {
    const { tasks } = await server.call('list_tasks', listTasksOutput, { plan_id: planId });
    return tasks.find(({ title }) => title?.startsWith('Plan '))?.worker;
  });
  return { ...(await stand.toolsOf(worker)), planId };
}

/** The goal holds planners and jobs alike: those of this iteration go on, and the planner of the next holds again. */
async function landsOne(planId: string) {
  const isAt = (state: string) =>
    eventually(`its job is ${state}`, async () => (await server.status(planId)).jobs?.[0]?.state === state);
  await isAt('running');
  await server.connection.call('update_task', { action: 'pause' });
  stand.release('goal');
  await isAt('landing');
  rmSync(join(stand.sandbox.dir('home/.claude/scripted'), 'goal'));
  await server.connection.call('update_task', { action: 'resume' });
}

const job = (name: string) => ({
  name,
  prompt: `${commit(`${name}.txt`, name)}\nSAY ${name} is written`,
  acceptance_criteria: 'The file is there.',
  touch_set: ['*.txt'],
});

it('two iterations land on the branch of the loop, the second after a killed server, and then its goal is reached', async () => {
  const main = stand.git('rev-parse', 'main');
  const started = await loop('start', { goal: 'Write two files.\nHOLD goal', test_command: 'true' });
  expect(started).toMatchObject({ state: 'planning' });
  expect(await server.refusal('run_loop', { action: 'start', goal: 'Another.' })).toContain(started.loop_id);
  expect(await server.refusal('run_loop', { action: 'resume' })).toContain('not paused');

  const first = await plannerOf(1);
  expect(await first.call('submit_plan', { jobs: [job('one')] })).toMatchObject({ taken: true });
  await landsOne(first.planId);
  const second = await plannerOf(2);
  const { pid } = server.connection;
  process.kill(pid, 'SIGKILL');
  await eventually('the server is gone', () => !isAlive(pid));
  const handed = second.call('submit_plan', { jobs: [job('two')] });
  server = await stand.serveJobs();
  await handed;
  await landsOne(second.planId);

  const third = await plannerOf(3);
  expect(stand.git('rev-parse', `crewmux/loop-${started.loop_id}`)).not.toBe(main);
  expect(await third.call('submit_plan', { reached: true, why: 'Both files are there.' })).toMatchObject({
    taken: true,
  });
  const done = await comes('it is done', ({ state }) => state === 'done');
  expect(done).toMatchObject({
    ...{ loop_id: started.loop_id, iteration: 3, reason: 'Both files are there.' },
    plans: [{ state: 'completed' }, { state: 'completed' }, { state: 'completed' }],
    next_calls: [`open_pull_request {"plan_id":"${done.plans[1]?.plan_id}"}`],
  });
  expect(stand.subjects(`main..crewmux/loop-${started.loop_id}`)).toEqual(['Write two.txt', 'Write one.txt']);
  expect(stand.git('rev-parse', 'main')).toBe(main);
  stand.release('goal');
});

it('a planner that is not understood pauses it, a new goal goes on, and a stop calls off what has not begun', async () => {
  await loop('start', { goal: 'SAY I am lost.', max_iterations: 1 });
  const paused = await comes('it is paused', ({ state }) => state === 'paused');
  expect(paused.reason).toContain('its planner made no plan of the goal');
  expect(paused.reason).toContain('I am lost.');
  expect(await server.refusal('run_loop', { action: 'resume' })).toContain('Pass a max_iterations that is more.');
  const tooLong = { action: 'resume', goal: 'x'.repeat(20_001), max_iterations: 2 };
  expect(await server.refusal('run_loop', tooLong)).toContain('goal has 20001 characters');
  await loop('resume', { goal: 'HOLD again', max_iterations: 2 });
  await plannerOf(2);
  await loop('stop');
  const stopped = await comes('it is stopped', ({ state }) => state === 'stopped');
  expect(stopped.plans.map(({ state }) => state)).toEqual(['failed', 'cancelled']);
  expect(await server.refusal('run_loop', { action: 'stop' })).toContain('Nothing is left to stop.');
  stand.release('again');
});

it('a stop lets the plan that runs go on, and a stop with now cancels it and keeps its commits', async () => {
  const crewmux = wordsOn(stand);
  const { loop_id } = await loop('start', { goal: 'Write half.\nHOLD now' });
  const { planId, ...desk } = await plannerOf(1);
  const half = { ...job('half'), prompt: `${commit('half.txt', 'half')}\nHOLD half` };
  expect(await desk.call('submit_plan', { jobs: [half] })).toMatchObject({ taken: true });
  await comes('its plan runs', ({ state }) => state === 'running');
  stand.release('now');
  await eventually('its job has committed', () => stand.subjects('--branches').includes('Write half.txt'));
  const { next_calls } = await loop('stop');
  const second = await server.refusal('run_loop', { action: 'start', goal: 'Another.' });
  expect(second).toContain(`The loop ${loop_id} of this project is running and stops then`);
  expect(second).toContain(next_calls.at(-1));
  expect((await server.call('crew_status', statusOutput)).loops).toMatchObject([
    { says: expect.stringMatching(/ 1 of 10, running plan .*, and stops then$/), next_calls: [] },
  ]);
  expect((await crewmux('loop')).stdout).toContain(`loop ${loop_id} on crewmux/loop-${loop_id}: running, iteration 1`);
  expect((await crewmux('loop')).stdout).toContain('    crewmux loop stop --now\n');
  expect(await server.make(next_calls.at(-1))).toMatchObject({ loop_id });
  const stopped = await comes('it is stopped', ({ state }) => state === 'stopped');
  expect(stopped).toMatchObject({ loop_id, plans: [{ plan_id: planId, state: 'cancelled' }], next_calls: [] });
  expect((await server.status(planId)).jobs).toMatchObject([{ name: 'half', state: 'cancelled' }]);
  expect(stand.subjects('--branches')).toContain('Write half.txt');
  expect(await crewmux('loop', 'stop')).toMatchObject({ code: 1, stderr: expect.stringContaining('is stopped') });
  stand.release('half');

  const wrong = await crewmux('loop', 'start', 'Another.', '--max-iterations', 'few');
  expect(wrong.stderr).toContain('max_iterations is "few": expected a number.');
  await server.connection.call('update_task', { action: 'pause' });
  expect((await crewmux('loop', 'start', 'Another.', '--max-iterations', '2')).stdout).toContain(
    'the project is paused since',
  );
  const { reason, state } = await loop('stop');
  expect({ reason, state }).toEqual({ state: 'stopped' });
  await server.connection.call('update_task', { action: 'resume' });
});
