// What a person is told by a command of their own.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { list } from '../../src/wire/parts.ts';
import type { Fields } from '../support/mcp.ts';
import { eventually } from '../support/sandbox.ts';
import { openStand, type Server, type Stand } from './crew.ts';

let stand: Stand;
let heard: string;
beforeAll(() => {
  stand = openStand();
});
afterAll(() => stand.dispose());
let served = 0;

/** Writes each argument after its own on a line, then two variables, then what it reads. */
const listener =
  'out=$0; printf "%s\\n" "$CREWMUX_NOTICE" "$@" "${DISPLAY-} ${DATABASE_PASSWORD-}" >> "$out"; cat >> "$out"';

/** A server with a listener of its own; the others of this file hear nothing of its workers. */
function serve(on: readonly string[], command?: readonly string[], more: Fields = {}): Promise<Server> {
  served += 1;
  heard = join(stand.sandbox.root, `heard-${served}`);
  const config = join(stand.sandbox.root, `config-${served}.json`);
  writeFileSync(
    config,
    JSON.stringify({ notifications: { command: command ?? ['sh', '-c', listener, heard], on }, ...more }),
  );
  return stand.serve({ CREWMUX_CONFIG: config, DISPLAY: ':7', DATABASE_PASSWORD: 'x' });
}

const asking = { skip_permissions: false, use_worktree: false };
const notice = z.object({ kind: z.string(), name: z.string(), title: z.string(), body: z.string() });
const status = z.looseObject({ recent: list(z.object({ data: z.looseObject({}) })) });
const lines = () => (existsSync(heard) ? readFileSync(heard, 'utf8').trimEnd().split('\n') : []);
const notices = () => lines().flatMap((line) => (line.startsWith('{') ? [notice.parse(JSON.parse(line))] : []));

it('a need that nobody was told of is told once, with its text as data and not as shell', async () => {
  const server = await serve(['attention', 'dead']);
  const ada = await server.one({ name: 'ada', ...asking });
  const nasty = 'touch "$(touch pwned)" -x; `id` %s';
  await server.message(ada, `BASH ${nasty}`);
  await eventually('the notice', () => notices().length > 0);
  const [kind, title, body, variables] = lines();
  expect(kind).toBe('attention');
  expect(title).toBe(`crewmux: ada wants to run: ${nasty}`);
  expect(body).toContain('asks for Bash');
  expect(variables, 'how to reach the desktop, and no secret').toBe(':7 ');
  expect(notices()).toEqual([{ kind: 'attention', name: 'ada', title, body }]);
  process.kill(
    Number(stand.sandbox.tmux('display', '-p', '-t', (ada.terminal_id ?? '').slice(5), '#{pane_pid}')),
    'SIGKILL',
  );
  await eventually('the death', () => notices().some((one) => one.kind === 'dead'));
  expect(notices()).toHaveLength(2);
});

it('what a wait of the manager has just answered troubles nobody', async () => {
  const server = await serve(['attention', 'idle']);
  const ben = await server.one({ name: 'ben', ...asking });
  const bo = await server.one({ name: 'bo', use_worktree: false });
  const awaited = { wait_mode: 'all', timeout: 60 };
  await server.message(bo, 'SAY done', awaited);
  const order = { session_ids: [ben.session_id], message: 'BASH touch wanted.txt', ...awaited };
  const { attention } = await server.call('message_workers', z.object({ attention: list(z.unknown()) }), order);
  expect(attention).toHaveLength(1);
  const cleo = await server.one({ name: 'cleo', use_worktree: false, prompt: 'SAY also done' });
  await eventually('the notice of the one nobody waited for', () => notices().length > 0);
  expect(notices()).toMatchObject([{ kind: 'idle', name: cleo.name, title: 'crewmux: cleo is idle' }]);
});

it('a silent worker ends a wait for any need, and an unanswered one is told again and stays unanswered', async () => {
  const stale = { events: { stale_threshold_minutes: 0.02 }, limits: { waiting_minutes: 0.06 } };
  const server = await serve(['attention', 'stuck'], undefined, stale);
  const fay = await server.one({ name: 'fay', use_worktree: false });
  await server.message(fay, 'HOLD silent\nSAY at last');
  const waited = z.looseObject({ timed_out: z.boolean(), attention: list(z.looseObject({ waiting_for: z.string() })) });
  const order = { session_ids: [fay.session_id], timeout: 60, on_attention: 'any' };
  const { attention, timed_out } = await server.call('wait_idle_workers', waited, order);
  expect([attention.map((need) => need.waiting_for), timed_out]).toEqual([['stuck'], false]);
  const seen = await server.call('crew_status', z.looseObject({ attention: waited.shape.attention }));
  expect(seen.attention.filter(({ name }) => name === 'fay')).toMatchObject([{ waiting_for: 'stuck' }]);
  await eventually('the notice', () => notices().some(({ kind }) => kind === 'stuck'));
  stand.release('silent');
  const gus = await server.one({ name: 'gus', ...asking });
  await server.message(gus, 'BASH touch asked');
  await eventually('the second notice', () => notices().filter(({ kind }) => kind === 'attention').length > 1);
  const [first, second] = notices().filter(({ kind }) => kind === 'attention');
  expect(second?.title).toBe(`${first?.title} (for 0 min)`);
  expect((await server.look(gus.session_id)).status).toBe('waiting');
});

it('a command that fails is noted once, and the server goes on', async () => {
  const server = await serve(['attention'], ['/nowhere/at/all']);
  const [dora, edna] = [await server.one({ name: 'dora', ...asking }), await server.one({ name: 'edna', ...asking })];
  await server.message(dora, 'BASH touch a');
  await server.message(edna, 'BASH touch b');
  const log = join(stand.sandbox.dir('crewmux'), 'crewmux.log');
  const told = () => (existsSync(log) ? (readFileSync(log, 'utf8').match(/notifications\.command/g) ?? []).length : 0);
  await eventually('the failure in the log', () => told() > 0);
  expect((await server.look(dora.session_id)).status).toBe('waiting');
  expect(told()).toBe(1);
});

it('a task that fails is told by the server that drives it, and again where it fails again', async () => {
  // In a project of its own, since any living server of a project may drive its tasks.
  const before = stand;
  const own = openStand();
  stand = own;
  try {
    const server = await serve(['task_failed']);
    const submitted = z.looseObject({ task_id: z.string() });
    const quiet = { project_path: own.repo, prompt: 'SAY nothing done', title: 'Quiet' };
    const { task_id } = await server.call('submit_task', submitted, quiet);
    await eventually('the notice', () => notices().length > 0);
    await server.call('update_task', z.unknown(), { task_id, action: 'retry' });
    await eventually('the second notice', () => notices().length > 1);
    const failed = { kind: 'task_failed', title: 'crewmux: Quiet has failed' };
    expect(notices()).toMatchObject([failed, failed]);
    const { recent, ...seen } = await server.call('crew_status', status);
    const ended = { type: 'task_ended', data: { task_id, state: 'failed' } };
    expect(seen).toMatchObject({ running: 0, limit: 8, failures: [ended, ended] });
    expect(recent.length).toBeGreaterThan(0);
    expect(recent.filter(({ data }) => 'evidence' in data)).toEqual([]);
  } finally {
    stand = before;
    await own.dispose();
  }
});
