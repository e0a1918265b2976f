// `crewmux keep`: it drives while no manager is there, lets go for one that comes, and ends when nothing is left.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { crewsWithBooks, writeBook } from '../../src/store/job-book.ts';
import { scheduleTaskOutput } from '../../src/wire/schedules.ts';
import { listTasksOutput } from '../../src/wire/tasks.ts';
import { eventually } from '../support/sandbox.ts';
import { commit, type JobServer, type JobStand, openJobStand } from './job-stand.ts';
import { keepOn } from './keeper.ts';
import { kill } from './killed.ts';
import { wordsOn } from './words.ts';

let stand: JobStand;
beforeEach(() => {
  stand = openJobStand();
});
afterEach(() => stand.dispose());

const drivenBy = async (server: JobServer) => (await server.call('list_tasks', listTasksOutput)).driver;
const home = () => stand.sandbox.dir('crewmux');
const words = (...line: string[]) => wordsOn(stand)(...line);

it('ends the plan of a manager that was killed, prints what happens, and ends when nothing is left', async () => {
  const manager = await stand.serveJobs();
  const { plan_id, integration_branch } = await manager.plan({
    name: 'kept',
    jobs: [
      { name: 'one', prompt: `${commit('one.txt', '1')}\nHOLD one\nSAY done` },
      { name: 'two', prompt: `${commit('two.txt', '2')}\nSAY done`, depends_on: ['one'] },
    ],
  });
  const by_hand = await manager.one({ prompt: 'SAY mine alone' });
  await eventually('it runs', async () => (await manager.status(plan_id)).jobs?.[0]?.state === 'running');
  const keeper = await keepOn(stand);
  expect(await words('keep')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`Process ${keeper.pid} keeps ${stand.repo} already, since 20`),
  });
  await kill(manager.connection.pid);
  stand.release('one');
  expect(await keeper.ended).toBe(0);
  expect(keeper.said()).toMatch(
    /no manager is here: drives\n(.*\n)*.* task_ended .*title=two state=landed.*\n(.*\n)*.*nothing is left to do: ends\n$/,
  );
  expect(keeper.said()).not.toContain(by_hand.name);
  expect(stand.subjects(`main..${integration_branch}`)).toEqual(['Write two.txt', 'Write one.txt']);
});

it('lets go for a manager that comes, which drives its workers on; it drives again for a schedule, until it is stopped', async () => {
  const first = await stand.serveJobs();
  const hourly = { title: 'Hourly', prompt: 'SAY hourly', brings: 'report' };
  const added = await first.call('schedule_task', scheduleTaskOutput, {
    action: 'add',
    cron: '0 * * * *',
    task: hourly,
  });
  const { task_id } = await first.submit({
    prompt: `${commit('on.txt', '1')}\nHOLD on\nSAY done`,
    on_complete: 'merge',
  });
  const { worker } = await first.comes(task_id, 'running');
  await first.connection.close();
  const keeper = await keepOn(stand);
  const managerOf = async (of: JobServer) => (await of.look(worker?.session_id ?? '')).managed_by;
  await eventually('it drives', () => keeper.said().includes('took_over_from'));

  const next = await stand.serveJobs();
  expect(await managerOf(next)).toMatchObject({ mine: false });
  await eventually('the manager drives', async () => (await drivenBy(next)) === 'this');
  await eventually('it has the worker', async () => (await managerOf(next)).mine);
  expect(keeper.said()).toContain(`a manager is here (process ${next.connection.pid}): lets go`);
  stand.release('on');
  expect(await next.awaited({ task_ids: [task_id] })).toMatchObject({ tasks: [{ state: 'landed' }] });
  await next.connection.close();
  const [crew = ''] = await crewsWithBooks(home());
  await writeBook({ home: home(), crew }, { schedules: [{ id: added.id ?? '', since: Date.now() - 7_200_000 }] });
  await eventually('it fires', () => /task_ended .*title=Hourly state=done/.test(keeper.said()));
  await eventually('it waits', () => keeper.said().endsWith('nothing is due: lets go\n'));
  expect(await words('keep', '--stop')).toMatchObject({ code: 0, stdout: expect.stringContaining(`${keeper.pid}`) });
  expect(await keeper.ended).toBe(0);
  expect(await words('keep', '--stop')).toMatchObject({ code: 1, stderr: expect.stringContaining('Nothing keeps') });
});

it('sends a planner back that rested when its manager went, as a person says', async () => {
  const manager = await stand.serveJobs();
  const { plan_id, planner = { session_id: '', name: '' } } = await manager.plan({ goal: 'HOLD first' });
  const desk = await stand.toolsOf(planner);
  const job = (name: string) => ({ name, prompt: 'SAY done', acceptance_criteria: 'Said.', brings: 'report' });
  await desk.call('submit_plan', { jobs: [job('one'), job('two')] });
  stand.release('first');
  await eventually('it rests', async () => {
    const { tasks } = await manager.call('list_tasks', listTasksOutput, { state: 'done' });
    return tasks.some(({ title }) => title?.startsWith('Plan '));
  });
  await kill(manager.connection.pid);
  const keeper = await keepOn(stand);
  await eventually('it drives', () => keeper.said().includes(': drives'));
  const again = ['--action', 'relaunch', '--prompt', 'One more.\nHOLD again'];
  expect(await words('plan', 'approve', plan_id, ...again)).toMatchObject({ code: 0 });
  await eventually('it is told', async () => / turn_started .*turn=2/.test((await words('events')).stdout));
  expect(await desk.call('submit_plan', { jobs: [job('one'), job('three')] })).toMatchObject({ taken: true });
  stand.release('again');
  expect(await words('plan', 'approve', plan_id, '--at', 'start')).toMatchObject({ code: 0 });
  expect(await keeper.ended).toBe(0);
  expect(keeper.said()).toMatch(/ task_ended .*title=three state=done/);
});

it('in a pane below the board it outlives the last worker, and its tmux session goes with it', async () => {
  const { sandbox } = stand;
  const panes = () =>
    sandbox
      .tmux('list-panes', '-s', '-t', `=${crew}:`, '-F', '#{window_index} #{@crewmux_board} #{pane_dead}')
      .split('\n')
      .filter((pane) => pane.startsWith('0 '))
      .join('\n');
  const sessions = () => sandbox.tmux('list-sessions', '-F', '#{session_name}').split('\n');
  const manager = await stand.serveJobs();
  const hourly = { title: 'Later', prompt: 'SAY later', brings: 'report' };
  await manager.call('schedule_task', scheduleTaskOutput, { action: 'add', cron: '0 * * * *', task: hourly });
  expect(await words('keep', '--pane')).toMatchObject({ code: 1, stderr: expect.stringContaining('no board in tmux') });
  const worker = await manager.one({ use_worktree: false, prompt: 'SAY here' });
  const crew = worker.tmux?.session ?? '';
  await eventually('the board is there', () => panes().includes('0 1'));
  expect(await words('keep', '--pane')).toMatchObject({ code: 0, stderr: '' });
  await eventually('it keeps', () => sandbox.tmux('capture-pane', '-p', '-t', `=${crew}:0.1`).includes('keep: keeps'));
  expect(await words('keep', '--pane')).toMatchObject({ code: 1, stderr: expect.stringContaining('already, since') });
  await manager.close(worker, true);
  await eventually('the worker is gone', () => panes() === '0 1 1\n0  0');
  expect(await words('keep', '--stop')).toMatchObject({ code: 0 });
  await eventually('the session is gone', () => !sessions().includes(crew));
  await manager.connection.close();
});
