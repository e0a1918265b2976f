// What workers say with their own tools, and what becomes of it.
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { event } from '../../src/wire/events.ts';
import { list } from '../../src/wire/parts.ts';
import { report, word } from '../../src/wire/reports.ts';
import { isAlive } from '../support/mcp.ts';
import { eventually } from '../support/sandbox.ts';
import { openStand, paneOf, type Server, type Stand, type Worker } from './crew.ts';

let stand: Stand;
let server: Server;
beforeAll(async () => {
  stand = openStand();
  server = await stand.serve();
});
afterAll(() => stand.dispose());

const reports = z.object({
  reports: list(report),
  next_task: z.object({ title: z.string(), prompt: z.string() }).optional(),
});
const changes = z.object({ events: list(event), cursor: z.string() });
const examined = z.object({ report: report.optional(), last_word: word.optional() });
const account = {
  files_changed: ['src/cart.ts'],
  what_done: 'The cart adds up.',
  what_open: 'Discounts.',
  what_tested: 'npm test',
  what_untested: 'Rounding of thirds.',
  next_steps: 'Discounts by percentage.',
  errors_encountered: '',
};

/** What has been told of this worker. */
const told = async ({ session_id }: Worker) =>
  (await server.events()).flatMap(({ type, worker_id, data }) =>
    type === 'report' && worker_id === session_id ? [data.message] : [],
  );
const killed = async () => {
  const { pid } = server.connection;
  process.kill(pid, 'SIGKILL');
  await eventually('the server is gone', () => !isAlive(pid));
};
const bare = { use_worktree: false };

it('what a worker reports is read at once, examined, and told as an event; history stays', async () => {
  const worker = await server.one(bare);
  const tools = await stand.toolsOf(worker);
  const { cursor } = await server.call('poll_worker_changes', changes);
  await tools.call('report_progress', { status: 'working', message: 'half way', progress: 50 });
  await tools.call('submit_report', account);
  await tools.call('report_progress', { status: 'blocked', message: 'no database' });

  const read = await server.call('read_reports', reports, { worker: worker.name, next: true });
  expect(read.reports).toMatchObject([
    { name: worker.name, kind: 'progress', status: 'blocked', message: 'no database' },
    { kind: 'report', ...account },
    { kind: 'progress', status: 'working', message: 'half way', progress: 50 },
  ]);
  expect(read.next_task).toMatchObject({ title: 'Discounts.', prompt: expect.stringContaining('Rounding of thirds.') });
  expect(await server.call('examine_worker', examined, { session_id: worker.session_id })).toMatchObject({
    report: { what_done: 'The cart adds up.' },
    last_word: { kind: 'blocked', says: 'no database' },
  });
  const events = await server.events({ cursor });
  expect(events.filter(({ type }) => type === 'report').map(({ data }) => data.kind)).toEqual([
    'progress',
    'report',
    'progress',
  ]);
  await server.close(worker, true);
});

it('an alarm is first in crew_status and on the board, and a person is notified of it; it ends no wait', async () => {
  const heard = join(stand.sandbox.root, 'heard');
  const config = join(stand.sandbox.root, 'notify.json');
  writeFileSync(
    config,
    JSON.stringify({ notifications: { command: ['sh', '-c', 'printf "%s\n" "$@" >> "$0"', heard] } }),
  );
  const other = await stand.serve({ CREWMUX_CONFIG: config });
  const worker = await other.one({ ...bare, prompt: 'HOLD alarmed' });
  const tools = await stand.toolsOf(worker);
  await other.until(worker.session_id, 'working');
  await tools.call('report_progress', { status: 'blocked', message: 'no database' });

  const glance = z.object({ reports: list(word), suggested_calls: list(z.string()) });
  const { reports: first, suggested_calls } = await other.call('crew_status', glance);
  expect(first[0]).toMatchObject({ name: worker.name, kind: 'blocked', says: 'no database', alarm: true });
  expect(first).toHaveLength(1);
  expect(suggested_calls[0]).toContain(`read_reports {"worker":"${worker.session_id}"}; message_workers answers it`);
  const boardPane = await eventually('the crew has a board', () => {
    const panes = stand.sandbox.tmux(
      'list-panes',
      '-s',
      '-t',
      `=${worker.tmux?.session}`,
      '-F',
      '#{window_index} #{pane_id}',
    );
    return /^0 (%\d+)$/m.exec(panes)?.[1];
  });
  const board = () => stand.sandbox.tmux('capture-pane', '-p', '-t', boardPane);
  const alarm = new RegExp(`! ${worker.name} reports that it is blocked .*C-b`);
  await eventually('it is on the board', () => alarm.test(board()));
  const told = `crewmux: ${worker.name} reports that it is blocked`;
  await eventually('a person hears of it', () => existsSync(heard) && readFileSync(heard, 'utf8').includes(told));
  expect(await other.wait([worker], { timeout: 1 })).toMatchObject({ timed_out: true, attention: [] });

  stand.release('alarmed');
  await other.until(worker.session_id, 'idle');
  expect((await other.call('crew_status', glance)).reports[0]).toMatchObject({ alarm: true });
  await other.message(worker, 'SAY here is one', { wait_mode: 'all' });
  expect((await other.call('crew_status', glance)).reports.filter((one) => one.alarm)).toEqual([]);
  await eventually('the board lets it go', () => !alarm.test(board()));
  await other.close(worker, true);
});

