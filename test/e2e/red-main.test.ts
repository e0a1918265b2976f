// Tests that fail on the base already: nobody is sent back for it, and one decision goes for the whole plan.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isAlive } from '../support/mcp.ts';
import { eventually } from '../support/sandbox.ts';
import { commit, type JobServer, type JobStand, openJobStand } from './job-stand.ts';

let stand: JobStand;
let server: JobServer;
beforeEach(async () => {
  // What the tests write tells where they ran, and from a sandbox nothing would.
  stand = openJobStand({ merge: { sandbox: 'off' } });
  server = await stand.serveJobs();
});
afterEach(() => stand.dispose());

/** The commits at which a test command has run, in that order. */
const ranAt = () => readFileSync(join(stand.sandbox.root, 'ran'), 'utf8').split('\n').slice(0, -1);
const telling = (command: string) => `git rev-parse HEAD >>${join(stand.sandbox.root, 'ran')}; ${command}`;
const timesAt = (sha: string) => ranAt().filter((one) => one === sha).length;

function redMain(): string {
  writeFileSync(join(stand.repo, 'red.txt'), 'red');
  stand.git('add', 'red.txt');
  stand.git('commit', '-qm', 'Break the tests');
  return stand.git('rev-parse', 'main');
}
const isGreen = 'test ! -e red.txt || { echo "red.txt is there"; false; }';

const jobs = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ name, prompt: `${commit(`${name}.txt`, name)}\nSAY done` }));
const stateOf = async (plan: string) =>
  (await server.status(plan)).jobs?.map(({ state, bounces = 0, attempts }) => ({ state, bounces, attempts }));
const all = (state: string) => jobs.map(() => ({ state, bounces: 0, attempts: 1 }));

it('five jobs on a red main: one checkpoint, nobody is sent back, and one continue lands them all, after a kill too', async () => {
  const base = redMain();
  const { plan_id, integration_branch } = await server.plan({
    ...{ name: 'red', jobs, on_complete: 'merge', strategy: 'squash', test_command: telling(isGreen) },
  });
  const first = await server.awaited({ plan_id });
  const { checkpoint } = first;
  expect(first).toMatchObject({
    checkpoint: { at: 'on_error', why: expect.stringMatching(/^the tests fail on main already: red\.txt is there\n/) },
  });
  await eventually('all have worked', async () => (await stateOf(plan_id))?.every(({ state }) => state === 'landing'));
  expect(await stateOf(plan_id)).toEqual(all('landing'));
  expect(ranAt()).toHaveLength(2);
  const about = { plan_id, checkpoint: 'on_error' };
  expect(checkpoint?.calls.slice(0, 6).map((line) => JSON.parse(line.slice(line.indexOf('{'))))).toMatchObject([
    { ...about, action: 'continue' },
    { ...about, action: 'retry' },
    { ...about, action: 'relaunch' },
    { ...about, action: 'skip' },
    { plan_id, test_command: '' },
    { plan_id },
  ]);
  process.kill(server.connection.pid, 'SIGKILL');
  await eventually('the server is gone', () => !isAlive(server.connection.pid));
  server = await stand.serveJobs();
  expect((await server.awaited({ plan_id })).checkpoint).toEqual(checkpoint);
  await server.make(checkpoint?.calls[0]);
  expect(await server.awaited({ plan_id })).toMatchObject({ plan_state: 'completed', all_ended: true });
  expect(await stateOf(plan_id)).toEqual(all('landed'));
  const { tests = [] } = await server.status(plan_id);
  expect(tests.map(({ status, output }) => `${status} ${output}`)).toEqual(jobs.map(() => 'failed red.txt is there\n'));
  expect(stand.subjects(`${base}..main`)).toHaveLength(5);
  expect(stand.git('rev-parse', 'main')).toBe(stand.git('rev-parse', integration_branch));
  // The base once, each landing of a job once, and the first and the last landing once more.
  expect(timesAt(base)).toBe(1);
  expect(ranAt()).toHaveLength(1 + 5 + 2);
});

