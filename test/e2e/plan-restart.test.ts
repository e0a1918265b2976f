// Two servers over one crew, and servers that are killed: one drives, the other goes on, and nothing is done twice.
import { appendFileSync, chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { listTasksOutput } from '../../src/wire/tasks.ts';
import { isAlive } from '../support/mcp.ts';
import { eventually } from '../support/sandbox.ts';
import { agentCommand } from './crew.ts';
import { commit, type JobServer, type JobStand, openJobStand } from './job-stand.ts';

let stand: JobStand;
let first: JobServer;
beforeAll(async () => {
  stand = openJobStand();
  first = await stand.serveJobs();
});
afterAll(() => stand.dispose());

const drivenBy = async (server: JobServer) => (await server.call('list_tasks', listTasksOutput)).driver;
const kill = async (server: JobServer) => {
  process.kill(server.connection.pid, 'SIGKILL');
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
