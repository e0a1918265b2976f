// Plans that do not run smoothly: what is sent back, what waits for a decision, and what is changed on the way.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { planChanged } from '../../src/wire/plans.ts';
import { listTasksOutput } from '../../src/wire/tasks.ts';
import { eventually } from '../support/sandbox.ts';
import { commit, type JobServer, type JobStand, openJobStand } from './job-stand.ts';

let stand: JobStand;
let server: JobServer;
beforeAll(async () => {
  stand = openJobStand();
  server = await stand.serveJobs();
});
afterAll(() => stand.dispose());

const filesOf = (branch: string) => stand.git('ls-tree', '-r', '--name-only', branch).split('\n');

const jobComes = (plan: string, name: string, state: string) =>
  eventually(`${name} is ${state}`, async () => {
    const job = (await server.status(plan)).jobs?.find((one) => one.name === name);
    return job?.state === state && job;
  });

it('failing tests send a job back to its live worker with the output, and what it mends lands', async () => {
  // The scripted agent does what stands in the output, as a model would act on it.
  const mend = 'BASH git rm -q bad.txt && git commit -qm Mend';
  const { plan_id, integration_branch } = await server.plan({
    name: 'bounced',
    test_command: `test ! -e bad.txt || { echo '${mend}'; false; }`,
    jobs: [
      { name: 'tested', prompt: `${commit('bad.txt', 'bad')}\n${commit('good.txt', 'good')}\nSAY done` },
      { name: 'beside', prompt: `${commit('beside.txt', 'beside')}\nSAY done` },
    ],
  });
  expect(await server.awaited({ plan_id })).toMatchObject({ plan_state: 'completed' });
  expect((await server.status(plan_id)).jobs).toMatchObject([
    { state: 'landed', bounces: 1, attempts: 2 },
    { state: 'landed', evidence: { checked_at: expect.any(String) } },
  ]);
  expect(filesOf(integration_branch)).toEqual(['README.md', 'beside.txt', 'good.txt']);
});

it('a conflict bounces the later job, a bounded number of times; what failed is revived by the call that is named', async () => {
  const { plan_id, integration_branch } = await server.plan({
    name: 'clash',
    jobs: [
      { name: 'left', prompt: `${commit('same.txt', 'left')}\nSAY done` },
      { name: 'right', prompt: `HOLD right\n${commit('same.txt', 'right')}\nSAY done` },
      { name: 'after', prompt: `${commit('after.txt', 'after')}\nSAY done`, depends_on: ['right'] },
    ],
  });
  await jobComes(plan_id, 'left', 'landed');
  stand.release('right');
  expect(await server.awaited({ plan_id })).toMatchObject({ plan_state: 'failed', waiting_on: ['after'] });
  const {
    jobs = [],
    next_calls = [],
    conflicts,
    tests,
  } = await eventually('its artefacts are kept', async () => {
    const status = await server.status(plan_id);
    return status.jobs?.[1]?.artefacts && status;
  });
  const [, right, after] = jobs;
  const reason = `its work conflicts with ${integration_branch} in same.txt, also after it was sent back 2 times`;
  expect(right).toMatchObject({ state: 'failed', bounces: 2, attempts: 3, reason });
  expect(conflicts).toEqual([{ job: 'right', with: 'left', files: ['same.txt'] }]);
  expect(tests).toMatchObject([{ job: 'left', status: 'none' }]);
  expect(right?.artefacts?.every((path) => existsSync(path))).toBe(true);
  expect(right?.artefacts).toHaveLength(2);
  expect(after).toMatchObject({ state: 'blocked', reason: 'right has failed, and this depends on it' });
  expect(next_calls[1]).toContain('relaunch');
  await server.approve(plan_id, {
    ...{ job: 'right', action: 'relaunch' },
    prompt: `BASH git merge -q -X ours ${integration_branch}\nSAY done`,
  });
  expect(await server.awaited({ plan_id })).toMatchObject({ plan_state: 'completed' });
  expect(stand.git('show', `${integration_branch}:same.txt`)).toBe('right');
});

