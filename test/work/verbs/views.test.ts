import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Work } from '../../../src/crew/api.ts';
import type { Plan, Task } from '../../../src/model/task.ts';
import { writeBook } from '../../../src/store/job-book.ts';
import { systemClock } from '../../../src/system/clock.ts';
import { planStatusOutput } from '../../../src/wire/plans.ts';
import { outward } from '../../../src/wire/spoken.ts';
import { waitTasksOutput } from '../../../src/wire/tasks.ts';
import { openJobBooks } from '../../../src/work/drive/job-books.ts';
import { approvePlan } from '../../../src/work/verbs/plans.ts';
import type { TasksContext } from '../../../src/work/verbs/tasks-context.ts';
import { planStatus } from '../../../src/work/verbs/views.ts';
import { waitTasks } from '../../../src/work/verbs/wait.ts';
import { makeSandbox, type Sandbox } from '../../support/sandbox.ts';
import { stubCrew } from '../../support/stub-crew.ts';
import type { TaskGiven } from '../../support/tasks.ts';
import { job, plan, task, work } from '../parts.ts';

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = makeSandbox();
});
afterEach(() => sandbox.dispose());

const id = '4fGh2kLm';
const branch = `crewmux/shop-${id}`;
const log = (at: number) => `/home/ada/.local/state/crewmux/plans/${id}/tests-${at}.log`;
const output = '  AssertionError: expected 4 to be 5, in test/price.test.ts line 12\n'.repeat(5);
const files = Array.from({ length: 10 }, (_, at) => `src/cart/part-${at}.ts`);

/** One of the plan, as it stands in the book after some work. */
const one = (at: number, title: string, given: TaskGiven): Task =>
  job({
    ...{
      id: `7hYt${at}pQr`,
      title,
      crew: 'crew',
      planId: id,
      attempt: 1,
      round: 1,
      startedAt: 50,
      at: 10,
      touchSet: [`src/${title}/`],
    },
    ...{ worker: { id: `w${at}kdm3xa`, name: `worker${at}` }, branch: `worker${at}-w${at}kdm3xa/shop-${title}` },
    evidence: { claimed: true, commits: [`0123456789a${at} Add the ${title} of the shop`, `f123456789a${at} Test it`] },
    ...given,
  });

const failing = (at: number): TaskGiven => ({
  ...{ state: 'failed', bounces: 2, failures: 1, repeats: 2, endedAt: 90, isSeenTo: true, artefacts: [log(at)] },
  reason: `the tests failed on ${branch}, also after it was sent back 2 times`,
  tests: { status: 'failed', command: 'npm test -- --run', output: output.slice(-600), path: log(at) },
});

const unbegun: Task = {
  ...job({ id: '7hYt5pQr', title: 'docs', crew: 'crew', planId: id, state: 'blocked', at: 10, touchSet: ['docs/'] }),
  ...{ dependsOn: ['7hYt1pQr'], reason: 'api has failed, and this depends on it' },
};

const jobs = [
  one(0, 'prices', {
    ...{
      state: 'landed',
      endedAt: 80,
      evidence: { claimed: true, commits: ['0123456789a0 Add prices'], landedAt: 'a'.repeat(40) },
    },
    tests: { status: 'passed', command: 'npm test -- --run', output: 'ok', commit: 'a'.repeat(40) },
  }),
  one(1, 'api', failing(1)),
  one(2, 'page', failing(2)),
  one(3, 'cart', {
    ...{ state: 'failed', bounces: 2, failures: 1, repeats: 2, endedAt: 90, isSeenTo: true },
    reason: `its work conflicts with ${branch} in ${files.join(', ')}, also after it was sent back 2 times`,
    clashes: [{ with: 'prices', files }],
  }),
  one(4, 'search', { state: 'landing' }),
  unbegun,
];

