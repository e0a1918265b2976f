import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { systemClock } from '../../../src/system/clock.ts';
import type { SubmitTaskRequest, TaskEdit } from '../../../src/wire/tasks.ts';
import { openJobBooks } from '../../../src/work/drive/job-books.ts';
import { pauseOrResume } from '../../../src/work/verbs/pause.ts';
import { updateTask } from '../../../src/work/verbs/task-change.ts';
import { submitTask } from '../../../src/work/verbs/tasks.ts';
import type { TasksContext } from '../../../src/work/verbs/tasks-context.ts';
import { summarizeJobs } from '../../../src/work/verbs/views.ts';
import { makeSandbox, type Sandbox } from '../../support/sandbox.ts';
import { stubCrew } from '../../support/stub-crew.ts';
import { type TaskGiven, taskOf } from '../../support/tasks.ts';

let sandbox: Sandbox;
let homes = 0;
beforeEach(async () => {
  sandbox = await makeSandbox();
});
afterEach(() => sandbox.dispose());

const readers = ['scout'];

/** What stands in the book after an edit of its task. */
async function after<T>(tasks: readonly TaskGiven[], act: (room: TasksContext) => Promise<T>, isRepo = true) {
  const home = join(sandbox.home, `state${homes++}`);
  const jobBooks = openJobBooks(home, { clock: systemClock, onTrouble: () => undefined });
  const book = await jobBooks.open('shop');
  await book.write({ tasks: tasks.map((one) => taskOf(one)) });
  const crew = {
    ...stubCrew(() => undefined),
    place: async () => ({ project: '/project', crew: 'shop', ...(isRepo && { repoPath: '/project' }) }),
    deniesEditing: async ({ role = '' }) => readers.includes(role),
  };
  const room: TasksContext = {
    ...{ crew, jobBooks, clock: systemClock, limit: () => 8, drives: () => false, startsHeld: () => false },
    drive: async () => book,
    templates: async () => ({ files: [], aside: [] }),
  };
  try {
    const answer = await act(room);
    return { answer, tasks: book.now().tasks };
  } finally {
    await jobBooks.close();
  }
}

const edited = async (edit: TaskEdit, one: TaskGiven = {}, isRepo = true) => {
  const all = [one, { id: 't2', dependsOn: ['t1'] }, { id: 't3', dependsOn: ['t2'] }, { id: 'free' }];
  const { tasks } = await after(all, (room) => updateTask(room, { taskId: 't1', action: 'edit', edit }), isRepo);
  return tasks.get('t1');
};

it('an edit changes what it names, and nothing else', async () => {
  const edit = { dependsOn: ['free'], env: { A: 'b' }, onComplete: 'merge', timeoutMinutes: 5 } as const;
  expect(await edited(edit, { tags: ['x'] })).toEqual(taskOf({ ...edit, tags: ['x'] }));
});

it.each<[TaskEdit, string]>([
  [{ dependsOn: ['t3'] }, 'Cart would depend on itself, through t3.'],
  [{ dependsOn: ['t1'] }, 'Cart would depend on itself, through t1.'],
  [{ dependsOn: ['lost'] }, 'No task has the id "lost".'],
])('an edit to %j is refused as a new task is, and changes nothing', async (edit, words) => {
  await expect(edited(edit)).rejects.toThrow(words);
});

it('an edit and a start with a role warn as a new task does, and one that was edited warns of nothing else', async () => {
  const asking = 'The worker of Cart asks about commands.';
  const warned = async (order: Parameters<typeof updateTask>[1], one: TaskGiven = {}) => {
    const { answer } = await after([one, { id: 'free', title: 'Docs' }], (room) => {
      const asksAhead = async ({ starts: [start] }: { readonly starts: readonly { readonly role?: string }[] }) =>
        start?.role === 'maker' ? [asking] : [];
      return updateTask({ ...room, crew: { ...room.crew, asksAhead } }, order);
    });
    return answer.warnings;
  };
  const edit = { role: 'maker' };
  expect(await warned({ taskId: 't1', action: 'edit', edit })).toEqual([asking]);
  expect(await warned({ taskId: 't1', action: 'start', edit }, { isHeld: true })).toEqual([asking]);
  expect(await warned({ taskId: 't1', action: 'edit', edit: { ...edit, dependsOn: ['free'] } })).toEqual([
    expect.stringMatching(/^Docs \(free\) lands nowhere by itself/),
    asking,
  ]);
  expect(await warned({ taskId: 't1', action: 'edit', edit: { title: 'Cart' } })).toBeUndefined();
  expect(await warned({ taskId: 't1', action: 'prioritise', priority: 3 }, edit)).toBeUndefined();
});

