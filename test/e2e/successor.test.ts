// Servers and agents that die, and those that take over.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { spawnOutput } from '../../src/wire/starting.ts';
import { listOutput } from '../../src/wire/worker.ts';
import { isAlive } from '../support/mcp.ts';
import { eventually } from '../support/sandbox.ts';
import { agentCommand, openStand, paneOf, type Server, type Stand, type Worker } from './crew.ts';
import { wordsOn } from './words.ts';

let stand: Stand;
let server: Server;
beforeAll(async () => {
  stand = openStand();
  server = await stand.serve();
});
afterAll(async () => {
  try {
    byHand('kill-server');
  } catch {
    // It was not started.
  }
  await stand.dispose();
});

/** The tmux a person would use; its socket lies in the sandbox as everything does. */
const byHand = (...args: string[]) => execFileSync('tmux', args, { env: stand.sandbox.env, stdio: 'ignore' });

const kill = async ({ connection }: Server) => {
  process.kill(connection.pid, 'SIGKILL');
  await eventually('the server is gone', () => !isAlive(connection.pid));
};
const pidOf = (of: Worker) => Number(stand.sandbox.tmux('display-message', '-p', '-t', paneOf(of), '#{pane_pid}'));

it('the successor of a killed server lists, waits for, messages and closes its workers, every field intact', async () => {
  const worker = await server.one({ prompt: 'HOLD on\nSAY through it all', annotation: 'lasting', role: 'generalist' });
  await kill(server);

  server = await stand.serve();
  const found = await server.look(worker.session_id);
  const { status, evidence, turn, doing, last_activity, managed_by, pending_messages, ...lasting } = worker;
  expect(found).toMatchObject(lasting);
  expect(found.status).toBe('working');
  stand.release('on');
  expect(await server.wait([worker])).toMatchObject({ all_idle: true });
  expect(await server.lastWords(worker)).toBe('through it all');
  const sent = await server.message(worker, 'SAY for you too', { wait_mode: 'all', timeout: 60 });
  expect(sent).toMatchObject({ verdict: 'submitted', turn: { ended_by: 'completed' } });
  expect(await server.close(worker)).toMatchObject({ success: true, worktree: 'removed' });
});

it("a live manager's worker is refused to another server, until it is adopted by force", async () => {
  const worker = await server.one({ use_worktree: false, prompt: 'SAY mine' });
  await server.wait([worker]);
  const other = await stand.serve();
  expect(await other.look(worker.session_id)).toMatchObject({ managed_by: { alive: true, mine: false } });
  expect(await other.close(worker)).toMatchObject({
    success: false,
    warning: expect.stringContaining('owned_by_another'),
  });
  const owned = { code: 'owned_by_another' };
  const { session_id } = worker;
  expect(await other.message(worker, 'SAY not yours')).toMatchObject({
    verdict: 'failed',
    evidence: { detail: expect.stringContaining('is managed by another server') },
  });
  expect(await other.interrupt(worker)).toBe('failed');
  await expect(other.connection.call('annotate_worker', { session_id, annotation: 'x' })).rejects.toMatchObject(owned);
  const rules = { scope: `worker:${session_id}`, allow: ['Bash'] };
  await expect(other.connection.call('set_permissions', rules)).rejects.toMatchObject(owned);
  expect(await other.lastWords(worker)).toBe('mine');
  const adopt = { session_id };
  await expect(other.connection.call('adopt_worker', adopt)).rejects.toMatchObject({ code: 'owned_by_another' });
  await expect(other.connection.call('adopt_worker', { ...adopt, force: true, max_age: 0 })).rejects.toMatchObject({
    message: expect.stringContaining('longer than the max_age of 0 s'),
  });
  await other.connection.call('adopt_worker', { ...adopt, force: true });
  expect(await other.look(worker.session_id)).toMatchObject({ managed_by: { mine: true } });
  expect(await server.look(worker.session_id)).toMatchObject({ managed_by: { mine: false, alive: true } });
  expect(await server.message(worker, 'SAY still mine')).toMatchObject({ verdict: 'failed' });
  const told = (await server.events()).filter(({ type }) => type === 'worker_adopted');
  const data = { from: server.connection.pid, by: other.connection.pid, forced: true };
  expect(told).toMatchObject([{ worker_id: session_id, data }]);
  expect(await other.message(worker, 'SAY yours', { wait_mode: 'all', timeout: 60 })).toMatchObject({
    verdict: 'submitted',
    turn: { ended_by: 'completed' },
  });
});

it('a worker that comes back has its name, unless another asked for that meanwhile; then both are told apart', async () => {
  const first = await server.one({ name: 'Ada', use_worktree: false, prompt: 'SAY first' });
  await server.wait([first]);
  process.kill(pidOf(first), 'SIGKILL');
  await server.until(first.session_id, 'dead');
  const second = await server.one({ name: 'ada', use_worktree: false, prompt: 'SAY second' });
  await server.wait([second]);
  const again = await server.call('restart_workers', spawnOutput, { session_ids: [first.session_id] });
  expect(again).toMatchObject({
    failed: [],
    warnings: ['Ada is Ada-2 now: another live worker has that name.'],
    sessions: [{ session_id: first.session_id, name: 'Ada-2' }],
  });
  expect(stand.sandbox.tmux('list-panes', '-a', '-F', '#{@crewmux_name}').split('\n')).toContain('Ada-2');
  const close = { session_ids: ['ada', 'ada-2'] };
  expect(await server.connection.call('close_workers', close)).toMatchObject({ success_count: 2 });
});

