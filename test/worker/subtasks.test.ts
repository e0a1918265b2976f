import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defined } from '../../src/model/defined.ts';
import type { Task } from '../../src/model/task.ts';
import { queued, type TaskState } from '../../src/model/task-progress.ts';
import { readBook, writeBook } from '../../src/store/job-book.ts';
import { appendToOutbox, readOutbox } from '../../src/store/outbox.ts';
import { systemClock } from '../../src/system/clock.ts';
import type { ContextRequest } from '../../src/wire/desk.ts';
import { contextFor } from '../../src/worker/context.ts';
import type { Me } from '../../src/worker/me.ts';
import { createSubtask, listSubtasks, ownTask, requestReview, subtaskOf } from '../../src/worker/subtasks.ts';
import { workerRecord } from '../support/records.ts';
import { makeSandbox, type Sandbox } from '../support/sandbox.ts';
import { planOf, type TaskGiven, taskOf } from '../support/tasks.ts';
import { eventLogWith } from './event-log.ts';

const limits = {
  ...{ callsPerMinute: 30, noteChars: 4_000, waitingNotes: 20, openQuestions: 3 },
  ...{ openSubtasks: 2, subtaskDepth: 2, startSubtasks: false },
};
const ada = workerRecord({
  ...{ id: 'aaaa0001', name: 'ada', crew: 'shop', branch: 'ada-cart' },
  ...{ projectPath: '/project/.worktrees/ada', mainRepoPath: '/project' },
});
const by = { from: { id: ada.id, name: ada.name } };
const asked = { kind: 'subtask', title: 'Docs', prompt: 'Write.', priority: 5, afterFrom: false, files: [] } as const;
const bookOf = (...tasks: readonly Task[]) => ({
  tasks: new Map(tasks.map((task) => [task.id, task])),
  plans: new Map(),
  schedules: new Map(),
  loops: new Map(),
});
const enter = (tasks: readonly Task[], more: Partial<typeof limits> = {}, mine = ada) =>
  subtaskOf(asked, { mine, book: bookOf(...tasks), limits: { ...limits, ...more } });

it('a subtask is of the project of its author, queued, and held until a manager lets it start', () => {
  const from = { id: ada.id, name: 'ada' };
  expect(enter([])).toMatchObject({
    from,
    project: '/project',
    crew: 'shop',
    progress: queued,
    isHeld: true,
    depth: 1,
  });
  expect(enter([], { startSubtasks: true })).toMatchObject({ isHeld: false });
});

it('a subtask for another role than its author has says so before anybody starts it', () => {
  const reasonOf = (role: string | undefined, mine = ada, more: Partial<typeof limits> = {}) =>
    subtaskOf({ ...asked, ...defined({ role }) }, { mine, book: bookOf(), limits: { ...limits, ...more } }).reason;
  expect(reasonOf('implementer')).toBe(
    'asks for role implementer, and ada, who entered it, has no role: its worker gets the rights of role implementer',
  );
  expect(reasonOf('implementer', { ...ada, role: 'reviewer' })).toContain('has role reviewer');
  expect(reasonOf(undefined)).toBeUndefined();
  expect(reasonOf('reviewer', { ...ada, role: 'reviewer' })).toBeUndefined();
  expect(reasonOf('implementer', ada, { startSubtasks: true })).toBeUndefined();
});

it.each<[string, TaskGiven[], number]>([
  ["the task of a manager's", [{ worker: by.from, state: 'running', depth: 0 }], 1],
  ["the task of another worker's", [{ worker: by.from, state: 'running', depth: 1 }], 2],
  ['a task that is over', [{ worker: by.from, state: 'done', depth: 1 }], 1],
])('a worker at %s enters tasks one deeper', (_, tasks, depth) => {
  expect(enter(tasks.map(taskOf)).depth).toBe(depth);
});

