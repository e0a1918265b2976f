// Single tasks through the built server, done by scripted agents on real tmux and git.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { reportsOutput } from '../../src/wire/reports.ts';
import { listTasksOutput, submitTaskOutput } from '../../src/wire/tasks.ts';
import { eventually } from '../support/sandbox.ts';
import { commit, type JobServer, type JobStand, openJobStand } from './job-stand.ts';

let stand: JobStand;
let server: JobServer;
beforeAll(async () => {
  stand = openJobStand();
  server = await stand.serveJobs();
});
afterAll(() => stand.dispose());

const talk = { brings: 'report' } as const;

const page = z.object({
  messages: z.array(z.object({ role: z.string(), content: z.string(), timestamp: z.string() })),
});
const account = {
  files_changed: ['a.txt'],
  what_done: 'It is written.',
  what_open: '',
  what_tested: '',
  what_untested: '',
  next_steps: '',
  errors_encountered: '',
};

it('a task ends with its commits, its report and the call that lands it; its worker is closed and its branch stays', async () => {
  const prompt = `HOLD reported\n${commit('a.txt', 'one')}\nSAY done`;
  const asked = { role: 'generalist', acceptance_criteria: 'It reads well.' };
  const { task_id } = await server.submit({ prompt, ...asked });
  const { worker } = await server.comes(task_id, 'running');
  if (worker === undefined) throw new Error('no worker');
  const tools = await stand.toolsOf(worker);
  await tools.call('submit_report', { ...account, what_open: 'b.txt', what_untested: 'None.' });
  stand.release('reported');
  const { tasks } = await server.awaited({ task_ids: [task_id] });
  expect(tasks).toMatchObject([
    {
      state: 'done',
      evidence: { claimed: true, commits: [expect.any(String)] },
      report: { what_done: 'It is written.' },
      next_calls: [expect.stringContaining('diff_worker'), expect.stringContaining('merge_worker')],
    },
  ]);
  await server.until(worker.session_id, 'closed');
  expect(stand.subjects(`main..${tasks[0]?.branch}`)).toEqual(['Write a.txt']);
  expect(await server.reports({ task_id })).toMatchObject([{ what_done: 'It is written.' }]);
  await server.make(tasks[0]?.next_calls?.[1]);
  expect(stand.git('show', 'main:a.txt')).toBe('one');
  const { draft } = await server.call('read_reports', reportsOutput, { task_id, next: true });
  expect(draft).toMatchObject({ title: 'b.txt', ...asked });
  const next = submitTaskOutput.parse(await server.connection.call('submit_task', { ...draft }));
  expect(next).toMatchObject({ title: 'b.txt', ...asked });
  await server.update(next.task_id, 'cancel');
});

it('a task with on_complete merge lands on its base once what it depends on has ended', async () => {
  const first = await server.submit({
    title: 'First',
    prompt: `${commit('m.txt', 'merged')}\nSAY done`,
    on_complete: 'merge',
  });
  const second = await server.submit({
    title: 'Second',
    prompt: 'BASH test "$(cat m.txt)" = merged && echo more > n.txt\nSAY left uncommitted',
    depends_on: [first.task_id],
  });
  expect(second.state).toBe('queued');
  const { tasks, all_ended } = await server.awaited({ task_ids: [first.task_id, second.task_id] });
  expect(all_ended).toBe(true);
  expect(tasks).toMatchObject([
    { state: 'landed', evidence: { landed_at: stand.git('rev-parse', 'main') } },
    { state: 'done', evidence: { commits: [] }, reason: '1 file in its worktree is in no commit' },
  ]);
});

