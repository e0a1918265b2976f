// Plans through the built server: jobs of scripted agents that land on an integration branch.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPlanOutput, planStatusOutput } from '../../src/wire/plans.ts';
import { waitTasksOutput } from '../../src/wire/tasks.ts';
import { type JobServer, type JobStand, openJobStand } from './job-stand.ts';

let stand: JobStand;
let server: JobServer;
beforeAll(async () => {
  stand = openJobStand();
  server = await stand.serveJobs();
});
afterAll(() => stand.dispose());

const git = (...args: string[]) => stand.git(...args);

it('two jobs that depend on each other land one after the other', async () => {
  const made = await server.call('create_plan', createPlanOutput, {
    name: 'Ship “v2”: prices & pages für alle, as any text of up to eighty characters',
    jobs: [
      { name: 'first', prompt: 'SLEEP 1\nWRITE a.txt one\nBASH git add . && git commit -qm "Write a"\nSAY done' },
      {
        name: 'second',
        depends_on: ['first'],
        prompt: 'SLEEP 1\nBASH cat a.txt > b.txt && git add . && git commit -qm "Write b"\nSAY done',
      },
    ],
  });
  expect(made.integration_branch).toBe(`crewmux/Ship-v2-prices-pages-für-alle-as-any-te-${made.plan_id}`);
  expect(made).toMatchObject({ state: 'running', waves: [['first'], ['second']], critical_path: ['first', 'second'] });
  const waited = await server.call('wait_tasks', waitTasksOutput, { plan_id: made.plan_id, timeout: 60 });
  expect(waited).toMatchObject({ all_ended: true, plan_state: 'completed', attention: [] });
  const status = await server.call('plan_status', planStatusOutput, { plan_id: made.plan_id });
  expect(status).toMatchObject({ state: 'completed', jobs: [{ state: 'landed' }, { state: 'landed' }] });
  expect(git('show', `${made.integration_branch}:b.txt`)).toBe('one');
  expect(git('log', '--format=%s', `main..${made.integration_branch}`).split('\n')).toEqual(['Write b', 'Write a']);
});
