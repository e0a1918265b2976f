// Plans and tasks on the real agents: jobs of both kinds that land, bounce, wait for a word and outlive their server.
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { createPlanOutput, planStatusOutput } from '../../src/wire/plans.ts';
import { type checkpoint, submitTaskOutput, waitTasksOutput } from '../../src/wire/tasks.ts';
import { makeCodexHome } from './codex-home.ts';
import { openRealCrew, type RealCrew } from './crew.ts';

let crew: RealCrew;
beforeAll(async () => {
  crew = await openRealCrew(makeCodexHome);
});
afterAll(() => crew?.dispose());

const anything = z.looseObject({});
const listed = z.object({ workers: z.array(z.looseObject({ terminal_id: z.string().optional() })) });
const fields = z.record(z.string(), z.unknown());

/** Makes a call as it is printed, the name of the tool and its arguments, with other words in the place of some. */
function make(call = '', words: object = {}) {
  const [, tool = '', args = ''] = /^(\w+) (.*)$/s.exec(call) ?? [];
  return crew.call(tool, anything, { ...fields.parse(JSON.parse(args)), ...words });
}

/** A repository of its own, whose tests say how to mend what they do not like. */
function repoWith(tests: readonly string[]) {
  const repo = crew.home.repo(crew.home.spareName());
  const git = (...args: string[]) => crew.home.sandbox.git(repo, ...args);
  writeFileSync(join(repo, 'check.sh'), `${tests.join('\n')}\n`);
  chmodSync(join(repo, 'check.sh'), 0o755);
  git('add', '.');
  git('commit', '-q', '-m', 'Check');
  return { repo, git };
}

const commit = (file: string, from: string) =>
  [`BASH ${from} > ${file} && git add . && git commit -q -m "Write ${file}"`, `SAY ${file} is written`].join('\n');

/** Waits for the plan, and decides at each stop, until it is over. Every stop is shown by its status as well. */
async function through(plan_id: string, decide: (at: z.output<typeof checkpoint>) => Promise<void>) {
  for (;;) {
    const { checkpoint, ...now } = await crew.call('wait_tasks', waitTasksOutput, { plan_id, timeout: 90 });
    const status = await crew.call('plan_status', planStatusOutput, { plan_id });
    // Between the two calls another job may have come to a stop before this one in the order.
    expect(status.checkpoint === undefined).toBe(checkpoint === undefined);
    if (status.checkpoint?.job === checkpoint?.job) expect(status.checkpoint).toEqual(checkpoint);
    if (checkpoint !== undefined) {
      await decide(checkpoint);
      continue;
    }
    expect(now).toMatchObject({ all_ended: true, timed_out: false, attention: [] });
    return status;
  }
}

test('a mixed plan bounces, waits for a word before each merge, outlives its server and lands', async () => {
  const { repo, git } = repoWith([
    'test ! -f tail || grep -q good tail && exit',
    'echo HOLD mending',
    `echo 'BASH echo good > tail && git commit -qam "Mend tail"'`,
    'echo SAY mended',
    'exit 1',
  ]);
  const start = git('rev-parse', 'main');
  const { plan_id, integration_branch, waves } = await crew.call('create_plan', createPlanOutput, {
    name: 'mixed',
    project_path: repo,
    mode: 'supervisor',
    test_command: 'sh check.sh',
    on_complete: 'merge',
    jobs: [
      { name: 'head', agent_type: 'claude', prompt: commit('head', 'echo top') },
      { name: 'tail', agent_type: 'codex', prompt: commit('tail', 'echo bad') },
      { name: 'both', agent_type: 'codex', depends_on: ['head', 'tail'], prompt: commit('both', 'cat head tail') },
      { name: 'half', agent_type: 'claude', depends_on: ['tail'], prompt: commit('half', 'cat tail') },
    ],
  });
  expect(waves).toEqual([
    ['head', 'tail'],
    ['both', 'half'],
  ]);

  const stops: string[] = [];
  const end = await through(plan_id, async ({ at, job, calls: [call] }) => {
    expect(git('rev-parse', 'main')).toBe(start);
    stops.push(`${at} ${job ?? 'mixed'}`);
    await make(call);
    if (job !== 'tail' || stops.filter((one) => one.endsWith(job)).length > 1) return;
    await crew.home.model.waitFor('the output of the tests', ({ prompt }) => prompt.includes('HOLD mending'));
    await crew.replaceServer();
    crew.home.model.release('mending');
  });

  expect(end).toMatchObject({
    state: 'completed',
    jobs: [
      { name: 'head', state: 'landed', attempts: 1, agent_type: 'claude' },
      { name: 'tail', state: 'landed', attempts: 2, agent_type: 'codex', bounces: 1 },
      { name: 'both', state: 'landed', attempts: 1, agent_type: 'codex' },
      { name: 'half', state: 'landed', attempts: 1, agent_type: 'claude' },
    ],
  });
  const landings = ['head', 'tail', 'tail', 'both', 'half', 'mixed'].map((name) => `pre_merge ${name}`);
  expect(stops.toSorted()).toEqual(landings.toSorted());
  expect(stops.at(-1)).toBe('pre_merge mixed');
  expect(
    crew.home.model.requests.filter(({ prompt, rounds }) => rounds === 0 && /did not land/.test(prompt)),
  ).toHaveLength(1);
  expect(git('show', 'main:both')).toBe('top\ngood');
  expect(git('show', 'main:half')).toBe('good');
  const landed = git('log', '--reverse', '--format=%s', `${start}..main`).split('\n');
  expect(landed).toEqual(git('log', '--reverse', '--format=%s', `${start}..${integration_branch}`).split('\n'));
  expect(landed.slice(0, 2).toSorted()).toEqual(['Write head', 'mixed tail']);
  expect(landed.slice(2).toSorted()).toEqual(['Write both', 'Write half']);
});