it('the call that names no tests lands all of them, and the failed tests are not held against anybody', async () => {
  redMain();
  const { plan_id } = await server.plan({ name: 'none', jobs, test_command: telling(isGreen) });
  const { checkpoint } = await server.awaited({ plan_id });
  await server.make(checkpoint?.calls.find((line) => line.startsWith('edit_plan')));
  expect(await server.awaited({ plan_id })).toMatchObject({ plan_state: 'completed' });
  expect(await stateOf(plan_id)).toEqual(all('landed'));
  expect((await server.status(plan_id)).tests?.map(({ status }) => status)).toEqual(jobs.map(() => 'none'));
  expect(ranAt()).toHaveLength(2);
  expect(JSON.stringify(await server.connection.call('poll_worker_changes'))).not.toContain('bounced');
});

it('a retry tests the base anew, and what passes then lands', async () => {
  const base = redMain();
  const mended = join(stand.sandbox.root, 'mended');
  const { plan_id } = await server.plan({
    ...{ name: 'again', jobs: jobs.slice(0, 1), test_command: telling(`test -e ${mended}`) },
  });
  const first = await server.awaited({ plan_id });
  await server.make(first.checkpoint?.calls[1]);
  const second = await eventually('it waits again', async () => {
    const { checkpoint } = await server.status(plan_id);
    return timesAt(base) === 2 && checkpoint;
  });
  expect(second.why).toContain('the tests fail on main already: they print nothing');
  writeFileSync(mended, '');
  await server.make(second.calls[1]);
  expect(await server.awaited({ plan_id })).toMatchObject({ plan_state: 'completed' });
  expect((await server.status(plan_id)).tests).toMatchObject([{ status: 'passed' }]);
});

const mend = 'BASH git rm -q bad.txt && git commit -qm Mend';
it('a job that fails tests is sent back where the base passes them, and they run there once', async () => {
  const base = stand.git('rev-parse', 'main');
  const { plan_id } = await server.plan({
    name: 'sent',
    test_command: telling(`test ! -e bad.txt || { echo '${mend}'; false; }`),
    jobs: ['one', 'two'].map((name) => ({
      name,
      prompt: `${commit(`${name}.txt`, name)}\n${commit('bad.txt', 'bad')}\nSAY done`,
      depends_on: name === 'two' ? ['one'] : [],
    })),
  });
  expect(await server.awaited({ plan_id })).toMatchObject({ plan_state: 'completed' });
  // What the first has landed has passed them, so the second needs no look at it.
  expect((await server.status(plan_id)).jobs).toMatchObject([
    { state: 'landed', bounces: 1 },
    { state: 'landed', bounces: 1 },
  ]);
  expect(timesAt(base)).toBe(1);
  expect(ranAt()).toHaveLength(4 + 1);
});

it('a single task on a red main has failed with that reason, is not sent back, and names the call that lands it', async () => {
  const base = redMain();
  const order = { prompt: `${commit('t.txt', 't')}\nSAY done`, on_complete: 'merge', test_command: telling(isGreen) };
  const first = await server.submit(order);
  expect(await server.awaited({ task_ids: [first.task_id] })).toMatchObject({ ended: [first.task_id] });
  const failed = await server.task(first.task_id);
  expect(failed).toMatchObject({
    state: 'failed',
    reason: expect.stringMatching(/^the tests fail on main already: red\.txt is there/),
  });
  expect(failed.bounces ?? 0).toBe(0);
  const other = await server.submit({ ...order, prompt: `${commit('u.txt', 'u')}\nSAY done` });
  await server.comes(other.task_id, 'failed');
  expect(timesAt(base)).toBe(1);
  expect(await server.make(failed.next_calls.find((line) => line.startsWith('merge_worker')))).toMatchObject({
    outcome: 'landed',
  });
});
