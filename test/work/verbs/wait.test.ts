import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Work } from '../../../src/crew/api.ts';
import { defined } from '../../../src/model/defined.ts';
import { writeBook } from '../../../src/store/job-book.ts';
import { systemClock } from '../../../src/system/clock.ts';
import { attention } from '../../../src/wire/attention.ts';
import { inward } from '../../../src/wire/spoken.ts';
import { openJobBooks } from '../../../src/work/drive/job-books.ts';
import type { TasksContext } from '../../../src/work/verbs/tasks-context.ts';
import { waitTasks } from '../../../src/work/verbs/wait.ts';
import { makeSandbox, type Sandbox } from '../../support/sandbox.ts';
import { stubCrew } from '../../support/stub-crew.ts';
import { type TaskGiven, taskOf } from '../../support/tasks.ts';
import { need, work, worker } from '../parts.ts';

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = makeSandbox();
});
afterEach(() => sandbox.dispose());

const run = { signal: new AbortController().signal, tell: () => undefined };

type Given = TaskGiven & { readonly pausedAt?: number };

/** Waits for a task that goes on, with this worker at one look after the other, and tells which crews were driven. */
async function waitFor(seen: Partial<Work>, { pausedAt, ...change }: Given = {}, startsHeld = false, later = seen) {
  const home = sandbox.dir('state');
  const task = taskOf({ state: 'running', worker, attempt: 1, ...change });
  await writeBook({ home, crew: task.crew }, { tasks: [task], ...defined({ pausedAt }) });
  const jobBooks = openJobBooks(home, { clock: systemClock, onTrouble: () => undefined });
  const driven: string[] = [];
  let looks = 0;
  const crew = {
    ...stubCrew(() => undefined),
    work: () => [work({ crew: task.crew, ...(looks++ === 0 ? seen : later) })],
  };
  const room: TasksContext = {
    ...{ crew, jobBooks, clock: systemClock, limit: () => 8, drives: () => false, startsHeld: () => startsHeld },
    templates: async () => ({ files: [], aside: [] }),
    drive: (name) => {
      driven.push(name);
      return jobBooks.open(name);
    },
  };
  const order = { taskIds: [task.id], mode: 'all', timeout: 0, timeoutMs: 0, onAttention: 'new' } as const;
  const { attention, timedOut } = await waitTasks(room, new Set(), order, run);
  await jobBooks.close();
  return { attention, timedOut, driven, crew: task.crew };
}

it('has whatever it waits for driven, also where that is another project', async () => {
  const { driven, crew } = await waitFor({ status: 'working' });
  expect(driven).toEqual([crew]);
});

it('tells of what a worker needs, and leaves the death of its agent to the driver', async () => {
  const asks = need();
  expect(await waitFor({ status: 'waiting', attention: [asks] })).toMatchObject({
    attention: [inward(attention, asks)],
    timedOut: false,
  });
  const died = { ...asks, waiting_for: 'dead' as const };
  expect(await waitFor({ status: 'dead', attention: [died] })).toMatchObject({ attention: [], timedOut: true });
});

it('says what ended the wait, though it passed a moment later', async () => {
  const asks = need();
  const answer = await waitFor({ status: 'waiting', attention: [asks] }, {}, false, { status: 'working' });
  expect(answer).toMatchObject({ attention: [inward(attention, asks)], timedOut: false });
});

it('is over at once where only a call brings on what is left', async () => {
  const held = { state: 'queued', isHeld: true } as const;
  expect(await waitFor({}, held)).toMatchObject({ timedOut: false });
  expect(await waitFor({}, held, true), 'its manager holds it').toMatchObject({ timedOut: false });
  const from = { id: 'v', name: 'bea' };
  expect(await waitFor({}, { ...held, from }, true), 'it starts by itself').toMatchObject({ timedOut: true });
  expect(await waitFor({}, { state: 'queued' })).toMatchObject({ timedOut: true });
});

it('is over at once where a pause of the project holds what is left, and goes on where that is at work', async () => {
  expect(await waitFor({}, { state: 'queued', pausedAt: 5 })).toMatchObject({ timedOut: false });
  expect(await waitFor({}, { state: 'landing', pausedAt: 5 })).toMatchObject({ timedOut: false });
  expect(await waitFor({ status: 'working' }, { pausedAt: 5 })).toMatchObject({ timedOut: true });
});