test.concurrent('a job whose agent was killed is sent to it again in other words, and lands', async () => {
  const { repo, git } = repoWith(['exit']);
  const names = ['claude', 'codex'];
  const { plan_id, integration_branch } = await crew.call('create_plan', createPlanOutput, {
    name: 'lost',
    project_path: repo,
    mode: 'supervisor',
    jobs: names.map((name) => ({ name, agent_type: name, prompt: `HOLD the end of ${name}` })),
  });
  for (const name of names) {
    const { cwd } = await crew.home.model.waitFor(name, ({ prompt }) => prompt.includes(`HOLD the end of ${name}`));
    const { workers } = await crew.call('list_workers', listed, { project_filter: cwd, fields: 'full' });
    const pane = workers[0]?.terminal_id?.replace(/^tmux:/, '') ?? '';
    process.kill(Number(crew.home.sandbox.tmux('display', '-p', '-t', pane, '#{pane_pid}')), 'SIGKILL');
  }
  const stops: string[] = [];
  const end = await through(plan_id, async ({ at, job = '', calls }) => {
    stops.push(`${at} ${job}`);
    const relaunch = calls.find((one) => one.includes('"relaunch"'));
    await (at === 'on_error' ? make(relaunch, { prompt: commit(job, `echo by ${job}`) }) : make(calls[0]));
  });
  expect(end).toMatchObject({
    state: 'completed',
    jobs: names.map((name) => ({ name, state: 'landed', attempts: 2 })),
  });
  expect(stops.toSorted()).toEqual(['on_error claude', 'on_error codex', 'pre_merge claude', 'pre_merge codex']);
  for (const name of names) expect(git('show', `${integration_branch}:${name}`)).toBe(`by ${name}`);
});

test.concurrent.each([
  ['claude', (tool: string, args: object) => `TOOL mcp__crew__${tool} ${JSON.stringify(args)}`],
  ['codex', (tool: string, args: object) => `TOOL mcp__crew/${tool} ${JSON.stringify(args)}`],
] as const)('a task of %s knows itself, reports, and is done; one that only talks is not', async (agent_type, tool) => {
  const account = { files_changed: [], what_done: `Looked, as ${agent_type}.`, what_open: '', what_tested: '' };
  const report = { ...account, what_untested: '', next_steps: '', errors_encountered: '' };
  const { task_id } = await crew.call('submit_task', submitTaskOutput, {
    title: `Look as ${agent_type}`,
    brings: 'report',
    agent_type,
    prompt: [tool('get_context', { scope: 'task' }), tool('submit_report', report), 'SAY reported'].join('\n'),
  });
  const waited = await crew.call('wait_tasks', waitTasksOutput, { task_ids: [task_id], timeout: 90 });
  expect(waited).toMatchObject({ all_ended: true, ended: [task_id], timed_out: false, attention: [] });
  expect(waited.tasks).toMatchObject([{ task_id, state: 'done', evidence: { claimed: true }, report: account }]);
  const told = crew.home.model.requests.flatMap(({ results }) => results).filter((one) => one.includes(task_id));
  expect(told.join('\n')).toContain(`Look as ${agent_type}`);

  const talk = { title: `Talk as ${agent_type}`, agent_type, prompt: 'SAY nothing is to be done' };
  const { task_id: talked } = await crew.call('submit_task', submitTaskOutput, talk);
  const { tasks } = await crew.call('wait_tasks', waitTasksOutput, { task_ids: [talked], timeout: 90 });
  expect(tasks).toMatchObject([{ state: 'failed', reason: 'left nothing: nothing is to be done' }]);
});

test('a goal alone becomes a plan by a real planner, which is refused once, and lands when it is approved', async () => {
  const repo = crew.home.repo(crew.home.spareName());
  const job = (name: string) => ({
    ...{ name, touch_set: [name], acceptance_criteria: 'It is there.', prompt: commit(name, `echo ${name}`) },
  });
  const handIn = (...jobs: object[]) => `TOOL mcp__crew__submit_plan ${JSON.stringify({ jobs })}`;
  const goal = ['Write two files.', handIn(job('left')), handIn(job('left'), job('right')), 'SAY handed in'].join('\n');
  const made = await crew.call('create_plan', createPlanOutput, {
    ...{ goal, name: 'planned', project_path: repo, test_command: '', on_complete: 'merge' },
  });
  expect(made).toMatchObject({ state: 'proposed', planner: {}, warnings: [] });
  const { plan_id, planner } = made;
  const end = await through(plan_id, async ({ at, calls: [call] }) => {
    expect(at).toBe('start');
    expect(await crew.call('plan_status', planStatusOutput, { plan_id })).toMatchObject({ waves: [['left', 'right']] });
    await make(call);
  });
  expect(end.jobs?.map(({ name, state }) => [name, state])).toEqual([
    ['left', 'landed'],
    ['right', 'landed'],
  ]);
  expect(crew.home.sandbox.git(repo, 'show', 'main:right').trim()).toBe('right');
  const told = await crew.call('read_worker_logs', anything, { session_id: planner?.session_id, format: 'full' });
  expect(JSON.stringify(told)).toContain('A plan has 2 to 8 jobs, and this one has 1.');
});
