// A schedule through a server: made, refused, fired once for what was missed, and seen at a terminal.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { crewsWithBooks, readBook, writeBook } from '../../src/store/job-book.ts';
import { scheduleTaskOutput } from '../../src/wire/schedules.ts';
import { statusOutput } from '../../src/wire/status.ts';
import { eventually } from '../support/sandbox.ts';
import { type JobServer, type JobStand, openJobStand } from './job-stand.ts';
import { wordsOn } from './words.ts';

let stand: JobStand;
let server: JobServer;
beforeAll(async () => {
  stand = openJobStand();
  server = await stand.serveJobs();
});
afterAll(() => stand.dispose());

const home = () => stand.sandbox.dir('crewmux');
const hour = 3_600_000;
const task = { title: 'Nightly', prompt: 'SAY nightly', brings: 'report' };
const asked = (of: JobServer, args: object) => of.call('schedule_task', scheduleTaskOutput, { ...args });
const tasksOf = async (of: JobServer) => (await of.connection.call('list_tasks', {})).count;

it('what is wrong is refused with a way out, and nothing is kept of it', async () => {
  const add = { action: 'add', cron: '0 3 * * *' };
  expect(await server.refusal('schedule_task', { action: 'add', cron: '0 0 30 2 *', task })).toContain(
    'it never comes',
  );
  expect(await server.refusal('schedule_task', add)).toContain('Neither task nor plan is given.');
  expect(await server.refusal('schedule_task', { ...add, task: { title: 'x' } })).toContain('prompt is missing');
  expect(await server.refusal('schedule_task', { ...add, task: { ...task, depends_on: ['nope'] } })).toContain(
    '"nope"',
  );
  const circle = [{ name: 'a', prompt: 'x', depends_on: ['a'] }];
  expect(await server.refusal('schedule_task', { ...add, plan: { name: 'p', jobs: circle } })).toContain(
    'invalid_argument',
  );
  expect(await server.refusal('schedule_task', { action: 'enable', id: 'nope' })).toContain(
    'No schedule has the id "nope"',
  );
  expect((await asked(server, { action: 'list' })).schedules).toEqual([]);
});

it('a project has a hundred, and one more is refused with the call that makes room', async () => {
  const add = { action: 'add', cron: '0 3 * * *', task };
  const { id = '' } = await asked(server, add);
  const [crew = ''] = await crewsWithBooks(home());
  const made = (await readBook({ home: home(), crew })).schedules.get(id);
  const others = Array.from({ length: 99 }, (_, at) =>
    made === undefined ? [] : [{ ...made, id: `other${at}` }],
  ).flat();
  await writeBook({ home: home(), crew }, { schedules: others });
  const refused = await server.refusal('schedule_task', add);
  expect(refused).toMatch(/^limit_reached: 100 schedules are there, and 100 is the most/);
  await server.make(/schedule_task \{.*\}/.exec(refused)?.[0]);
  expect((await asked(server, add)).schedules).toHaveLength(1);
  const all = [...(await readBook({ home: home(), crew })).schedules.keys()];
  await writeBook({ home: home(), crew }, { schedules: all.map((one) => ({ id: one, isRemoved: true })) });
});

it('at the start of two servers one fires what was missed, once, where its check agrees', async () => {
  const add = { action: 'add', cron: '0 * * * *', timezone: 'UTC', task };
  const { id = '', schedules } = await asked(server, { ...add, check: 'test -f README.md && test ! -e /nowhere' });
  expect(schedules).toMatchObject([{ enabled: true, task, missed: 0, cron: '0 * * * *' }]);
  const { id: idle = '' } = await asked(server, { ...add, check: 'echo nothing new; exit 3' });
  expect((await server.call('crew_status', statusOutput)).schedules?.[0]).toMatch(/^next run .* UTC: Nightly$/);
  await server.connection.close();

  const [crew = ''] = await crewsWithBooks(home());
  const since = Date.now() - 5 * hour;
  await writeBook({ home: home(), crew }, { schedules: [id, idle].map((one) => ({ id: one, since })) });
  const [first, second] = [await stand.serveJobs(), await stand.serveJobs()];
  const last = async (one: string) => {
    const found = (await asked(second, { action: 'list' })).schedules.find((schedule) => schedule.id === one);
    return found?.last_run && found;
  };
  const fired = await eventually('it has fired', () => last(id));
  expect(fired).toMatchObject({ missed: 4, last_run: { outcome: 'fired' } });
  const passed = await eventually('the other has passed', () => last(idle));
  expect(passed).toMatchObject({
    last_run: { outcome: 'nothing_to_do', reason: 'its check ended with 3: nothing new' },
  });
  await first.awaited({ task_ids: [fired.last_run?.task_id ?? ''] });
  expect([await tasksOf(first), await tasksOf(second)]).toEqual([1, 1]);
  await eventually('its end is counted', async () => {
    const now = (await readBook({ home: home(), crew })).schedules.get(id);
    return now !== undefined && now.openRun === undefined;
  });
  const said = (await first.call('crew_status', statusOutput, { since: '12h' })).digest;
  expect(said).toMatchObject({
    landed: [{ what: `task Nightly [${fired.last_run?.task_id}]: done` }],
    failed: [],
    skipped: [{ what: `schedule Nightly [${idle}]: nothing to do`, next_calls: ['schedule_task {"action":"list"}'] }],
  });
  await asked(first, { action: 'remove', id });
  expect((await asked(second, { action: 'list' })).schedules.map((one) => one.id)).toEqual([idle]);
  for (const { connection } of [first, second]) await connection.close();

  const { code, stdout } = await wordsOn(stand)('digest', '--since', '12h');
  expect({ code, stdout: withoutNames(stdout) }).toMatchInlineSnapshot(`
    {
      "code": 0,
      "stdout": "Since <time>
    Landed
      task Nightly [<id>]: done
          crewmux logs <id>
    Skipped
      schedule Nightly [<id>]: nothing to do: its check ended with 3: nothing new
          crewmux schedule
    Spent, by whole days
      <time>: <usage>

    No crewmux is at work since <time>: plans wait until a client starts one, or \`crewmux keep\` runs.
    ",
    }
  `);
});

const withoutNames = (text: string): string =>
  text
    .replace(/\d{4}-\d\d-\d\d(T[\d:.]+Z)?/g, '<time>')
    .replace(/\d\d:\d\d:\d\d \([^)]*\)/, '<time>')
    .replace(/\[\w+\]/g, '[<id>]')
    .replace(/logs \w+/, 'logs <id>')
    .replace(/: [\d.]+k? tokens.*/g, ': <usage>')
    // Around midnight it is two days.
    .replace(/( {2}<time>: <usage>\n)+/, '$1');