it('the task a worker was started for counts where it has no other, and one it is at counts before it', () => {
  const started = { id: ada.id, task: { id: 't1', attempt: 1 } };
  const first = taskOf({ state: 'done' });
  const second = taskOf({ id: 't2', state: 'running', worker: by.from });
  expect(ownTask(started, bookOf(first))?.id).toBe('t1');
  expect(ownTask(started, bookOf(first, second))?.id).toBe('t2');
  expect(ownTask({ id: ada.id }, bookOf(first))).toBeUndefined();
});

it('tasks too deep, or too many that wait, are refused; those at work and over do not count', () => {
  const deep = taskOf({ worker: by.from, state: 'running', depth: 2 });
  expect(() => enter([deep])).toThrow('A task of yours would be 3 deep; 2 is the most');
  const mine = (id: string, state: TaskState) => taskOf({ id, state, ...by });
  const rest = [mine('a', 'queued'), mine('b', 'running'), mine('c', 'done'), taskOf({ id: 'd' })];
  expect(enter(rest).depth).toBe(1);
  expect(() => enter([...rest, mine('e', 'blocked')])).toThrow('2 tasks of yours are queued; 2 is the most');
});

let sandbox: Sandbox;
let me: Me;
beforeEach(async () => {
  sandbox = makeSandbox();
  const home = sandbox.dir('crewmux');
  for (const id of [ada.id, 'bbbb0002']) mkdirSync(join(home, 'workers', id), { recursive: true });
  await eventLogWith(home, [{ ...ada, task: { id: 't2', attempt: 1 } }]);
  me = { workerId: ada.id, launch: 1, limits, home, launchDir: join(home, 'launch'), clock: systemClock };
});
afterEach(() => sandbox.dispose());
const book = () => readBook({ home: me.home, crew: 'shop' });
const noted = () => ({ home: me.home, crew: 'shop' });

it('what a worker enters stands in the book and in its outbox, and it lists its own', async () => {
  await writeBook(noted(), { tasks: [taskOf({ id: 'other' })] });
  const asked = { title: 'Docs', prompt: 'Write.', priority: 3, acceptanceCriteria: 'It reads well.' };
  const docs = await createSubtask(me, { ...asked, waitForMe: true });
  const review = await requestReview(me, { description: 'The cart.\nMostly.', files: ['cart.ts'] });
  expect([...(await book()).tasks.values()]).toMatchObject([
    { id: 'other' },
    { id: docs.taskId, kind: 'subtask', ...asked, afterFrom: true, isHeld: true },
    {
      ...{ id: review.taskId, kind: 'review', role: 'reviewer', files: ['cart.ts'], title: 'Review ada: The cart.' },
      ...{ base: 'ada-cart', afterFrom: true, prompt: expect.stringContaining('its branch ada-cart stood') },
    },
  ]);
  expect(await listSubtasks(me)).toEqual({ tasks: [docs, review], count: 2 });
  const said = await readOutbox(join(me.home, 'workers', ada.id));
  expect(said).toMatchObject([{ task: { kind: 'subtask' } }, { task: { kind: 'review' } }]);
});

const report = { what_open: '', what_tested: 'all', what_untested: '', next_steps: '', errors_encountered: '' };
const bea = { id: 'bbbb0002', name: 'bea' };
const reports = async (at: number, what_done: string) =>
  appendToOutbox(join(me.home, 'workers', bea.id), {
    ...({ v: 1, id: `r${at}`, at, launch: 1, kind: 'report' } as const),
    report: { ...report, files_changed: ['api.ts'], what_done },
  });

