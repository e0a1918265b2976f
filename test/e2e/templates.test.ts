// Templates through the built server: each of those that are built in, once to its end.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { builtInTemplates } from '../../src/work/templates/built-in.ts';
import { eventually } from '../support/sandbox.ts';
import { commit, type JobServer, type JobStand, openJobStand } from './job-stand.ts';
import { wordsOn } from './words.ts';

let stand: JobStand;
let server: JobServer;
beforeAll(async () => {
  stand = openJobStand();
  server = await stand.serveJobs();
});
afterAll(() => stand.dispose());

it.concurrent.each(builtInTemplates)(
  '$name comes to its end by a goal, and each job is told what came before',
  async (template) => {
    const { name, jobs } = template;
    const step = (of: (typeof jobs)[number]) =>
      of.brings === 'commit'
        ? `${commit(`${name}-${of.name}.txt`, 'made')}\nSAY Made ${of.name}.`
        : `SAY Found in ${of.name}.`;
    const made = await server.plan({
      template: name,
      goal: 'Carts that hold coupons.',
      steps: Object.fromEntries(jobs.map((one) => [one.name, step(one)])),
    });
    await eventually(
      `${name} has ended`,
      async () => {
        const { plan_state: state } = await server.awaited({ plan_id: made.plan_id });
        return state === 'completed' || (state !== 'running' && Promise.reject(new Error(`it is ${state}`)));
      },
      500_000,
    );
    const status = await server.status(made.plan_id);
    expect(status).toMatchObject({ name, goal: 'Carts that hold coupons.' });
    expect(status.jobs?.map((one) => [one.name, one.state])).toEqual(
      jobs.map((one) => [one.name, one.brings === 'commit' ? 'landed' : 'done']),
    );
    const last = jobs.at(-1);
    const told = await server.connection.call('read_worker_logs', {
      session_id: status.jobs?.at(-1)?.worker?.session_id,
      format: 'full',
    });
    const words = (of: string) => (jobs.find((one) => one.name === of)?.brings === 'commit' ? 'Made' : 'Found in');
    for (const one of last?.dependsOn ?? []) expect(JSON.stringify(told)).toContain(`| Done: ${words(one)} ${one}.`);
    const landed = jobs.filter(({ brings }) => brings === 'commit').map((one) => `Write ${name}-${one.name}.txt`);
    expect(stand.subjects(`main..${made.integration_branch}`).toSorted()).toEqual(landed.toSorted());
  },
);

it('a completed plan is saved as a template, which another goal uses once a person has agreed', async () => {
  const crewmux = wordsOn(stand);
  const jobs = [
    { name: 'write', prompt: `Sell a cart.\n${commit('cart.txt', 'made')}\nSAY done`, touch_set: ['*.txt'] },
  ];
  const { plan_id } = await server.plan({ name: 'Cart {{area}}', goal: 'Sell a cart.', jobs });
  expect(await crewmux('plan', 'save', plan_id, 'cart')).toMatchObject({ code: 1, stdout: '' });
  expect(await server.awaited({ plan_id })).toMatchObject({ plan_state: 'completed' });
  expect(await crewmux('plan', 'save', plan_id, '../cart')).toMatchObject({ code: 2, stdout: '' });
  const saved = await crewmux('plan', 'save', plan_id, 'cart', '--project');
  const file = join(stand.repo, '.crewmux', 'plans', 'cart.yaml');
  expect(saved).toMatchObject({
    code: 0,
    stderr: '',
    stdout: expect.stringMatching(/^Wrote .*cart\.yaml\nIt counts once /),
  });
  expect(readFileSync(file, 'utf8')).toContain('prompt: |-\n      {{goal}}\n      BASH ');
  expect(await crewmux('plan', 'save', plan_id, 'cart', '--project')).toMatchObject({ code: 2, stdout: '' });
  expect(await crewmux('plan', 'save', plan_id, 'cart', '--project', '--force')).toMatchObject({ code: 0, stderr: '' });
  const order = { template: 'cart', goal: 'Sell more.' };
  expect(await server.refusal('create_plan', order)).toContain(`Nobody has agreed to ${file}`);
  expect((await crewmux('templates')).stdout).toMatch(
    /^bug-fix +built in$[\s\S]*^Left aside:\n {2}cart: Nobody has agreed/m,
  );
  const bad = join(stand.sandbox.dir('home/.config/crewmux/plans'), 'shop.yaml');
  writeFileSync(bad, 'name: shop\ndescription: a shop\njobs: [{name: sell, promt: Sell.}]\n');
  expect(JSON.parse((await crewmux('doctor', '--json')).stdout).findings).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ check: 'templates', detail: expect.stringContaining(`Nobody has agreed to ${file}`) }),
      expect.objectContaining({ check: 'templates', detail: expect.stringMatching(/shop\.yaml .*nearest: "prompt"/) }),
    ]),
  );
  rmSync(bad);
  expect(await crewmux('trust', '--yes')).toMatchObject({ code: 0, stderr: '' });
  const again = await server.plan(order);
  expect(await server.awaited({ plan_id: again.plan_id })).toMatchObject({ plan_state: 'completed' });
  expect(await server.status(again.plan_id)).toMatchObject({
    name: 'cart',
    goal: 'Sell more.',
    jobs: [{ state: 'landed' }],
  });
  expect((await crewmux('templates')).stdout).toContain(
    `cart                 ${file}\n  Saved from the plan "Cart {{area}}".\n`,
  );
  const worker = await wordsOn(stand, { CREWMUX_WORKER: '0000000a' })('plan', 'save', plan_id, 'mine');
  expect(worker).toMatchObject({ code: 2, stdout: '' });
});
