// A worker that is called by its name alone, and how workers are closed.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CrewError } from '../../src/model/errors.ts';
import { processStart } from '../../src/system/process.ts';
import { tools } from '../../src/tools/index.ts';
import { eventually } from '../support/sandbox.ts';
import { openStand, paneOf, type Server, type Stand, type Worker } from './crew.ts';

let stand: Stand;
let server: Server;
let ada: Worker;
beforeAll(async () => {
  stand = openStand();
  server = await stand.serve();
  ada = await server.one({ prompt: 'SAY ready' });
  await server.wait([ada]);
  stand.sandbox.git(ada.worktree_path ?? '', 'commit', '-q', '--allow-empty', '-m', 'Say nothing');
});
afterAll(() => stand.dispose());

it('a worktree with work in it is kept, and force removes it only after saving everything', async () => {
  const worker = await server.one({ prompt: 'WRITE unsaved.txt precious\nSAY done' });
  await server.wait([worker]);
  const folder = worker.worktree_path ?? '';
  expect(await server.close(worker)).toMatchObject({ worktree: 'kept', warning: expect.any(String) });
  expect(existsSync(join(folder, 'unsaved.txt'))).toBe(true);
  const forced = await server.close(worker, true);
  expect(forced).toMatchObject({ success: true, worktree: 'removed', salvage: expect.stringContaining('refs/') });
  expect(existsSync(folder)).toBe(false);
  const kept = stand.sandbox.git(stand.repo, 'log', '-1', '--format=%H', '-m', '--all', '--', 'unsaved.txt');
  expect(stand.sandbox.git(stand.repo, 'show', `${kept}:unsaved.txt`)).toBe('precious');
});

it('a working worker is not closed unasked; force ends its whole process tree', async () => {
  const worker = await server.one();
  await server.message(worker, 'BASH echo $$ >pid; sleep 1000');
  const pidFile = join(worker.worktree_path ?? '', 'pid');
  // The shell makes the file before it writes its pid there.
  const written = () => (existsSync(pidFile) ? /^\d+\n/.exec(readFileSync(pidFile, 'utf8'))?.[0] : undefined);
  const shellPid = Number(await eventually('its shell has written its pid', written));
  const agentPid = Number(stand.sandbox.tmux('display-message', '-p', '-t', paneOf(worker), '#{pane_pid}'));
  expect(await server.close(worker)).toMatchObject({ success: false, warning: expect.stringContaining('worker_busy') });
  expect(await startsOf(agentPid, shellPid)).toEqual([expect.any(String), expect.any(String)]);
  expect(await server.close(worker, true)).toMatchObject({ success: true });
  expect(await startsOf(agentPid, shellPid)).toEqual([undefined, undefined]);
  expect(await server.look(worker.session_id)).toMatchObject({ status: 'closed' });
});

it('a worker that is closed is dead for nobody who looks on', async () => {
  const other = await stand.serve();
  const crew = await Promise.all(['Bella', 'Carlo', 'Dora'].map((name) => server.one({ name, prompt: 'SAY ready' })));
  await server.wait(crew);
  const seen = new Set<string>();
  const closing = Promise.all(crew.map((worker) => server.close(worker))).then((outcomes) => ({ outcomes }));
  const watching = async (): Promise<void> => {
    for (const { session_id } of crew) seen.add((await other.look(session_id)).status);
    if ((await Promise.race([closing, undefined])) === undefined) await watching();
  };
  await watching();
  expect((await closing).outcomes.map(({ success }) => success)).toEqual([true, true, true]);
  expect([...seen].filter((status) => status === 'dead')).toEqual([]);
  expect(crew.map(({ worktree_path: path = '' }) => existsSync(path))).toEqual([false, false, false]);
  await other.connection.close();
});

/** Undefined for a process that has ended, whether its parent has taken note or not. */
const startsOf = (...pids: number[]) => Promise.all(pids.map(processStart));

it('an idle worker leaves politely: its state file is gone and its last hook has run', async () => {
  const worker = await server.one({ prompt: 'SAY bye' });
  await server.wait([worker]);
  const agentPid = Number(stand.sandbox.tmux('display-message', '-p', '-t', paneOf(worker), '#{pane_pid}'));
  const stateFile = join(stand.sandbox.home, '.claude', 'sessions', `${agentPid}.json`);
  expect(existsSync(stateFile)).toBe(true);
  expect(await server.close(worker)).toMatchObject({ success: true, worktree: 'removed' });
  expect(existsSync(stateFile)).toBe(false);
  // The second time there is nothing left to keep.
  expect(await server.close(worker)).toMatchObject({ success: true, worktree: 'removed' });
});

const wanted = ['session_id', 'session_ids', 'worker', 'scope'];
const fieldOf = (name: string): string | undefined => {
  const properties = tools.find((tool) => tool.name === name)?.inputSchema().properties;
  return wanted.find((field) => typeof properties === 'object' && properties !== null && field in properties);
};

/** What else they must be given. */
const more: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  annotate_worker: { annotation: 'by name' },
  message_workers: { message: 'SAY heard' },
  answer_worker: { decision: 'allow' },
  wait_idle_workers: { timeout: 0 },
};

/** The one that ends it comes last; the scope of crew_status names no worker. */
const named = tools.map(({ name }) => name).filter((name) => name !== 'crew_status' && fieldOf(name) !== undefined);
const inOrder = [...named.filter((name) => name !== 'close_workers'), 'close_workers'];

it.each(inOrder)('%s knows a worker by its name alone, in whatever case', async (tool) => {
  const field = fieldOf(tool) ?? '';
  const word = ` ${ada.name.toUpperCase()} `;
  const value = field === 'session_ids' ? [word] : field === 'scope' ? `worker:${ada.name.toUpperCase()}` : word;
  const answer = await server.connection.call(tool, { [field]: value, ...more[tool] }).catch(codeOf);
  expect(answer).toEqual(tool === 'answer_worker' ? 'unknown_request' : expect.any(Object));
});

const codeOf = (thrown: unknown) => (thrown instanceof CrewError ? thrown.code : String(thrown));
