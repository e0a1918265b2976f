import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { resolveWorker } from '../../../src/model/address.ts';
import type { Schedule } from '../../../src/model/schedule.ts';
import { atWork } from '../../../src/model/task-progress.ts';
import { writeBook } from '../../../src/store/job-book.ts';
import { systemClock } from '../../../src/system/clock.ts';
import type { ListTasksRequest } from '../../../src/wire/tasks.ts';
import { lookAtJobs } from '../../../src/work/verbs/look.ts';
import { workerRecord } from '../../support/records.ts';
import { eventually, makeSandbox, type Sandbox } from '../../support/sandbox.ts';
import { planOf, taskOf } from '../../support/tasks.ts';

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = makeSandbox();
});
afterEach(() => sandbox.dispose());

const ada = workerRecord({ id: 'aaaa0001', name: 'ada' });
const crew = {
  work: () => [],
  usageOf: async () => undefined,
  usage: async () => [],
  happened: async () => [],
  status: async () => ({ attention: [], reports: [] }),
  whoIs: async ({ worker }: { readonly worker: string }) => resolveWorker(worker, [ada]),
  conflicts: async () => ({ pairs: [], pairs_checked: 0, against_base: [] }),
  place: async () => ({ project: '/project', crew: 'shop' }),
};

const resting: Schedule = {
  ...{ id: 's1', crew: 'shop', project: '/project', cron: '0 3 * * *', timezone: 'UTC', enters: 'task' },
  ...{ order: { title: 'Nightly' }, isEnabled: false, isRemoved: false, at: 0, since: 0, missed: 0, failures: 3 },
  pausedBecause: '3 runs in a row failed',
};

it('a look makes nothing, hears of a book that comes later, and shows the plans of its own project', async () => {
  const home = join(sandbox.root, 'never');
  const troubles: unknown[] = [];
  const onTrouble = (error: unknown) => troubles.push(error);
  const jobs = await lookAtJobs({
    crew,
    clock: systemClock,
    home,
    templates: async () => ({ files: [], aside: [] }),
    limit: () => 8,
    onTrouble,
  });
  let changes = 0;
  const stop = jobs.onChange(() => {
    changes += 1;
  });
  expect(await jobs.planStatus({})).toEqual({ plans: [] });
  expect(existsSync(home)).toBe(false);
  await writeBook({ home, crew: 'other' }, { plans: [planOf({ id: 'p2', name: 'elsewhere', crew: 'other' })] });
  await writeBook({ home, crew: 'shop' }, { plans: [planOf({ jobs: ['t1'] })], tasks: [taskOf({ planId: 'p1' })] });
  await eventually('it hears of the book', () => changes > 0);
  expect((await jobs.jobsSummary()).plans).toMatchObject([{ name: 'shop', jobs: { queued: 1 } }]);
  expect(await jobs.planStatus({ planId: 'elsewhere' })).toMatchObject({ planId: 'p2' });
  const heard = changes;
  await writeBook({ home, crew: 'shop' }, { tasks: [{ id: 't1', progress: atWork }] });
  await eventually('it hears of a change', () => changes > heard);
  expect((await jobs.jobsSummary()).running).toBe(1);
  await writeBook({ home, crew: 'shop' }, { schedules: [resting] });
  expect(await jobs.jobsSummary()).toMatchObject({
    schedules: ['Nightly (s1) is paused: 3 runs in a row failed'],
    scheduleCalls: ['schedule_task {"action":"enable","id":"s1"}'],
  });
  stop();
  await jobs.dispose();
  expect(troubles).toEqual([]);
});

it('the tasks of a plan are found in whatever project it is, by its name too', async () => {
  const home = sandbox.dir('state');
  const plan = planOf({ id: 'p2', name: 'elsewhere', crew: 'other', jobs: ['t2'] });
  await writeBook(
    { home, crew: 'other' },
    { plans: [plan], tasks: [taskOf({ id: 't2', planId: 'p2', crew: 'other' })] },
  );
  const jobs = await lookAtJobs({
    crew,
    clock: systemClock,
    home,
    templates: async () => ({ files: [], aside: [] }),
    limit: () => 8,
    onTrouble: () => undefined,
  });
  expect(await jobs.list({ planId: 'elsewhere' })).toMatchObject({ count: 1, tasks: [{ taskId: 't2' }] });
  await jobs.dispose();
});

it.each<[ListTasksRequest, readonly string[]]>([
  [{ kind: 'task' }, ['t1']],
  [{ kind: 'job' }, ['t2']],
  [{ kind: 'review' }, ['t5']],
  [{ from: 'aaaa0001' }, ['t3', 't5']],
  [{ from: 'Ada' }, ['t3', 't5']],
  [{ from: 'ada', kind: 'subtask' }, ['t3']],
  [{ from: 'gone' }, ['t4']],
  [{ from: 'ada', state: 'done' }, []],
])('the tasks of a project are listed by who entered them and by kind: %j', async (query, ids) => {
  const home = sandbox.dir('state');
  const by = { id: ada.id, name: ada.name };
  const tasks = [
    taskOf({ id: 't1' }),
    taskOf({ id: 't2', kind: 'job', planId: 'p1' }),
    taskOf({ id: 't3', kind: 'subtask', from: by }),
    taskOf({ id: 't4', kind: 'subtask', from: { id: 'cccc0003', name: 'gone' } }),
    taskOf({ id: 't5', kind: 'review', from: by }),
  ];
  await writeBook({ home, crew: 'shop' }, { tasks, plans: [planOf({ jobs: ['t2'] })] });
  const jobs = await lookAtJobs({
    ...{ crew, clock: systemClock, home, limit: () => 8, onTrouble: () => undefined },
    templates: async () => ({ files: [], aside: [] }),
  });
  const { tasks: listed } = await jobs.list(query);
  expect(listed.map(({ taskId }) => taskId)).toEqual(ids);
  await expect(jobs.list({ from: 'bruno' })).rejects.toMatchObject({ code: 'unknown_worker' });
  await jobs.dispose();
});