it('work outside of its touch set waits for a decision that names files and globs', async () => {
  const made = await server.plan({
    name: 'touching',
    jobs: [
      {
        name: 'kept',
        touch_set: ['docs/'],
        prompt: `BASH mkdir -p docs\n${commit('docs/a.md', 'a')}\n${commit('src.txt', 's')}\nSAY done`,
      },
      {
        name: 'sent',
        touch_set: ['lib/'],
        prompt: `BASH mkdir -p lib\n${commit('lib/b.md', 'b')}\n${commit('out.txt', 's')}\nSAY done`,
      },
    ],
  });
  await eventually('one call is about both', async () => {
    const { checkpoint } = await server.status(made.plan_id);
    return checkpoint?.calls[0]?.includes('"accept","job":["kept","sent"]');
  });
  const { checkpoint } = await server.awaited({ plan_id: made.plan_id });
  expect(checkpoint?.why).toContain('changes src.txt, outside of its touch set (docs/)');
  await server.approve(made.plan_id, { job: 'kept', action: 'accept' });
  await server.approve(made.plan_id, {
    job: 'sent',
    action: 'relaunch',
    prompt: 'BASH git rm -q out.txt && git commit -qm "Take out.txt back"\nSAY done',
  });
  const waited = await server.awaited({ plan_id: made.plan_id, on_attention: 'ignore' });
  expect(waited.plan_state).toBe('completed');
  expect(stand.git('ls-tree', '-r', '--name-only', made.integration_branch).split('\n')).toEqual([
    'README.md',
    'docs/a.md',
    'lib/b.md',
    'src.txt',
  ]);
});

it('copilot starts nothing before it is approved; edits are judged as a new plan is', async () => {
  const made = await server.plan({
    name: 'edited',
    mode: 'copilot',
    jobs: [
      { name: 'a', prompt: `${commit('ea.txt', 'a')}\nSAY done` },
      { name: 'b', prompt: 'FAIL', depends_on: ['a'] },
      { name: 'c', prompt: `${commit('ec.txt', 'c')}\nSAY done`, depends_on: ['b'] },
    ],
  });
  expect(made).toMatchObject({ state: 'proposed', checkpoint: { at: 'start' } });
  expect(await server.refusal('edit_plan', { plan_id: made.plan_id, add: [{ name: 'A', prompt: 'x' }] })).toContain(
    'differ only in case',
  );
  expect(
    await server.refusal('edit_plan', { plan_id: made.plan_id, edit: [{ name: 'a', depends_on: ['c'] }] }),
  ).toContain('circle');
  expect(await server.refusal('edit_plan', { plan_id: made.plan_id, skip: ['zzz'] })).toContain('no job called zzz');
  await server.edit(made.plan_id, {
    add: [{ name: 'd', prompt: `${commit('ed.txt', 'd')}\nSAY done`, depends_on: ['c'] }],
    skip: ['b'],
    reorder: ['d'],
    edit: [{ name: 'c', depends_on: ['a'] }],
  });
  const status = await server.status(made.plan_id);
  expect(status.waves).toEqual([['a'], ['b', 'c'], ['d']]);
  expect(status.jobs?.map(({ name }) => name)).toEqual(['d', 'a', 'b', 'c']);
  expect(status.jobs?.map(({ attempts }) => attempts)).toEqual([0, 0, 0, 0]);
  await server.make(made.checkpoint?.calls[0]);
  const waited = await server.awaited({ plan_id: made.plan_id });
  expect(waited.plan_state).toBe('completed');
  expect(stand.subjects(`main..${made.integration_branch}`)).toEqual(['Write ed.txt', 'Write ec.txt', 'Write ea.txt']);
});

it('supervisor asks once before each merge, at an error, and before the end', async () => {
  const { plan_id, integration_branch } = await server.plan({
    name: 'supervised',
    mode: 'supervisor',
    on_complete: 'merge',
    jobs: [
      { name: 'good', prompt: `${commit('sg.txt', 'good')}\nSAY done` },
      { name: 'bad', prompt: 'FAIL', depends_on: ['good'] },
    ],
  });
  const seen: string[] = [];
  for (let step = 0; step < 6; step++) {
    const { checkpoint, plan_state } = await server.awaited({ plan_id });
    if (checkpoint === undefined) {
      seen.push(String(plan_state));
      break;
    }
    seen.push(`${checkpoint.at} ${checkpoint.job ?? ''}`);
    expect(checkpoint.calls.every((line) => line.includes(plan_id) || line.startsWith('diff_worker'))).toBe(true);
    if (checkpoint.at === 'on_error')
      await server.approve(plan_id, {
        checkpoint: 'on_error',
        job: 'bad',
        action: 'relaunch',
        prompt: `${commit('sb.txt', 'bad')}\nSAY done`,
      });
    else await server.make(checkpoint.calls[0]);
  }
  expect(seen).toEqual(['pre_merge good', 'on_error bad', 'pre_merge bad', 'pre_merge ', 'completed']);
  expect(stand.git('rev-parse', 'main')).toBe(stand.git('rev-parse', integration_branch));
  expect(await server.refusal('approve_plan', { plan_id })).toContain('completed');
});

