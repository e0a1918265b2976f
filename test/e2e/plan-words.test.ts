// Plans in the words of a person, beside a server and without one.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPlanOutput, planStatusOutput } from '../../src/wire/plans.ts';
import { waitTasksOutput } from '../../src/wire/tasks.ts';
import { openStand, type Server, type Stand } from './crew.ts';
import { wordsOn } from './words.ts';

let stand: Stand;
let server: Server;
const crewmux = (...words: string[]) => wordsOn(stand)(...words);
const serve = () => stand.serve({ CREWMUX_CONFIG: join(stand.sandbox.root, 'config.json') });
const ended = (planId: string) =>
  server.call('wait_tasks', waitTasksOutput, { plan_id: planId, timeout: 60, on_attention: 'ignore' });
const job = (name: string, more: object = {}) => ({
  name,
  prompt: `WRITE ${name}.txt one\nBASH git add . && git commit -qm "Write ${name}"\nSAY done`,
  ...more,
});
const made = (name: string) =>
  server.call('create_plan', createPlanOutput, {
    name,
    mode: 'copilot',
    // What would hold it up, a server alone looks for.
    test_command: '',
    jobs: [job('first'), job('second', { depends_on: ['first'] })],
  });

beforeAll(async () => {
  stand = openStand();
  writeFileSync(join(stand.sandbox.root, 'config.json'), JSON.stringify({ defaults: { skip_permissions: true } }));
  server = await serve();
});
afterAll(() => stand.dispose());

it('a person sees what a plan waits for, lets it go on, and sees what has landed', async () => {
  expect(await crewmux('plan')).toEqual({ code: 0, stdout: 'No plans here.\n', stderr: '' });
  const { plan_id: id, integration_branch: branch } = await made('shop');
  const all = await crewmux('plan');
  expect(all.stdout).toMatch(/^shop \[\w+\] is proposed \(copilot\): 2 queued\n {2}! start: the plan shop /);
  expect(all.stdout).toContain(`    crewmux plan approve ${id} --at start\n`);
  expect((await crewmux('status')).stdout).not.toContain('No crewmux');
  expect((await crewmux('status')).stdout).toMatch(/^plan shop: proposed, 2 queued; it waits at start: /m);
  const json = planStatusOutput.parse(JSON.parse((await crewmux('plan', 'shop', '--json')).stdout));
  expect(json).toEqual(await server.call('plan_status', planStatusOutput, { plan_id: id }));
  expect(await crewmux('plan', 'approve', 'shop', '--at', 'pre_pr')).toMatchObject({ code: 1, stdout: '' });
  expect(await crewmux('plan', 'approve', 'shop', '--at', 'start')).toMatchObject({ code: 0, stderr: '' });
  expect(await ended(id)).toMatchObject({ plan_state: 'completed' });
  const { stdout } = await crewmux('plan', 'shop');
  expect(stdout).toMatch(
    /is completed[\s\S]*wave 1\n {2}landed +first [\s\S]*wave 2\n {2}landed +second .*landed as \w+/,
  );
  const look = /git log --oneline \S+/.exec(stdout)?.[0].split(' ').slice(1) ?? [];
  expect(look.at(-1)).toContain(`..${branch}`);
  expect(stand.sandbox.git(stand.repo, ...look).split('\n')).toHaveLength(2);
});

it('what a person decides without a server is written down, and the next server goes on from there', async () => {
  const [go, no] = [await made('go'), await made('no')];
  await server.connection.close();
  const log = () => readFileSync(join(stand.sandbox.dir('crewmux'), 'events.jsonl'), 'utf8');
  const before = log();
  const absent =
    /^No crewmux is at work since \d\d:\d\d:\d\d \(\d+ s\): plans wait until a client starts one, or `crewmux keep` runs\.$/m;
  const read = await Promise.all([['plan', 'go'], ['plan'], ['status'], ['answer']].map((words) => crewmux(...words)));
  expect(read.map(({ stdout }) => absent.test(stdout))).toEqual([true, true, true, true]);
  const json = await Promise.all(
    [
      ['plan', 'go', '--json'],
      ['status', '--json'],
    ].map((words) => crewmux(...words)),
  );
  expect(json.map(({ stdout }) => typeof JSON.parse(stdout).no_server_since)).toEqual(['string', 'string']);
  expect(log()).toBe(before);
  expect(await crewmux('plan', 'approve', 'go')).toMatchObject({ code: 0, stderr: '' });
  expect(await crewmux('plan', 'cancel', 'no')).toMatchObject({ code: 0, stderr: '' });
  expect(log().slice(before.length)).not.toContain('worker_spawning');
  server = await serve();
  expect(await ended(go.plan_id)).toMatchObject({ plan_state: 'completed' });
  expect(await ended(no.plan_id)).toMatchObject({ plan_state: 'cancelled' });
});

it('a worker decides nothing by these words', async () => {
  expect(await wordsOn(stand, { CREWMUX_WORKER: '0000000a' })('plan', 'cancel', 'shop')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('A worker cannot act on the crew'),
  });
});