it('a killed agent is dead with evidence and needs somebody; a restart goes on with its conversation', async () => {
  const worker = await server.one({ prompt: 'SAY before' });
  await server.wait([worker]);
  process.kill(pidOf(worker), 'SIGKILL');
  const dead = await server.until(worker.session_id, 'dead');
  expect(dead.evidence).toMatchObject({ source: 'pane', detail: expect.stringMatching(/signal/i) });
  const waited = await server.wait([worker]);
  expect(waited.attention).toMatchObject([{ session_id: worker.session_id, waiting_for: 'dead' }]);
  const asked = { session_ids: [worker.session_id, 'nobody'], message: 'SAY heard', wait_mode: 'any' };
  const { attention } = await server.call('message_workers', z.looseObject({ attention: z.array(z.unknown()) }), asked);
  expect(attention).toMatchObject([{ session_id: worker.session_id, waiting_for: 'dead' }]);

  const { sessions, failed } = await server.call('restart_workers', spawnOutput, { session_ids: [worker.session_id] });
  expect(failed).toEqual([]);
  expect(sessions).toMatchObject([
    {
      session_id: worker.session_id,
      worktree_path: worker.worktree_path,
    },
  ]);
  const { agent_session_id } = worker;
  expect(await server.look(worker.session_id)).toMatchObject({ agent_session_id, restarts: 1, source: 'restarted' });
  const sent = await server.message(worker, 'SAY after', { wait_mode: 'all', timeout: 60 });
  expect(sent).toMatchObject({ verdict: 'submitted', turn: { ended_by: 'completed' } });
  expect((await server.conversation(worker)).map(({ content }) => content)).toEqual([
    'SAY before',
    'before',
    'SAY after',
    'after',
  ]);
});

it.each(['no transcript', 'a transcript in which nobody speaks'])(
  'a worker that was closed with %s comes back in its worktree and takes its first message',
  async (left) => {
    const worker = await server.one({});
    await server.close(worker);
    const path = worker.transcript_path ?? '';
    mkdirSync(dirname(path), { recursive: true });
    const title = JSON.stringify({
      type: 'custom-title',
      customTitle: worker.name,
      sessionId: worker.agent_session_id,
    });
    if (left !== 'no transcript') writeFileSync(path, `${title}\n`);
    const again = await server.call('restart_workers', spawnOutput, { session_ids: [worker.session_id] });
    expect(again).toMatchObject({ failed: [], sessions: [{ worktree_path: worker.worktree_path }] });
    const sent = await server.message(worker, 'SAY at last', { wait_mode: 'all', timeout: 60 });
    expect(sent).toMatchObject({ verdict: 'submitted', turn: { ended_by: 'completed' } });
    const { agent_session_id } = await server.look(worker.session_id);
    expect(agent_session_id === worker.agent_session_id).toBe(left === 'no transcript');
  },
);

it('an agent that somebody started by hand in another tmux server is found and adopted where it runs', async () => {
  const { sandbox, repo } = stand;
  const env = ['HOME', 'CLAUDE_CONFIG_DIR', 'PATH'].flatMap((name) => ['-e', `${name}=${sandbox.env[name]}`]);
  const hand = [...agentCommand, '--permission-mode', 'manual', '--', 'SAY by hand'];
  byHand('-f', '/dev/null', 'new-session', '-d', '-x', '120', '-y', '40', '-c', repo, ...env, ...hand);
  const discovered = z.object({
    sessions: z.array(
      z.looseObject({
        tmux_pane_id: z.string(),
        agent_session_id: z.string().nullable(),
        already_managed: z.boolean(),
        status: z.string(),
        last_assistant_preview: z.string().nullable(),
      }),
    ),
  });
  // It is idle before it takes its prompt up, too.
  const found = await eventually('it is found idle, with what it said', async () => {
    const { sessions } = await server.call('discover_workers', discovered);
    const strangers = sessions.filter(({ already_managed }) => !already_managed);
    return strangers.find(({ status, last_assistant_preview: said }) => status === 'idle' && said === 'by hand');
  });
  expect(found).toMatchObject({ project_path: repo });
  const tooOld = server.connection.call('adopt_worker', { tmux_pane_id: found.tmux_pane_id, max_age: 0 });
  await expect(tooOld).rejects.toMatchObject({
    code: 'invalid_argument',
    message: expect.stringMatching(/silent for \d+ s, longer than the max_age of 0 s/),
  });
  // As a person does it, who reads the id in `crewmux sessions`.
  expect(await wordsOn(stand)('adopt', found.agent_session_id ?? '')).toMatchObject({ code: 0, stderr: '' });
  const { workers } = await server.call('list_workers', listOutput);
  const of = workers.find(({ terminal_id }) => terminal_id === `tmux:${found.tmux_pane_id}`);
  const worker = await server.look(of?.session_id ?? '');
  expect(worker).toMatchObject({ source: 'adopted', status: 'idle' });
  const sent = await server.message(worker, 'SAY by crew', { wait_mode: 'all', timeout: 60 });
  expect(sent).toMatchObject({ verdict: 'submitted', turn: { ended_by: 'completed' } });
  expect(await server.lastWords(worker)).toBe('by crew');
});