it('an idle worker of the role that was kept does the next task, and its earlier turn ends nothing', async () => {
  const one = await server.submit({ ...talk, prompt: 'SAY first words', role: 'generalist', keep_worker: true });
  await server.comes(one.task_id, 'done');
  const two = await server.submit({ prompt: `SLOW 0.3\n${commit('b.txt', 'two')}\nSAY done`, role: 'generalist' });
  const { tasks } = await server.awaited({ task_ids: [two.task_id] });
  const { worker } = await server.task(one.task_id);
  expect(tasks).toMatchObject([{ state: 'done', worker, evidence: { commits: [expect.any(String)] } }]);
  // It was there before, and stays; with a commit of its own it is clean no more.
  const three = await server.submit({ ...talk, prompt: 'SAY third', role: 'generalist' });
  const last = await server.comes(three.task_id, 'done');
  expect(last.worker?.session_id).not.toBe(worker?.session_id);
  expect((await server.look(worker?.session_id ?? '')).status).toBe('idle');
});

it('a failed dependency blocks with the reason and the calls that help, and retry unblocks', async () => {
  const bad = await server.submit({ ...talk, title: 'Bad', prompt: 'FAIL' });
  const next = await server.submit({ ...talk, title: 'Next', prompt: 'SAY never', depends_on: [bad.task_id] });
  const last = await server.submit({ ...talk, title: 'Last', prompt: 'SAY never', depends_on: [next.task_id] });
  const blocked = await server.comes(last.task_id, 'blocked');
  expect(blocked.reason).toContain('Next is blocked');
  expect(blocked.next_calls[0]).toContain(bad.task_id);
  const failed = await server.comes(bad.task_id, 'failed');
  expect(failed.reason).toContain('500');
  expect(failed.next_calls[0]).toContain('retry');
  await server.update(bad.task_id, 'retry', { prompt: 'SAY better' });
  const { tasks } = await server.awaited({ task_ids: [bad.task_id, next.task_id, last.task_id] });
  expect(tasks.map(({ state }) => state)).toEqual(['done', 'done', 'done']);
});

it('a failed turn is retried as often as it may, and one that changes and says nothing is a failure', async () => {
  const [flaky, silent, crashed] = await Promise.all([
    server.submit({ title: 'Flaky', prompt: 'FAIL', max_retries: 1 }),
    server.submit({ ...talk, title: 'Silent', prompt: 'SAY \\n' }),
    server.submit({ title: 'Crashed', prompt: 'HOLD crash\nCRASH 3', max_retries: 1 }),
  ]);
  await server.comes(crashed.task_id, 'running');
  stand.release('crash');
  const { tasks, attention } = await server.awaited({
    task_ids: [flaky, silent, crashed].map(({ task_id }) => task_id),
  });
  expect(attention).toEqual([]);
  expect(tasks).toMatchObject([
    { state: 'failed', reason: expect.stringContaining('500') },
    { state: 'failed', reason: 'its turn ended, and it has changed nothing and said nothing' },
    { state: 'failed', reason: expect.stringContaining('its agent ended') },
  ]);
  const { messages } = await server.call('read_worker_logs', page, {
    session_id: tasks[0]?.worker?.session_id,
    pages: 5,
  });
  const [, second, ...more] = messages.filter(({ role }) => role === 'user');
  expect(second?.content).toContain('Your work on "Flaky" stopped');
  expect(more).toEqual([]);
});

it('a wait returns as soon as a worker is blocked or asks, and what they are told lets the tasks go on', async () => {
  const [stuck, asking] = await Promise.all([
    server.submit({ ...talk, title: 'Stuck', prompt: 'HOLD stuck\nSAY I wait' }),
    server.submit({ ...talk, title: 'Asking', prompt: 'HOLD asking\nASK Which?|Red|Blue\nSAY done' }),
  ]);
  const { worker } = await server.comes(stuck.task_id, 'running');
  if (worker === undefined) throw new Error('no worker');
  await (await stand.toolsOf(worker)).call('report_progress', { status: 'blocked', message: 'no database' });
  stand.release('stuck');
  const task_ids = [stuck.task_id, asking.task_id];
  const first = await server.awaited({ task_ids });
  expect(first).toMatchObject({
    waiting_on: task_ids,
    attention: [{ title: 'Stuck stands still', detail: expect.stringContaining('no database') }],
  });
  expect(first.attention[0]?.answer_with[0]).toContain('message_workers');
  await server.call('message_workers', z.looseObject({}), {
    session_ids: [worker.session_id],
    message: 'SAY here it is',
  });
  stand.release('asking');
  const second = await server.awaited({ task_ids });
  expect(second.attention).toMatchObject([
    { waiting_for: 'question', answer_with: expect.arrayContaining([expect.stringContaining('answer_worker')]) },
  ]);
  // What is read from the screen can come before what the agent says of it, which names the call more exactly.
  await eventually('its task names the same call', async () => {
    const { attention } = await server.awaited({ task_ids, on_attention: 'any' });
    const { next_calls } = await server.task(asking.task_id);
    return attention[0] !== undefined && next_calls.includes(attention[0].answer_with[0] ?? '');
  });
  await server.call('answer_worker', z.looseObject({}), {
    session_id: second.attention[0]?.session_id,
    decision: 'choose',
    option: 'Red',
  });
  expect(await server.awaited({ task_ids })).toMatchObject({
    all_ended: true,
    attention: [],
    tasks: [{ state: 'done' }, { state: 'done' }],
  });
});

