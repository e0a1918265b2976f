// Two servers over one crew, and servers that are killed: one drives, the other goes on, and nothing is done twice.
import { appendFileSync, chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { listTasksOutput, updateTaskOutput } from '../../src/wire/tasks.ts';
import { isAlive } from '../support/mcp.ts';
import { eventually } from '../support/sandbox.ts';
import { agentCommand } from './crew.ts';
import { commit, type JobServer, type JobStand, openJobStand } from './job-stand.ts';
import { wordsOn } from './words.ts';

let stand: JobStand;
let first: JobServer;
beforeAll(async () => {
  stand = openJobStand();
  first = await stand.serveJobs();
});
afterAll(() => stand.dispose());

const drivenBy = async (server: JobServer) => (await server.call('list_tasks', listTasksOutput)).driver;
const kill = async (server: JobServer) => {
  if (isAlive(server.connection.pid)) process.kill(server.connection.pid, 'SIGKILL');
  await eventually('the server is gone', () => !isAlive(server.connection.pid));
};
const count = z.looseObject({ count: z.number() });
const workersOf = async (server: JobServer) =>
  (await server.call('list_workers', count, { include_closed: true })).count;

it('a second server sees all and drives nothing until the first is gone, and then ends the plan', async () => {
  const { plan_id, integration_branch } = await first.plan({
    name: 'handed',
    jobs: [
      { name: 'one', prompt: `${commit('one.txt', '1')}\nHOLD one\nSAY done` },
      { name: 'two', prompt: `${commit('two.txt', '2')}\nSAY done`, depends_on: ['one'] },
    ],
  });
  const second = await stand.serveJobs();
  await eventually('it runs', async () => (await second.status(plan_id)).jobs?.[0]?.state === 'running');
  expect([await drivenBy(first), await drivenBy(second)]).toEqual(['this', 'other']);
  // What is entered at one is done by the other.
  const { task_id } = await second.submit({ prompt: 'SAY by the other', brings: 'report' });
  expect(await second.awaited({ task_ids: [task_id] })).toMatchObject({ tasks: [{ state: 'done' }] });
  expect((await second.look((await second.task(task_id)).worker?.session_id ?? '')).managed_by.mine).toBe(false);
  const waiting = second.awaited({ plan_id });
  await kill(first);
  stand.release('one');
  expect(await waiting).toMatchObject({ plan_state: 'completed', all_ended: true, attention: [] });
  expect(await drivenBy(second)).toBe('this');
  expect(stand.subjects(`main..${integration_branch}`)).toEqual(['Write two.txt', 'Write one.txt']);
  expect(await workersOf(second)).toBe(3);
  await second.connection.close();
});

it('a worker that another server has taken from the one that drives comes back to it, and its plan ends', async () => {
  const one = await stand.serveJobs();
  const two = await stand.serveJobs();
  const { plan_id } = await one.plan({
    name: 'taken',
    jobs: [{ name: 'one', prompt: `${commit('taken.txt', '1')}\nHOLD taken\nSAY done` }],
  });
  const worker = await eventually('it runs', async () => {
    const [job] = (await one.status(plan_id)).jobs ?? [];
    return job?.state === 'running' && job.worker?.session_id;
  });
  const isMine = async (server: JobServer) => (await server.look(worker)).managed_by.mine;
  // Both have seen the plan at once, and either may be quicker.
  const [driver, other] = (await isMine(one)) ? [one, two] : [two, one];
  await other.connection.call('adopt_worker', { session_id: worker, force: true });
  await eventually('it has come back', async () => (await isMine(driver)) && !(await isMine(other)));
  stand.release('taken');
  expect(await driver.awaited({ plan_id })).toMatchObject({ plan_state: 'completed', attention: [] });
  for (const { connection } of [driver, other]) await connection.close();
});

it('a job whose server was killed as its agent began is done once by the next', async () => {
  const armed = join(stand.sandbox.root, 'armed');
  const begun = join(stand.sandbox.root, 'begun');
  const wrapper = join(stand.sandbox.root, 'agent');
  const [node, ...words] = agentCommand;
  writeFileSync(
    wrapper,
    `#!/bin/sh
printf x >>${begun}
if [ -f ${armed} ]; then read -r server <${armed}; rm ${armed}; kill -s KILL "$server"; fi
exec ${node} ${words.join(' ')} "$@"
`,
  );
  chmodSync(wrapper, 0o755);
  const env = { CREWMUX_COMMAND: wrapper };
  const doomed = await stand.serveJobs(env);
  const before = await workersOf(doomed);
  writeFileSync(armed, `${doomed.connection.pid}\n`);
  const { plan_id, integration_branch } = await doomed.plan({
    name: 'begun',
    jobs: [{ name: 'only', prompt: `${commit('begun.txt', '1')}\nSAY done` }],
  });
  await eventually('the server is gone', () => !isAlive(doomed.connection.pid));
  const next = await stand.serveJobs(env);
  expect(await next.awaited({ plan_id })).toMatchObject({ plan_state: 'completed' });
  expect(readFileSync(begun, 'utf8')).toBe('x');
  expect(stand.subjects(`main..${integration_branch}`)).toEqual(['Write begun.txt']);
  expect(await workersOf(next)).toBe(before + 1);
  await next.connection.close();
});

it('a start whose server was killed midway leaves no worktree once the next start has done the job', async () => {
  // Set-up commands see the project, and no process outside of their sandbox.
  const armed = join(stand.repo, '.git/armed-setup');
  appendFileSync(join(stand.repo, '.git/info/exclude'), '/set-up\n');
  const doomed = await stand.serveJobs();
  writeFileSync(armed, '');
  const { plan_id } = await doomed.plan({
    name: 'midway',
    jobs: [
      {
        name: 'only',
        prompt: `${commit('midway.txt', '1')}\nSAY done`,
        setup_commands: [`if [ -f ${armed} ]; then touch set-up; while [ -f ${armed} ]; do sleep 0.05; done; fi`],
      },
    ],
  });
  // git itself stops at a worktree that another git is just making, so its folders are looked at without it.
  const namesIn = (folder: string) => {
    try {
      return readdirSync(join(stand.repo, folder)).filter((name) => name.includes('midway-only'));
    } catch {
      return [];
    }
  };
  await eventually('its set-up runs', () =>
    namesIn('.worktrees').some((name) => existsSync(join(stand.repo, '.worktrees', name, 'set-up'))),
  );
  process.kill(doomed.connection.pid, 'SIGKILL');
  await eventually('the server is gone', () => !isAlive(doomed.connection.pid));
  rmSync(armed);
  const next = await stand.serveJobs();
  expect(await next.awaited({ plan_id })).toMatchObject({ plan_state: 'completed' });
  const trees = () => ['.worktrees', '.git/worktrees'].flatMap(namesIn);
  await eventually('its worktrees are gone', () => trees().length === 0);
  await next.connection.close();
});

it('a pause holds starts and landings for every server, also after kill -9 of the one that drives, until resume', async () => {
  const doomed = await stand.serveJobs();
  const other = await stand.serveJobs();
  const running = await doomed.submit({
    prompt: `${commit('held.txt', '1')}\nHOLD held\nSAY done`,
    on_complete: 'merge',
  });
  await doomed.comes(running.task_id, 'running');
  const { paused } = await doomed.call('update_task', updateTaskOutput, { action: 'pause' });
  expect(paused?.since).toMatch(/^20/);
  const why = (act: string) => `the project is paused since ${paused?.since}, so this does not ${act}`;
  const late = await other.submit({ prompt: 'SAY looked', brings: 'report' });
  expect(late).toMatchObject({ state: 'queued', reason: why('start') });
  stand.release('held');
  expect(await doomed.comes(running.task_id, 'landing')).toMatchObject({ reason: why('land') });
  const shown = await other.call('crew_status', z.looseObject({ paused: z.unknown() }));
  expect(shown.paused).toEqual(paused);
  expect((await wordsOn(stand)('status')).stdout).toContain(`paused since ${paused?.since}`);
  await other.connection.close();
  for (const server of [first, doomed]) await kill(server);

  const next = await stand.serveJobs();
  await eventually('the next drives', async () => (await drivenBy(next)) === 'this');
  const task_ids = [running.task_id, late.task_id];
  expect(await next.awaited({ task_ids })).toMatchObject({
    tasks: [
      { state: 'landing', reason: why('land') },
      { state: 'queued', reason: why('start') },
    ],
    ...{ timed_out: false, ended: [] },
  });
  expect(stand.subjects('main')).not.toContain('Write held.txt');
  expect(await next.call('update_task', updateTaskOutput, { action: 'resume' })).not.toHaveProperty('paused');
  expect(await next.awaited({ task_ids })).toMatchObject({ tasks: [{ state: 'landed' }, { state: 'done' }] });
  expect(stand.subjects('main')).toContain('Write held.txt');
  await next.connection.close();
});
