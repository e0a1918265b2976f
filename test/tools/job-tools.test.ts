import { expect, it } from 'vitest';
import { tools } from '../../src/tools/index.ts';
import type { Call } from '../../src/tools/tool.ts';
import type { Workshop } from '../../src/work/api.ts';
import type { Fields } from '../support/mcp.ts';
import { stubExaminer } from '../support/stub-crew.ts';
import { stubWorkshop } from '../support/stub-jobs.ts';

const job = { name: 'api', prompt: 'Write it.' };
const calm = { signal: new AbortController().signal, tell: () => undefined, maxWaitMs: 1_000, here: '/here' };

async function call(name: string, args: Fields, more: Partial<Workshop> = {}, how: Partial<Call> = {}) {
  const diary: string[] = [];
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  const open = async () => ({ ...stubWorkshop((line) => diary.push(line)), ...stubExaminer, ...more });
  return { ...(await tool.call(open, args, { ...calm, ...how })), diary };
}

const calls: readonly [string, Fields, string][] = [
  ['submit_task', { title: 'Cart', prompt: 'Write it.' }, 'submit'],
  ['list_tasks', { state: 'running' }, 'list {"state":"running"}'],
  ['list_tasks', { from: 'ada', kind: 'review' }, 'list {"from":"ada","kind":"review"}'],
  [
    'update_task',
    { task_id: 't1', action: 'start', role: 'tester', agent_type: 'codex' },
    'update {"taskId":"t1","action":"start","edit":{"role":"tester","agentType":"codex"}}',
  ],
  [
    'update_task',
    { task_id: 't1', action: 'edit', model: 'fast', task: { env: { A_B: 'c_d' }, tags: ['x'], base: null } },
    'update {"taskId":"t1","action":"edit","edit":{"model":"fast","env":{"A_B":"c_d"},"tags":["x"]}}',
  ],
  ['update_task', { task_id: 't1', action: 'start' }, 'update {"taskId":"t1","action":"start"}'],
  ['update_task', { action: 'pause' }, 'pauseOrResume {"action":"pause","here":"/here"}'],
  ['wait_tasks', { plan_id: 'p1', timeout: 900 }, 'wait'],
  ['create_plan', { name: 'shop', jobs: [job] }, 'createPlan'],
  ['create_plan', { name: `Ship “v2”: prices, ${'é'.repeat(60)}`, jobs: [job] }, 'createPlan'],
  ['plan_status', { plan_id: 'p1' }, 'planStatus {"planId":"p1"}'],
  ['plan_status', {}, 'planStatus {}'],
  ['approve_plan', { plan_id: 'p1', checkpoint: null }, 'approve {"planId":"p1","action":"continue"}'],
  ['approve_plan', { plan_id: 'p1', job: '["a","b"]' }, 'approve {"planId":"p1","action":"continue","job":["a","b"]}'],
  ['approve_plan', { plan_id: 'p1', job: 'a' }, 'approve {"planId":"p1","action":"continue","job":"a"}'],
  ['edit_plan', { plan_id: 'p1', add: [job] }, 'edit'],
  ['cancel_plan', { plan_id: 'p1' }, 'cancel {"planId":"p1"}'],
  ['open_pull_request', { plan_id: 'p1' }, 'propose {"planId":"p1","draft":false}'],
  ['read_reports', { plan_id: 'p1' }, 'workersOf {"planId":"p1"}'],
  ['read_reports', { task_id: 't1' }, 'workersOf {"taskId":"t1"}'],
];