it('a time limit fails a task, and cancel interrupts one; what was done stays', async () => {
  const [late, cancelled, never] = await Promise.all([
    server.submit({ title: 'Late', prompt: `${commit('late.txt', '1')}\nHOLD never`, timeout_minutes: 0.2 }),
    server.submit({ title: 'Cancelled', prompt: `${commit('c.txt', '1')}\nHOLD never` }),
    server.submit({ ...talk, title: 'Never', prompt: 'SAY never', depends_on: [] }),
  ]);
  const { worker, branch } = await server.comes(cancelled.task_id, 'running');
  await eventuallyCommits(branch);
  await server.update(cancelled.task_id, 'cancel');
  const { tasks } = await server.awaited({ task_ids: [late.task_id, cancelled.task_id, never.task_id] });
  expect(tasks).toMatchObject([
    { state: 'failed', reason: 'its 0.2 minutes are over' },
    { state: 'cancelled' },
    { state: 'done' },
  ]);
  expect((await server.until(worker?.session_id ?? '', 'idle')).turn?.ended_by).toBe('interrupted');
  expect(stand.subjects(`main..${tasks[0]?.branch}`)).toEqual(['Write late.txt']);
  expect(await server.refusal('update_task', { task_id: cancelled.task_id, action: 'cancel' })).toContain('has ended');
});

const eventuallyCommits = (branch = '') =>
  eventually('it has committed', () => stand.subjects(`main..${branch}`).length > 0);

it('what workers enter waits for a start, and then is a task', async () => {
  const { task_id } = await server.submit({ ...talk, title: 'Parent', prompt: 'HOLD parent\nSAY done' });
  const { worker } = await server.comes(task_id, 'running');
  if (worker === undefined) throw new Error('no worker');
  const tools = await stand.toolsOf(worker);
  const made = await tools.call('create_subtask', {
    title: 'Part',
    prompt: 'WRITE part.txt part\nSAY part',
    wait_for_me: true,
  });
  const review = await tools.call('request_review', { description: 'SAY looks good', files: ['README.md'] });
  const { tasks } = await server.call('list_tasks', listTasksOutput);
  const part = tasks.find((one) => one.task_id === made.task_id);
  expect(part).toMatchObject({ kind: 'subtask', state: 'queued', held: true, wait_for_me: true, from: worker });
  expect(part?.next_calls[0]).toContain('start');
  await server.update(String(made.task_id), 'start');
  const [started] = tasks.filter(({ kind }) => kind === 'review').map((one) => one.task_id);
  await server.update(started ?? '', 'start');
  expect((await server.task(started ?? '')).state).toBe('queued');
  expect((await server.task(String(made.task_id))).state).toBe('queued');
  stand.release('parent');
  expect(await server.comes(started ?? '', 'done')).toMatchObject({ brings: 'report', files: ['README.md'] });
  expect((await server.awaited({ task_ids: [String(made.task_id)] })).tasks).toMatchObject([{ state: 'done' }]);
  void review;
});
