import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Crew, Work } from '../../../src/crew/api.ts';
import type { Clock } from '../../../src/model/clock.ts';
import { type Book, emptyBook } from '../../../src/model/task.ts';
import { type BookChange, type OpenBook, writeBook } from '../../../src/store/job-book.ts';
import { systemClock } from '../../../src/system/clock.ts';
import { processStart } from '../../../src/system/process.ts';
import { Driver } from '../../../src/work/drive/driver.ts';
import { openJobBooks } from '../../../src/work/drive/job-books.ts';
import { eventually, makeSandbox, type Sandbox } from '../../support/sandbox.ts';
import { stubCrew } from '../../support/stub-crew.ts';
import { planOf, type TaskGiven, taskOf } from '../../support/tasks.ts';
import { ended, loopOf, work, worker } from '../parts.ts';

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = makeSandbox();
});
afterEach(() => sandbox.dispose());

/** Its timers ring when the test says so. */
function stillClock() {
  const timers = new Set<() => void>();
  const clock: Clock = {
    now: () => systemClock.now(),
    after(_, call) {
      timers.add(call);
      return () => timers.delete(call);
    },
  };
  const ring = () => {
    for (const call of [...timers]) {
      timers.delete(call);
      call();
    }
  };
  return { clock, timers, ring };
}

interface Given {
  readonly task: TaskGiven;
  readonly others?: readonly TaskGiven[];
  readonly works?: () => readonly Work[];
  readonly crew?: Partial<Crew>;
  readonly book?: Partial<OpenBook>;
  /** What stands in the book besides. */
  readonly more?: BookChange;
}

async function drive({ task: given, others = [], works = () => [], crew = {}, book: odd = {}, more = {} }: Given) {
  const home = sandbox.dir('state');
  const task = taskOf(given);
  await writeBook({ home, crew: task.crew }, { ...more, tasks: [task, ...others.map(taskOf)] });
  const jobBooks = openJobBooks(home, { clock: systemClock, onTrouble: () => undefined });
  const book = { ...(await jobBooks.open(task.crew)), ...odd };
  const troubles: string[] = [];
  const { clock, timers, ring } = stillClock();
  const driver = new Driver({
    adopts: 'all',
    crew: { ...stubCrew(() => undefined), work: works, ...crew },
    ...{ book, jobBooks, clock, folder: join(home, 'kept') },
    me: { pid: process.pid, processStart: (await processStart(process.pid)) ?? '' },
    logger: { path: '', write: (_, words) => troubles.push(words) },
    locks: { lease: join(home, 'lease'), room: join(home, 'room') },
    limits: () => ({ maxParallel: 8, startsSubtasks: false }),
    enter: async () => undefined,
  });
  const close = async () => {
    await driver.close();
    await jobBooks.close();
  };
  return { driver, troubles, timers, ring, close, tasks: () => book.now().tasks, loops: () => book.now().loops };
}

const atWork = { state: 'running', attempt: 1, worker } as const;
const refused = { write: () => Promise.reject(new Error('the disk is full')) };

it('workers of a server that is about to end are taken over when it has ended', async () => {
  let tries = 0;
  const works = () => [work({ crew: 'shop', turn: ended(), isOthers: tries < 2 })];
  const looked: string[] = [];
  const { ring, close } = await drive({
    task: atWork,
    works,
    crew: {
      async takeOver() {
        tries += 1;
      },
      async branchOf({ worker: id }) {
        looked.push(id);
        return { commits: [], behind: 0, dirtyFiles: 0 };
      },
    },
  });
  await eventually('its work is looked at', () => {
    ring();
    return looked.length > 0;
  });
  await close();
});

it('workers of its tasks that another server has found without a manager are taken from it', async () => {
  const taken: string[] = [];
  const { ring, close } = await drive({
    task: atWork,
    works: () => [work({ crew: 'shop', turn: ended(), isOthers: true })],
    crew: {
      async takeOver(workers) {
        taken.push(...workers);
      },
    },
  });
  await eventually('it is taken', () => {
    ring();
    return taken.length > 0;
  });
  expect(taken).toContain(worker.id);
  await close();
});

it('an act whose outcome cannot be written down is not taken again at once', async () => {
  let looks = 0;
  const { driver, troubles, close } = await drive({
    task: { ...atWork, state: 'checking' },
    works: () => [work({ crew: 'shop' })],
    book: refused,
    crew: {
      async branchOf() {
        looks += 1;
        return { commits: [], behind: 0, dirtyFiles: 0 };
      },
    },
  });
  await eventually('it has failed', () => troubles.length > 0);
  for (let turn = 0; turn < 20; turn++) {
    driver.wake();
    await new Promise(setImmediate);
  }
  expect(looks).toBe(1);
  await close();
});