it('what is said while no server lives is told once by the next, and again by none', async () => {
  const worker = await server.one(bare);
  const tools = await stand.toolsOf(worker);
  await tools.call('report_progress', { status: 'working', message: 'one' });
  await eventually('the first word is told', async () => (await told(worker)).length === 1);
  await killed();
  await tools.call('report_progress', { status: 'working', message: 'two' });
  await tools.call('report_progress', { status: 'completed', message: 'three' });

  server = await stand.serve();
  expect(await told(worker)).toEqual(['one', 'two', 'three']);
  await killed();
  server = await stand.serve();
  expect(await told(worker)).toEqual(['one', 'two', 'three']);
});

it('without the token of its present launch nothing is taken from a worker', async () => {
  const [ada, bruno] = [await server.one(bare), await server.one(bare)];
  const word = { status: 'working', message: 'hello' };
  const nobody = await stand.toolsOf({ session_id: 'ffffffff' });
  await expect(nobody.call('report_progress', word)).rejects.toMatchObject({ code: 'not_a_worker' });

  const old = await stand.toolsOf(ada);
  await old.call('report_progress', word);
  await server.close(ada);
  await server.connection.call('restart_workers', { session_ids: [ada.session_id] });
  await expect(old.call('report_progress', word)).rejects.toThrow(/launch 1 of worker .* started again since/);
  await (await stand.toolsOf(ada, 2)).call('report_progress', word);

  const home = join(stand.sandbox.dir('crewmux'), 'workers');
  const badge = join(home, bruno.session_id, 'launches/1/badge.json');
  expect(statSync(badge).mode & 0o777).toBe(0o600);
  const { token } = z.object({ token: z.string() }).parse(JSON.parse(readFileSync(badge, 'utf8')));
  expect(readFileSync(join(home, bruno.session_id, 'badge.json'), 'utf8')).not.toContain(token);
  expect(stand.sandbox.tmux('list-panes', '-a', '-F', '#{pane_start_command}')).not.toContain(token);
  const taken = await server.call('read_reports', reports, { worker: ada.name });
  expect(taken.reports).toHaveLength(2);
});

it('who wants neither tools nor instructions for workers gets neither, and no server may take their name', async () => {
  const named = { mcp_config: { crew: { command: 'true' } } };
  const { failed } = await server.spawn(named);
  expect(failed).toMatchObject([{ step: 'check', error: expect.stringContaining('a server named "crew"') }]);
  const startOf = (worker: Worker) =>
    stand.sandbox.tmux('display', '-p', '-t', paneOf(worker), '#{pane_start_command}');
  expect(startOf(await server.one(bare))).toMatch(/--append-system-prompt "?'?You are [\s\S]*--mcp-config=/);

  const off = { defaults: { worker_tools: false, standing_instructions: false } };
  writeFileSync(join(stand.sandbox.dir('home/.config/crewmux'), 'config.json'), JSON.stringify(off));
  expect(startOf(await server.one(bare))).not.toMatch(/--append-system-prompt|--mcp-config/);
});