it.each(calls)('%s %j asks jobs once, and answers in words too', async (name, args, line) => {
  const { diary, text } = await call(name, args);
  expect(diary).toEqual([expect.stringMatching(new RegExp(`^${line.replace(/[{}[\]]/g, '\\$&')}`))]);
  expect(text).not.toMatch(/undefined|\[object/);
});

it.each(calls)('%s %j refuses a field that it does not know', async (name, args) => {
  await expect(call(name, { ...args, hurry: true })).rejects.toMatchObject({ code: 'unknown_parameter' });
});

it.each<[string, Fields, string]>([
  ['edit_plan', { plan_id: 'p1', add: [{ ...job, hurry: true }] }, 'Unknown parameter of add[0]: "hurry".'],
  ['edit_plan', { plan_id: 'p1', add: [{ name: 'api' }] }, 'add[0].prompt is missing: expected a string.'],
  ['edit_plan', { plan_id: 'p1' }, 'The edit of p1 changes nothing.'],
  ['edit_plan', { plan_id: 'p1', skip: [], edit: [] }, 'The edit of p1 changes nothing.'],
  ['approve_plan', { plan_id: 'p1', job: ['a/b'] }, 'job[0] is "a/b": expected 1 to 40 letters'],
  ['create_plan', { name: 'x'.repeat(81), jobs: [job] }, 'expected one line of 1 to 80 characters'],
  ['create_plan', { name: ' ', jobs: [job] }, 'expected one line of 1 to 80 characters'],
  ['create_plan', { name: 'a\nb', jobs: [job] }, 'expected one line of 1 to 80 characters'],
  ['create_plan', { name: 'shop', jobs: [{ ...job, name: 'a/b' }] }, 'jobs[0].name is "a/b": expected 1 to 40 letters'],
  ['update_task', { task_id: 't', action: 'edit', task: { hurry: 1 } }, 'Unknown parameter: "hurry".'],
  ['update_task', { task_id: 't', action: 'edit', task: { project_path: '/p' } }, 'Unknown parameter: "project_path".'],
  ['update_task', { task_id: 't', action: 'edit', task: { priority: 11 } }, 'priority is 11: expected at most 10.'],
  ['update_task', { task_id: 't', action: 'edit', task: { model: 'a' }, model: 'b' }, 'model is given twice'],
  ['update_task', { task_id: 't', action: 'pause' }, 'pause is for all tasks of the project, and takes no task_id.'],
  ['update_task', { action: 'resume', agent_type: 'codex', priority: 1 }, 'takes no priority, agent_type.'],
  ['update_task', { task_id: 't', action: 'start', prompt: 'New.', model: 'a' }, 'start takes no prompt, and nothing'],
  ['update_task', { task_id: 't', action: 'cancel', task: {}, role: 'tester' }, 'cancel takes no task, role, and'],
  ['update_task', { action: 'start' }, 'task_id is missing: start is for one task.'],
  ['submit_task', { title: 'x', prompt: 'y', base: '--exec' }, 'base is "--exec"'],
  ['submit_task', { title: 'x', prompt: 'y', priority: 11 }, 'priority is 11: expected at most 10.'],
  ['wait_tasks', {}, 'task_ids or plan_id is missing.'],
  ['wait_tasks', { task_ids: ['t1'], plan_id: 'p1' }, 'task_ids and plan_id are given, and they exclude each other.'],
  ['open_pull_request', {}, 'session_id or plan_id is missing.'],
  ['open_pull_request', { session_id: 'ada', plan_id: 'p1' }, 'session_id and plan_id are given'],
  ['read_reports', { worker: 'ada', task_id: 't1' }, 'worker and task_id are given'],
  ['read_reports', { next: true }, 'worker or task_id or plan_id is missing.'],
])('%s %j is refused by name', async (name, args, message) => {
  await expect(call(name, args)).rejects.toThrow(message);
});

it('a job that is added is checked as one of a new plan, and has its defaults', async () => {
  const { diary } = await call('edit_plan', { plan_id: 'p1', add: [job] });
  expect(diary.join()).toContain('"priority":5,"dependsOn":[],"touchSet":[]');
});

it('a wait is as long as the client allows, and a task begins in the folder of the client', async () => {
  expect((await call('wait_tasks', { plan_id: 'p1', timeout: 900 })).diary[0]).toContain('"timeoutMs":1000');
  expect((await call('submit_task', { title: 'x', prompt: 'y' })).diary[0]).toContain('"here":"/here"');
});

it('the pull request of a plan names the plan and no worker', async () => {
  const { structured } = await call('open_pull_request', { plan_id: 'p1' });
  expect(structured).toMatchObject({ success: true, plan_id: 'p1' });
  expect(structured).not.toHaveProperty('session_id');
});

it('the reports of a task are those of all its workers', async () => {
  const asked: unknown[] = [];
  const reports: Workshop['reports'] = async (query) => {
    asked.push(query);
    return { reports: [], count: 0 };
  };
  await call('read_reports', { task_id: 't1', next: true }, { reports });
  expect(asked).toEqual([{ next: true, workers: [{ worker: 'aaaa0001', from: 0, until: Number.POSITIVE_INFINITY }] }]);
});

it('crew_status shows plans and tasks, and the decision that a plan waits for before every other call', async () => {
  const crew = stubWorkshop(() => undefined);
  const status = async () => ({ ...(await crew.status()), suggested_calls: ['spawn_workers to begin'] });
  const { structured, text } = await call('crew_status', {}, { status });
  expect(structured).toMatchObject({
    plans: [{ plan_id: 'p1', checkpoint: { at: 'start' } }],
    tasks: [{ task_id: 't1' }],
    suggested_calls: ['approve_plan {"plan_id":"p1","checkpoint":"start"}', 'wait_tasks {"task_ids":["t1"]}'],
  });
  expect(structured).toMatchObject({ running: 1, limit: 8 });
  expect(text).toContain('Plan shop [p1] is proposed: 2 queued');
});

it('a pause of the project is said by the call that makes it, and first of all by crew_status', async () => {
  expect((await call('update_task', { action: 'pause' })).text).toMatch(/^\/project: Paused since .*: no task starts/);
  expect(await call('update_task', { action: 'resume' })).toMatchObject({
    structured: { project_path: '/project' },
    text: '/project: Not paused.',
  });
  const { jobs } = stubWorkshop(() => undefined);
  const paused = { since: '2026-05-01T12:00:00.000Z' };
  const jobsSummary = async () => ({ ...(await jobs.jobsSummary()), paused });
  const shown = await call('crew_status', {}, { jobs: { ...jobs, jobsSummary } });
  expect(shown.structured).toMatchObject({ paused });
  expect(shown.text).toMatch(/^Paused since 2026-05-01T12:00:00\.000Z: no task starts, and nothing lands\./);
});

it('crew_status has a line for a loop, and suggests what its pause and that of a schedule wait for before all else of plans', async () => {
  const { jobs } = stubWorkshop(() => undefined);
  const loops = [{ says: 'loop l1: iteration 3 of 10, paused: it landed nothing', nextCalls: ['run_loop {}'] }];
  const waiting = { checkpoints: [], loops, scheduleCalls: ['schedule_task {}'] };
  const jobsSummary = async () => ({ ...(await jobs.jobsSummary()), ...waiting });
  const { structured, text } = await call('crew_status', {}, { jobs: { ...jobs, jobsSummary } });
  expect(structured).toMatchObject({ loops: [{ says: loops[0]?.says, next_calls: ['run_loop {}'] }] });
  expect(structured.suggested_calls).toMatchObject({ 0: 'run_loop {}', 1: 'schedule_task {}' });
  expect(text).toContain('loop l1: iteration 3 of 10, paused: it landed nothing');
  expect((await call('crew_status', {}, {})).structured).not.toHaveProperty('loops');
});

it('crew_status has a line for each project with scope all alone', async () => {
  const { text, structured } = await call('crew_status', { scope: 'all' }, {});
  expect(text).toContain('/project: 1 idle, 2 waiting, 1 open task; needs somebody: ada: permission');
  expect(structured).toMatchObject({ projects: [{ path: '/project', needs: ['ada: permission'] }] });
  expect((await call('crew_status', {}, {})).structured).not.toHaveProperty('projects');
});

it('create_plan offers no wait and says that the manager will be told, where its session is woken', async () => {
  const { jobs: stub } = stubWorkshop(() => undefined);
  const nextCalls = ['wait_tasks {"plan_id":"p1"}'];
  const jobs = {
    ...stub,
    createPlan: async (of: Parameters<typeof stub.createPlan>[0]) => ({ ...(await stub.createPlan(of)), nextCalls }),
  };
  const create = (wakes: boolean) => call('create_plan', { name: 'shop', jobs: [job] }, { jobs }, { wakes });
  const [asleep, woken] = [await create(false), await create(true)];
  expect(asleep.structured).not.toHaveProperty('wakes');
  expect(asleep.text).toContain('wait_tasks {');
  expect(asleep.text).not.toContain('You will be told');
  expect(woken.structured).toMatchObject({ wakes: true });
  expect(JSON.stringify(woken)).not.toContain('wait_tasks {');
  expect(woken.text).toContain('You will be told');
});

it('crew_status sums up what came of the work with since alone, before all else', async () => {
  const { text, structured } = await call('crew_status', { since: '12h' }, {});
  expect(structured.digest).toMatchObject({
    since: '12h',
    failed: [{ what: 'task Cart [t1]: failed', next_calls: ['update_task {}'] }],
  });
  expect(text).toMatch(/^Since 12h\nFailed\n {2}task Cart \[t1\]: failed: no commit\n {6}Next: update_task \{\}\n/);
  expect((await call('crew_status', {}, {})).structured).not.toHaveProperty('digest');
});

it('crew_status offers to start what is held, and never a wait for it', async () => {
  const { jobs, ...crew } = stubWorkshop(() => undefined);
  const status = async () => ({ ...(await crew.status()), suggested_calls: [] });
  const glance = await jobs.jobsSummary();
  const held = glance.tasks.map((task) => ({ ...task, held: true as const }));
  const { structured } = await call(
    'crew_status',
    {},
    { status, jobs: { ...jobs, jobsSummary: async () => ({ ...glance, plans: [], checkpoints: [], tasks: held }) } },
  );
  expect(structured).toMatchObject({ suggested_calls: ['update_task {"task_id":"t1","action":"start"}'] });
});

it('run_loop tells the state, the branch and the plans of a loop', async () => {
  const notes: string[] = [];
  const { jobs } = stubWorkshop((line) => notes.push(line));
  const { structured, text } = await call('run_loop', { action: 'stop', now: true }, { jobs });
  expect(notes).toEqual([
    `runLoop ${JSON.stringify({ action: 'stop', projectPath: 'auto', now: true, here: '/here' })}`,
  ]);
  expect(structured).toMatchObject({ loop_id: 'l1', plans: [{ plan_id: 'p1', state: 'running' }] });
  expect(text).toContain('loop l1 on crewmux/loop-l1: running, iteration 1\nplan p1 (Shop (1)): running');
  await expect(call('run_loop', { action: 'start', max_iterations: 51 }, { jobs })).rejects.toThrow('max_iterations');
});

it('schedule_task hands on what is to be entered as it was given, and refuses it as the other tools do', async () => {
  const notes: string[] = [];
  const { jobs } = stubWorkshop((line) => notes.push(line));
  const task = { title: 'Nightly', prompt: 'Do it.', tags: 'night', role: null };
  const add = { action: 'add', cron: '0 3 * * *' };
  const { structured, text } = await call('schedule_task', { ...add, task }, { jobs });
  const kept = { title: 'Nightly', prompt: 'Do it.', tags: ['night'] };
  expect(notes).toEqual([`schedule ${JSON.stringify({ ...add, here: '/here', task: kept })}`]);
  expect(structured).toMatchObject({ id: 's1', schedules: [{ runs_only_while: 'a server or crewmux keep lives' }] });
  expect(text).toContain('schedule s1 (task Nightly), 0 3 * * * UTC; next ');
  const nameless = await jobs.schedule({ action: 'list' });
  const ofGoal = nameless.schedules.map(({ task: _, ...one }) => ({ ...one, plan: { goal: 'Tidy up.' } }));
  const listed = await call(
    'schedule_task',
    { action: 'list' },
    { jobs: { ...jobs, schedule: async () => ({ schedules: ofGoal }) } },
  );
  expect(listed.text).toContain('schedule s1 (plan Tidy up.), 0 3 * * * UTC; next ');
  await expect(call('schedule_task', { ...add, task: { title: 'x' } }, { jobs })).rejects.toThrow('prompt is missing');
  await expect(call('schedule_task', { ...add, plan: { job: [] } }, { jobs })).rejects.toThrow(
    'Unknown parameter: "job".',
  );
});