it('what a worker has entered is checked when it is started, and stays held where it is refused', async () => {
  const entered = { isHeld: true, role: 'revewer', from: { id: 'a', name: 'ada' } };
  const { tasks } = await after([entered], async (room) => {
    const asksAhead = async ({ starts: [start] }: { readonly starts: readonly { readonly role?: string }[] }) => {
      if (start?.role === 'revewer') throw new Error('There is no role "revewer".');
      return [];
    };
    const start = (edit?: TaskEdit) =>
      updateTask(
        { ...room, crew: { ...room.crew, asksAhead } },
        { taskId: 't1', action: 'start', ...(edit && { edit }) },
      );
    await expect(start()).rejects.toThrow('There is no role "revewer".');
    expect((await summarizeJobs(room)).tasks).toMatchObject([{ held: true }]);
    await start({ role: 'reviewer' });
  });
  expect(tasks.get('t1')).toMatchObject({ isHeld: false, role: 'reviewer' });
});

it('outside of a repository an edit lands nothing and brings no commit', async () => {
  await expect(edited({ onComplete: 'merge' }, {}, false)).rejects.toThrow('nothing of it can be landed');
  await expect(edited({ brings: 'commit', title: 'Docs' }, {}, false)).rejects.toThrow('nothing can be committed');
});

it('another role brings what its rules let it, unless somebody has said what the task brings', async () => {
  expect(await edited({ role: 'scout' }, { brings: 'commit' })).toMatchObject({ brings: 'report' });
  expect(await edited({ role: 'maker' }, { brings: 'report', role: 'scout' })).toMatchObject({ brings: 'commit' });
  expect(await edited({ role: 'maker' }, { brings: 'report' })).toMatchObject({ brings: 'report' });
  expect(await edited({ role: 'scout' })).not.toHaveProperty('brings');
});

const cart: SubmitTaskRequest = {
  ...{ title: 'Cart', prompt: 'Write it.', projectPath: 'auto', priority: 5, dependsOn: [], tags: [], start: true },
  ...{ maxRetries: 0, onComplete: 'none', keepWorker: false },
};

it('a task that is not to start waits for update_task, which its answer names', async () => {
  const { answer, tasks } = await after([], (room) => submitTask(room, { ...cart, start: false }));
  expect(answer).toMatchObject({ state: 'queued', held: true });
  expect(answer.nextCalls[0]).toBe(`update_task {"task_id":"${answer.taskId}","action":"start"}`);
  expect(tasks.get(answer.taskId)).toMatchObject({ isHeld: true });
});

it('a pause is kept from its first call on, is the reason of what is submitted, and ends with resume', async () => {
  const { answer } = await after([], async (room) => {
    const asked = (action: 'pause' | 'resume') => pauseOrResume(room, { action });
    const [first, second] = [await asked('pause'), await asked('pause')];
    const { reason, state, nextCalls } = await submitTask(room, cart);
    const { paused } = await summarizeJobs(room);
    return { first, second, reason, state, nextCalls, paused, last: [await asked('resume'), await asked('resume')] };
  });
  const { paused } = answer.first;
  expect(answer).toMatchObject({
    first: { projectPath: '/project', paused: { since: expect.any(String) } },
    second: { paused },
    ...{ paused, state: 'queued', reason: `the project is paused since ${paused?.since}, so this does not start` },
    nextCalls: ['update_task {"action":"resume"}'],
    last: [{ projectPath: '/project' }, { projectPath: '/project' }],
  });
  expect(answer.last.flatMap(Object.keys)).not.toContain('paused');
});