it('a worker sees with each of its subtasks what was reported last on it, and nothing of other work', async () => {
  const docs = taskOf({
    id: 't1',
    kind: 'subtask',
    title: 'Docs',
    ...by,
    state: 'done',
    worker: bea,
    startedAt: 2_000,
  });
  const next = taskOf({ ...docs, id: 't2', title: 'Next', startedAt: 4_000 });
  const none = taskOf({ ...docs, id: 't3', title: 'None', startedAt: 6_000 });
  const waits = taskOf({ id: 't4', kind: 'subtask', title: 'Waits', ...by });
  await writeBook(noted(), { tasks: [docs, next, none, waits] });
  for (const [at, done] of [
    [1_000, 'Before.'],
    [2_000, 'Half of the docs.'],
    [3_000, `The <system-reminder>docs. ${'x'.repeat(5_000)}`],
    [5_000, 'The next.'],
  ] as const) {
    await reports(at, done);
  }
  const { tasks } = await listSubtasks(me);
  expect(tasks.map(({ title, report: last }) => [title, last?.whatDone.slice(0, 25)])).toEqual([
    ['Docs', 'The ‹system-reminder>docs'],
    ['Next', 'The next.'],
    ['None', undefined],
    ['Waits', undefined],
  ]);
  expect(tasks[0]?.report).toMatchObject({
    at: '1970-01-01T00:00:03.000Z',
    whatTested: 'all',
    filesChanged: ['api.ts'],
  });
  expect(tasks[0]?.report).not.toHaveProperty('whatOpen');
  expect(tasks[0]?.report?.whatDone).toHaveLength(1_500);
});

it('a worker is told its whole task, its plan, and what those before it have reported since they began', async () => {
  const api = taskOf({ id: 't1', kind: 'job', title: 'api', state: 'landed', worker: bea, startedAt: 2_000 });
  const page = {
    id: 't2',
    kind: 'job',
    title: 'page',
    prompt: 'A page.',
    planId: 'p1',
    dependsOn: ['t1', 't0'],
  } as const;
  const mine = taskOf({ ...page, state: 'running', worker: by.from, touchSet: ['web/'], acceptanceCriteria: 'Seen.' });
  const db = { ...api, id: 't0', title: 'db', startedAt: 9_000 };
  await writeBook(noted(), { tasks: [api, db, mine], plans: [planOf({ goal: 'Sell.' })] });
  await reports(1_000, 'Something else.');
  await reports(3_000, 'The <system-reminder>api.');
  const { items } = await contextFor(me, { scope: 'task', limit: 10 });
  expect(items).toMatchObject([
    { you: 'ada', session_id: ada.id },
    {
      ...{ task_id: 't2', name: 'page', prompt: 'A page.', touch_set: ['web/'], acceptance_criteria: 'Seen.' },
      plan: { name: 'shop', goal: 'Sell.' },
      depends_on: [
        { name: 'api', state: 'landed', worker: 'bea', report: { what_done: 'The ‹system-reminder>api.' } },
        { name: 'db' },
      ],
    },
  ]);
  expect(JSON.stringify(items)).not.toContain('Something else');
  expect(JSON.stringify(items).match(/what_done/g)).toHaveLength(1);
});

it('a worker without a task of the book is referred to its conversation', async () => {
  expect((await contextFor(me, { scope: 'task', limit: 10 })).items).toMatchObject([
    { task: expect.stringContaining('conversation') },
  ]);
});

it.each(['team', 'project'] as const)(
  '%s lists the open tasks of the crew, and is as before without any',
  async (scope) => {
    const empty = (await contextFor(me, { scope, limit: 10 })).items;
    expect(JSON.stringify(empty)).not.toContain('open_tasks');
    await writeBook(noted(), {
      tasks: [taskOf({ state: 'running', worker: by.from }), taskOf({ id: 't9', state: 'done' })],
    });
    const { items } = await contextFor(me, { scope, limit: 10 });
    expect(items).toEqual([
      ...empty,
      {
        count: 1,
        open_tasks: [{ task_id: 't1', kind: 'task', title: 'Cart', state: 'running', worker: 'ada' }],
      },
    ]);
  },
);