/** As a server sees it that drives nothing. */
async function sight(given: Partial<Plan>, others: readonly Task[] = []): Promise<TasksContext> {
  const home = sandbox.dir('state');
  const of = plan(
    jobs.map((one_) => one_.id),
    { id, branch, name: 'shop', base: { ref: 'main', sha: 'b'.repeat(40) }, ...given },
  );
  await writeBook({ home, crew: 'crew' }, { plans: [of], tasks: [...jobs, ...others] });
  const jobBooks = openJobBooks(home, { clock: systemClock, onTrouble: () => undefined });
  const works: readonly Work[] = jobs.flatMap(({ worker }) => (worker ? [work({ ...worker, crew: 'crew' })] : []));
  return {
    ...{
      jobBooks,
      clock: systemClock,
      limit: () => 8,
      drives: () => false,
      templates: async () => ({ files: [], aside: [] }),
      startsHeld: () => false,
    },
    crew: { ...stubCrew(() => undefined), work: () => works, reports: async () => ({ reports: [], count: 0 }) },
    drive: (name) => jobBooks.open(name),
  };
}

const callsIn = (value: unknown): readonly string[] =>
  JSON.stringify(value, (_, held) => held)
    .match(/"\w+ \{(?:[^"\\]|\\.)*\}"/g)
    ?.map((text) => JSON.parse(text)) ?? [];

it('a plan whose jobs a planner makes names it once it has a worker', async () => {
  const ofPlanner = (given: TaskGiven) => task({ id: 'planner', crew: 'crew', plansFor: id, ...given });
  const shown = async (given: TaskGiven) => {
    const room = await sight({ jobs: [], state: 'proposed', planner: 'planner' }, [ofPlanner(given)]);
    return outward(planStatusOutput, await planStatus(room, id).finally(() => room.jobBooks.close()));
  };
  expect((await shown({})).planner).toBeUndefined();
  expect((await shown({ worker: { id: 'w9kdm3xa', name: 'ada' } })).planner).toEqual({
    session_id: 'w9kdm3xa',
    name: 'ada',
  });
});

describe('six jobs, of which two fail their tests and one conflicts in ten files', () => {
  const supervisor = { mode: 'supervisor' } as const;
  it('are shown in 4,000 characters, each call once', async () => {
    const room = await sight(supervisor);
    const status = outward(planStatusOutput, await planStatus(room, id));
    expect(JSON.stringify(status).length).toBeLessThanOrEqual(4_000);
    expect(planStatusOutput.parse(status)).toEqual(status);
    const calls = callsIn(status);
    expect(calls).toEqual([...new Set(calls)]);
    await room.jobBooks.close();
  });

  it('are awaited in 2,500', async () => {
    const room = await sight(supervisor);
    const order = { planId: id, mode: 'all', timeout: 0, timeoutMs: 0, onAttention: 'new' } as const;
    const run = { signal: new AbortController().signal, tell: () => undefined };
    const seen = outward(waitTasksOutput, await waitTasks(room, new Set(), order, run));
    expect(JSON.stringify(seen).length).toBeLessThanOrEqual(2_500);
    expect(waitTasksOutput.parse(seen)).toEqual(seen);
    const calls = callsIn(seen);
    expect(calls).toEqual([...new Set(calls)]);
    await room.jobBooks.close();
  });
});

it('one approval decides about several jobs, or about none of them', async () => {
  const room = await sight({});
  const relaunch = { planId: id, checkpoint: 'on_error', action: 'relaunch' } as const;
  const decided = async () => {
    const book = await room.jobBooks.open('crew');
    return [...book.now().tasks.values()].filter(({ decisions }) => Object.keys(decisions).length > 0);
  };
  await expect(approvePlan(room, { ...relaunch, job: ['api', 'prices'] })).rejects.toThrow('about prices');
  expect(await decided()).toEqual([]);
  await approvePlan(room, { ...relaunch, job: ['api', 'cart', 'api'] });
  expect((await decided()).map(({ title }) => title)).toEqual(['api', 'cart']);
  await room.jobBooks.close();
});