it('a cancelled plan stops its workers and names the branches that keep its work', async () => {
  const { plan_id, integration_branch } = await server.plan({
    name: 'stopped',
    jobs: [
      { name: 'one', prompt: `${commit('one.txt', '1')}\nHOLD never` },
      { name: 'two', prompt: 'SAY never', depends_on: ['one'] },
    ],
  });
  const { worker } = await jobComes(plan_id, 'one', 'running');
  const { tasks } = await server.call('list_tasks', listTasksOutput, { plan_id });
  const { branch = '' } = tasks.find(({ name }) => name === 'one') ?? {};
  await eventually('it has committed', () => stand.subjects(`main..${branch}`).length > 0);
  const cancelled = await server.call('cancel_plan', planChanged, { plan_id });
  expect(cancelled.branches).toEqual([integration_branch, branch]);
  expect(await server.awaited({ plan_id })).toMatchObject({ plan_state: 'cancelled', all_ended: true });
  await server.until(worker?.session_id ?? '', 'closed');
  expect(stand.subjects(`main..${branch}`)).toEqual(['Write one.txt']);
  expect(await server.refusal('cancel_plan', { plan_id })).toContain('is cancelled');
  expect(await server.refusal('approve_plan', { plan_id, job: 'one', action: 'retry' })).toContain('is cancelled');
  const retry = { task_id: (await jobComes(plan_id, 'one', 'cancelled')).task_id, action: 'retry' };
  expect(await server.refusal('update_task', retry)).toContain('was cancelled');
});

it('a file in the way of the last merge waits for a person, and the retry lands', async () => {
  const { plan_id, integration_branch } = await server.plan({
    name: 'way',
    on_complete: 'merge',
    jobs: [{ name: 'only', prompt: `HOLD way\n${commit('way.txt', 'theirs')}\nSAY done` }],
  });
  const mine = join(stand.repo, 'way.txt');
  writeFileSync(mine, 'mine');
  stand.release('way');
  const { checkpoint } = await server.awaited({ plan_id });
  expect(checkpoint).toMatchObject({ at: 'on_error', why: expect.stringContaining('way.txt') });
  expect(checkpoint?.why).not.toMatch(/merge_worker|into/);
  rmSync(mine);
  await server.make(checkpoint?.calls[0]);
  expect(await server.awaited({ plan_id })).toMatchObject({ plan_state: 'completed' });
  expect(stand.git('rev-parse', 'main')).toBe(stand.git('rev-parse', integration_branch));
  expect(readFileSync(mine, 'utf8')).toBe('theirs\n');
});

it('without remote and gh a plan that ends in a pull request completes and says so; two plans run at once', async () => {
  const jobs = (file: string) => [{ name: 'only', prompt: `${commit(file, 'x')}\nSAY done` }];
  const [pr, other] = await Promise.all([
    server.plan({ name: 'proposed', on_complete: 'pr', jobs: jobs('pr.txt') }),
    server.plan({ name: 'proposed', jobs: jobs('other.txt') }),
  ]);
  await Promise.all([pr, other].map(({ plan_id }) => server.awaited({ plan_id })));
  expect(await server.status(pr.plan_id)).toMatchObject({
    state: 'completed',
    reason: expect.stringContaining('no pull request was opened'),
    next_calls: [`open_pull_request {"plan_id":"${pr.plan_id}"}`],
  });
  const { body_path } = await server.connection.call('open_pull_request', { plan_id: pr.plan_id });
  expect(readFileSync(String(body_path), 'utf8')).toContain('| only | landed | 1 | none |\n');
  expect(stand.subjects(`main..${pr.integration_branch}`)).toEqual(['Write pr.txt']);
  expect(stand.subjects(`main..${other.integration_branch}`)).toEqual(['Write other.txt']);
});

it('a plan that cannot be done is refused and makes nothing', async () => {
  const branches = () => stand.git('for-each-ref', 'refs/heads');
  const before = branches();
  const refused = (jobs: readonly object[], more = {}) =>
    server.refusal('create_plan', { name: 'wrong', jobs, ...more });
  expect(await refused([{ name: 'a', prompt: 'x', depends_on: ['b'] }])).toContain(
    'depends on "b", and no job has that name',
  );
  expect(
    await refused([
      { name: 'a', prompt: 'x', depends_on: ['b'] },
      { name: 'b', prompt: 'x', depends_on: ['a'] },
    ]),
  ).toContain('a -> b -> a');
  expect(await refused([{ name: 'a', prompt: 'x' }], { base: 'nowhere' })).toContain('nowhere');
  const folder = stand.sandbox.dir('no-repository');
  expect(await refused([{ name: 'a', prompt: 'x' }], { project_path: folder })).toContain('git init');
  expect(branches()).toBe(before);
});
