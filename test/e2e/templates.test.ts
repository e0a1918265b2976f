// Templates through the built server: each of those that are built in, once to its end.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { builtInTemplates } from '../../src/work/templates/built-in.ts';
import { eventually } from '../support/sandbox.ts';
import { commit, type JobServer, type JobStand, openJobStand } from './job-stand.ts';

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
