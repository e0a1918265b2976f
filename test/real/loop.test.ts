// A loop and a schedule on the real agent: what real planners and workers hand in, land, and are told.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { crewsWithBooks, readBook, writeBook } from '../../src/store/job-book.ts';
import { runLoopOutput } from '../../src/wire/loops.ts';
import { scheduleTaskOutput } from '../../src/wire/schedules.ts';
import { waitTasksOutput } from '../../src/wire/tasks.ts';
import { eventually } from '../support/sandbox.ts';
import { openRealCrew, type RealCrew } from './crew.ts';

let crew: RealCrew;
beforeAll(async () => {
  crew = await openRealCrew();
});
afterAll(() => crew?.dispose());

const hour = 3_600_000;

/** What a prompt says beside it is prose: the goal stands in the prompt of each job as well. */
const script = (...lines: readonly string[]) => ['#!script', ...lines, '#!end'].join('\n');
const job = (name: string) => ({
  ...{ name, touch_set: [name], acceptance_criteria: 'It is there.' },
  prompt: script(
    `BASH echo ${name} > ${name} && git add . && git commit -q -m "Write ${name}"`,
    `SAY ${name} is written`,
  ),
});
const handIn = (what: object) => script(`TOOL mcp__crew__submit_plan ${JSON.stringify(what)}`, 'SAY handed in');

test('a loop lands what a planner handed in, pauses at its bound, and is done when the next one finds it reached', async () => {
  const repo = crew.home.repo(crew.home.spareName());
  const git = (...args: string[]) => crew.home.sandbox.git(repo, ...args).trim();
  const main = git('rev-parse', 'main');
  const loop = (action: string, more: object = {}) =>
    crew.call('run_loop', runLoopOutput, { action, project_path: repo, ...more });
  const comes = (wanted: string) =>
    eventually(
      `the loop is ${wanted}`,
      async () => {
        const shown = await loop('status');
        return shown.state === wanted && shown;
      },
      300_000,
    );
  const { loop_id } = await loop('start', {
    ...{ goal: handIn({ jobs: [job('left'), job('right')] }), max_iterations: 1 },
    test_command: 'test -f left || test -f right',
  });
  expect(await comes('paused')).toMatchObject({
    ...{ loop_id, iteration: 1, plans: [{ state: 'completed' }] },
    reason: '1 iteration ended, and max_iterations is 1',
  });
  await loop('resume', { goal: handIn({ reached: true, why: 'Both are there.' }), max_iterations: 2 });
  expect(await comes('done')).toMatchObject({
    ...{ iteration: 2, plans: [{ state: 'completed' }, { state: 'completed' }], reason: 'Both are there.' },
  });
  for (const name of ['left', 'right']) expect(git('show', `crewmux/loop-${loop_id}:${name}`)).toBe(name);
  expect(git('rev-parse', 'main')).toBe(main);
  const soFar = '- iteration 1: landed: left (tests: passed), right (tests: passed)';
  expect(crew.home.model.requests.some(({ prompt }) => prompt.includes(soFar))).toBe(true);
});

test('a schedule whose check agrees fires once for what was missed, and its plan lands', async () => {
  const plan = { name: 'nightly', test_command: '', on_complete: 'merge', jobs: [job('left'), job('right')] };
  // Due an hour ago, and not again while this runs.
  const due = new Date(Date.now() - hour);
  const cron = `${due.getUTCMinutes()} ${due.getUTCHours()} * * *`;
  const add = { action: 'add', cron, timezone: 'UTC', check: 'git rev-parse HEAD', plan };
  const scheduled = (args: object) => crew.call('schedule_task', scheduleTaskOutput, { ...args });
  const { id = '' } = await scheduled(add);
  const home = crew.home.env.CREWMUX_HOME ?? '';
  for (const name of await crewsWithBooks(home))
    if ((await readBook({ home, crew: name })).schedules.has(id))
      await writeBook({ home, crew: name }, { schedules: [{ id, since: Date.now() - 2 * hour }] });
  const { plan_id } = await eventually('it has fired', async () => {
    const { last_run } = (await scheduled({ action: 'list' })).schedules[0] ?? {};
    return last_run?.outcome === 'fired' && last_run;
  });
  const waited = await crew.call('wait_tasks', waitTasksOutput, { plan_id, timeout: 300 });
  expect(waited).toMatchObject({ plan_state: 'completed', all_ended: true, attention: [] });
  for (const name of ['left', 'right']) expect(crew.home.sandbox.git(crew.repo, 'show', `main:${name}`)).toMatch(name);
  expect((await scheduled({ action: 'list' })).schedules).toMatchObject([{ missed: 0, last_run: { plan_id } }]);
});
