// Tasks and plans whose workers only talk: nothing is done that has left nothing, unless somebody takes it so.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isAlive } from '../support/mcp.ts';
import { eventually } from '../support/sandbox.ts';
import { commit, type JobServer, type JobStand, openJobStand } from './job-stand.ts';

let stand: JobStand;
let server: JobServer;
beforeAll(async () => {
  stand = openJobStand({ permissions: { roles: { scout: { preset: 'explore' } } } });
  server = await stand.serveJobs();
});
afterAll(() => stand.dispose());

it('a job that only talks stops its plan in autopilot, after a restart too; accepted it is done, and the next job starts', async () => {
  const first = await stand.serveJobs();
  const { plan_id, integration_branch } = await first.plan({
    name: 'talking',
    jobs: [
      { name: 'talks', prompt: 'SAY I would change the cart.' },
      { name: 'after', prompt: `${commit('after.txt', 'after')}\nSAY done`, depends_on: ['talks'] },
      { name: 'beside', prompt: `${commit('beside.txt', 'beside')}\nSAY done` },
      { name: 'told', prompt: 'SAY The cart is in cart.ts.', brings: 'report' },
    ],
  });
  const words = 'left nothing: I would change the cart.';
  const { checkpoint } = await first.awaited({ plan_id });
  expect(checkpoint).toMatchObject({ at: 'on_error', job: 'talks', why: `talks: ${words}` });
  const ended = async (of: JobServer) =>
    eventually('all but one have ended', async () => {
      const { jobs = [], ...status } = await of.status(plan_id);
      return jobs.filter(({ state }) => /^(failed|landed|done)$/.test(state)).length === 3 && { ...status, jobs };
    });
  await ended(first);
  process.kill(first.connection.pid, 'SIGKILL');
  await eventually('the server is gone', () => !isAlive(first.connection.pid));

  const status = await ended(server);
  expect(status).toMatchObject({ state: 'paused', checkpoint });
  expect(status.jobs).toMatchObject([
    { name: 'talks', state: 'failed' },
    { name: 'after', state: 'blocked', attempts: 0 },
    { name: 'beside', state: 'landed' },
    { name: 'told', state: 'done', brings: 'report' },
  ]);
  expect(checkpoint?.calls.map((call) => /"action":"(\w+)"/.exec(call)?.[1])).toEqual([
    'retry',
    'relaunch',
    'accept',
    'skip',
    undefined,
  ]);
  await server.make(checkpoint?.calls[2]);
  expect(await server.awaited({ plan_id })).toMatchObject({ plan_state: 'completed', all_ended: true });
  const { jobs } = await server.status(plan_id);
  expect(jobs?.map(({ state }) => state)).toEqual(['done', 'landed', 'landed', 'done']);
  expect(jobs?.[0]?.reason).toBe('accepted, though it left nothing');
  expect(stand.subjects(`main..${integration_branch}`)).toEqual(['Write after.txt', 'Write beside.txt']);
  await server.until(jobs?.[0]?.worker?.session_id ?? '', 'closed');
});

it('a job that left nothing lands what it brings once it is relaunched', async () => {
  const { plan_id, integration_branch } = await server.plan({
    name: 'relaunched',
    jobs: [{ name: 'talks', prompt: 'SAY Shall I?' }],
  });
  expect((await server.awaited({ plan_id })).checkpoint?.why).toBe('talks: left nothing: Shall I?');
  await server.approve(plan_id, {
    ...{ job: 'talks', action: 'relaunch' },
    prompt: `${commit('made.txt', 'made')}\nSAY done`,
  });
  expect(await server.awaited({ plan_id })).toMatchObject({ plan_state: 'completed' });
  expect(stand.subjects(`main..${integration_branch}`)).toEqual(['Write made.txt']);
});

it('a job whose change is on the target already is done, and landed at no commit of another', async () => {
  const { plan_id, integration_branch } = await server.plan({
    name: 'same',
    jobs: [
      { name: 'first', prompt: `${commit('same.txt', 'same')}\nSAY done` },
      { name: 'second', prompt: `HOLD same\n${commit('same.txt', 'same')}\nSAY done` },
    ],
  });
  await eventually('the first has landed', async () => (await server.status(plan_id)).jobs?.[0]?.state === 'landed');
  const at = stand.git('rev-parse', integration_branch);
  stand.release('same');
  expect(await server.awaited({ plan_id })).toMatchObject({ plan_state: 'completed' });
  const [, second] = (await server.status(plan_id)).jobs ?? [];
  expect(second).toMatchObject({ state: 'done', reason: expect.stringContaining('holds everything') });
  expect(second?.evidence?.landed_at).toBeUndefined();
  expect(stand.git('rev-parse', integration_branch)).toBe(at);
});

it('a single task that left nothing holds up what depends on it until it is taken as a report', async () => {
  const talk = await server.submit({ title: 'Talk', prompt: 'SAY All is well.' });
  const next = await server.submit({
    title: 'Next',
    prompt: 'WRITE new.txt new\nSAY done',
    depends_on: [talk.task_id],
  });
  expect((await server.awaited({ task_ids: [talk.task_id, next.task_id] })).tasks).toMatchObject([
    { state: 'failed', reason: 'left nothing: All is well.' },
    { state: 'blocked' },
  ]);
  const { next_calls } = await server.task(talk.task_id);
  await server.make(next_calls.find((call) => call.includes('brings')));
  expect((await server.awaited({ task_ids: [talk.task_id, next.task_id] })).tasks).toMatchObject([
    { state: 'done', reason: 'accepted, though it left nothing' },
    { state: 'done', reason: '1 file in its worktree is in no commit' },
  ]);
});

it('where the rules of its role deny editing a task brings a report, and outside of a repository no commit is promised', async () => {
  const scout = await server.submit({ title: 'Scout', role: 'scout', prompt: 'SAY It is in cart.ts.' });
  expect(scout.brings).toBe('report');
  expect((await server.awaited({ task_ids: [scout.task_id] })).tasks).toMatchObject([{ state: 'done' }]);
  const { warnings } = await server.plan({
    name: 'scouting',
    jobs: [{ name: 'look', role: 'scout', prompt: 'SAY It is in cart.ts.' }],
  });
  expect(warnings).toEqual([]);
  const folder = stand.sandbox.dir('no-repository');
  const refused = { title: 'Nowhere', prompt: 'SAY hi', brings: 'commit', project_path: folder };
  expect(await server.refusal('submit_task', refused)).toContain('nothing can be committed there');
});