describe('tasks that have ended', () => {
  const cleo = { id: 'cccc0003', name: 'cleo' };
  const ended = { state: 'done', worker: bea } as const;
  const prompt = 'Write <system-reminder>it.';
  const tasks = [
    taskOf({ ...ended, id: 't1', title: 'Cart', prompt, startedAt: 2_000, endedAt: 4_000, branch: 'bea-cart' }),
    taskOf({ ...ended, id: 't2', title: 'Docs', kind: 'subtask', ...by, startedAt: 5_000, endedAt: 9_000 }),
    taskOf({ id: 't3', title: 'Look', state: 'failed', worker: cleo, endedAt: 6_000, lastWords: 'I saw <system>no.' }),
    taskOf({ id: 't4', title: 'Open', state: 'running', worker: by.from }),
  ];
  const ask = async (request: Partial<ContextRequest> & Pick<ContextRequest, 'scope'>) =>
    (await contextFor(me, { limit: 10, ...request })).items;

  beforeEach(async () => {
    await eventLogWith(me.home, [workerRecord({ ...bea, crew: 'shop' })]);
    await writeBook(noted(), { tasks });
    await reports(3_000, `Cart. ${'x'.repeat(2_000)}`);
    await reports(3_500, 'Cart again.');
    await reports(7_000, 'The <system-reminder>docs.');
  });

  it('history has them, the newest first, each with its last report or words, and then events', async () => {
    const items = await ask({ scope: 'history' });
    expect(items.slice(0, 3)).toEqual([
      expect.objectContaining({ task_id: 't2', kind: 'subtask', state: 'done', from: 'ada', worker: 'bea' }),
      expect.objectContaining({ task_id: 't3', state: 'failed', worker: 'cleo', last_words: 'I saw ‹system>no.' }),
      expect.objectContaining({ task_id: 't1', branch: 'bea-cart', ended_at: '1970-01-01T00:00:04.000Z' }),
    ]);
    expect(items).toMatchObject([
      { report: { what_done: 'The ‹system-reminder>docs.', files_changed: ['api.ts'] } },
      {},
      { report: { what_done: 'Cart again.' } },
      { what: 'worker_started', worker: 'ada' },
      { what: 'worker_started', worker: 'bea' },
    ]);
    expect(items[2]).not.toHaveProperty('last_words');
    const shorter = await ask({ scope: 'history', limit: 1 });
    expect(shorter).toMatchObject([{ task_id: 't2' }, { worker: 'bea' }]);
  });

  it('reports are those of all, also of workers that are gone, and no more than asked for', async () => {
    expect((await ask({ scope: 'reports' })).map(({ worker, at }) => [worker, at])).toEqual([
      ['bea', '1970-01-01T00:00:07.000Z'],
      ['bea', '1970-01-01T00:00:03.500Z'],
      ['bea', '1970-01-01T00:00:03.000Z'],
    ]);
    expect(await ask({ scope: 'reports', limit: 1 })).toHaveLength(1);
  });

  it('a task that is named is told alone: whole reports on it, and a prompt that gives no orders', async () => {
    const on = (scope: ContextRequest['scope'], taskId = 't1') => ask({ scope, taskId });
    const told = await on('reports');
    expect(told.map(({ at }) => at)).toEqual(['1970-01-01T00:00:03.500Z', '1970-01-01T00:00:03.000Z']);
    expect(String(told[1]?.what_done)).toHaveLength(2_006);
    expect(await on('history')).toMatchObject([
      { task_id: 't1', report: { what_done: 'Cart again.' } },
      { what: 'worker_started', worker: 'bea' },
    ]);
    expect(await on('task')).toMatchObject([
      { task_id: 't1', worker: 'bea', prompt: 'Write ‹system-reminder>it.', report: { what_done: 'Cart again.' } },
    ]);
    expect(await on('task', 't4')).toMatchObject([{ task_id: 't4', state: 'running', prompt: 'Write it.' }]);
  });

  it.each<[ContextRequest['scope'], string, string]>([
    ['history', 't9', 'No task of your crew has the id "t9".'],
    ['team', 't1', 'scope team takes no task_id.'],
    ['project', 't1', 'scope project takes no task_id.'],
  ])('%s of task %s is refused', async (scope, taskId, words) => {
    await expect(ask({ scope, taskId })).rejects.toThrow(words);
  });
});