it('a driver that fails again and again has one timer for its next try', async () => {
  const { driver, troubles, timers, close } = await drive({
    task: { state: 'queued', isCancelled: true },
    book: refused,
  });
  await eventually('it has failed often', () => {
    driver.wake();
    return troubles.length > 10;
  });
  // Its lease has one, too.
  expect(timers.size).toBeLessThanOrEqual(2);
  await close();
});

it('what stops a cancelled task is not called off by that very cancelling', async () => {
  const calledOff: boolean[] = [];
  const { close } = await drive({
    task: { ...atWork, isCancelled: true },
    works: () => [work({ crew: 'shop', status: 'working', isIdle: false })],
    crew: {
      async interrupt(_, { signal }) {
        await new Promise(setImmediate);
        calledOff.push(signal.aborted);
        return {};
      },
    },
  });
  await eventually('it is stopped', () => calledOff.length > 0);
  expect(calledOff).toEqual([false]);
  await close();
});

it('a worker that somebody talks to after its job was left out is interrupted, and then closed', async () => {
  const acts: string[] = [];
  const { close } = await drive({
    task: { ...atWork, state: 'cancelled', kind: 'job', planId: 'p', isSkipped: true },
    works: () => [work({ crew: 'shop', status: 'working', isIdle: false })],
    crew: {
      async interrupt({ workers }) {
        acts.push(`interrupt ${workers.join()}`);
        return {};
      },
      async close({ workers }) {
        acts.push(`close ${workers.join()}`);
        return {};
      },
    },
  });
  await eventually('it is closed', () => acts.some((act) => act.startsWith('close')));
  expect(acts).toEqual(['interrupt w', 'close w']);
  await close();
});

it('a task waits for as long as its role, as its file says it now, lets no other worker work', async () => {
  let maxParallel = 1;
  const started: unknown[] = [];
  const { driver, ring, close, tasks } = await drive({
    task: { id: 'q', role: 'tester' },
    others: [{ ...atWork, id: 'a', role: 'tester' }],
    works: () => [work({ crew: 'shop', status: 'working', isIdle: false })],
    crew: {
      roleFacts: async () => ({ maxParallel }),
      async start({ workers }, run) {
        started.push(workers[0]?.task?.id);
        return stubCrew(() => undefined).start({ workers }, run);
      },
    },
  });
  await eventually('it says why it waits', () => {
    ring();
    return tasks().get('q')?.reason?.includes('max_parallel 1');
  });
  expect(started).toEqual([]);
  maxParallel = 2;
  await eventually('it starts', () => {
    driver.wake();
    return started.length > 0;
  });
  expect(started).toEqual(['q']);
  await close();
});

it('nothing lands once another server has paused the project, before the book here shows it', async () => {
  const finished = { ...atWork, state: 'landing', onComplete: 'merge' } as const;
  const acts: string[] = [];
  let now: Book = { ...emptyBook, tasks: new Map([['t1', taskOf(finished)]]) };
  const { driver, close } = await drive({
    task: finished,
    works: () => [work({ crew: 'shop' })],
    book: {
      now: () => now,
      async catchUp() {
        acts.push('read');
        now = { ...now, pausedAt: 5 };
      },
    },
    crew: {
      async branchOf() {
        acts.push('land');
        return { commits: [], behind: 0, dirtyFiles: 0 };
      },
    },
  });
  await eventually('the book is read again', () => acts.length > 0);
  driver.wake();
  await close();
  expect(acts).toEqual(['read']);
});

it('a loop that has cost what it may begins no further job, and is paused when its plan has ended', async () => {
  const evidence = { claimed: true, commits: ['c'], landedAt: 'c' };
  const loop = loopOf({ crew: 'shop', openPlan: 'p1', plans: ['p1'], maxCostUsd: 5 });
  const { ring, close, tasks, loops } = await drive({
    task: { id: 't1', planId: 'p1', state: 'landed', attempt: 1, evidence },
    others: [{ id: 't2', planId: 'p1' }],
    more: { plans: [planOf({ jobs: ['t1', 't2'], loop: 'l', onComplete: 'none' })], loops: [loop] },
    crew: {
      usageOf: async () => ({
        ...{ input_tokens: 1, output_tokens: 1, cache_tokens: 0 },
        cost: { usd: 6, source: 'agent' },
      }),
    },
  });
  await eventually('it is paused', () => {
    ring();
    return loops().get('l')?.state === 'paused';
  });
  const reason = 'its workers have cost $6.00, and max_cost_usd is 5';
  expect(loops().get('l')?.reason).toBe(reason);
  expect(tasks().get('t2')).toMatchObject({ isSkipped: true, attempt: 0, reason });
  await close();
});
