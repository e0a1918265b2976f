// What is in the way of a message is waited for: it is kept, and typed once, in its order, whoever is killed.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { signalBelow, wrapperOf } from '../support/descendants.ts';
import { type Fields, isAlive } from '../support/mcp.ts';
import { eventually } from '../support/sandbox.ts';
import { agentCommand, openStand, paneOf, type Server, type Stand, type Worker } from './crew.ts';

let stand: Stand;
let server: Server;
let program: string;
const start = () => stand.serve({ CREWMUX_COMMAND: program });
beforeAll(async () => {
  stand = openStand();
  program = wrapperOf(stand.sandbox, 'agent', agentCommand);
  server = await start();
});
// A test that failed may have left it stopped or killed.
beforeEach(async () => {
  const { pid } = server.connection;
  if (!isAlive(pid)) server = await start();
  else process.kill(pid, 'SIGCONT');
});
afterAll(() => stand.dispose());

const killed = async () => {
  process.kill(server.connection.pid, 'SIGKILL');
  await eventually('the server is gone', () => !isAlive(server.connection.pid));
};
const verdicts = async ({ session_id }: Worker) =>
  (await server.events())
    .filter(({ type, worker_id }) => type.startsWith('message_') && worker_id === session_id)
    .map(({ type, data }) => `${type} ${data.verdict}`);
const quiet = () => server.one({ use_worktree: false });
const keep = (to: Worker, text: string, more: Fields = {}) => server.message(to, text, { keep: true, ...more });
const outcome = (more: object) => z.looseObject({ results: z.record(z.string(), z.looseObject(more)) });

/** A person begins a line; resolves when it stands in the box. */
async function draft(at: Worker, text = 'half a thought') {
  await eventually('the box is drawn', () => stand.screen(at).includes('❯'));
  stand.keys(at, '-l', text);
  await eventually('it stands in the box', () => stand.screen(at).includes(`❯\u00a0${text}`));
}
const clear = (at: Worker) => stand.keys(at, 'C-c');

it('messages kept before a dialog are typed in their order once it is answered, and none overtakes them', async () => {
  const worker = await server.one({ use_worktree: false, skip_permissions: false, permission_mode: 'manual' });
  await server.message(worker, 'WRITE asked.txt text\nSAY written');
  await server.until(worker.session_id, 'waiting');
  // Its state file says so before the screen does.
  await eventually('the dialog is drawn', () => stand.screen(worker).includes('❯ 1. Yes'));
  const before = stand.screen(worker);
  const odd = `-x 'q' "d" $HOME \`id\` é 漢 🚀 ;;\nsecond line`;
  expect(await keep(worker, odd)).toMatchObject({ verdict: 'kept', success: true, turn: null });
  expect(await keep(worker, 'SAY second')).toMatchObject({ verdict: 'kept' });
  expect(await server.message(worker, 'SAY third')).toMatchObject({
    verdict: 'held',
    hint: expect.stringMatching(/keep: true|answer_worker/),
  });
  expect(await server.look(worker.session_id)).toMatchObject({ status: 'waiting', pending_messages: 2 });
  expect(stand.screen(worker)).toBe(before);

  stand.keys(worker, 'Enter');
  await eventually('both are there', async () => (await server.prompts(worker)).length === 3);
  expect(await server.wait([worker])).toMatchObject({ all_idle: true });
  expect((await server.prompts(worker)).slice(1)).toEqual([odd, 'SAY second']);
  expect(await server.look(worker.session_id)).toMatchObject({ status: 'idle' });
  expect((await verdicts(worker)).map((one) => one.split(' ')[0])).toEqual([
    'message_sent',
    'message_kept',
    'message_kept',
    'message_held',
    expect.stringMatching(/message_(sent|queued)/),
    expect.stringMatching(/message_(sent|queued)/),
  ]);
});

it('a worker whose message waits behind a draft is not idle, and the wait for it brings its answer', async () => {
  const worker = await quiet();
  await draft(worker);
  const sent = keep(worker, 'SAY patience', { wait_mode: 'all', timeout: 60 });
  const seen = await eventually('it is kept', async () => {
    const look = await server.look(worker.session_id);
    return look.pending_messages === 1 && look;
  });
  expect(seen).toMatchObject({ status: 'idle', evidence: { detail: expect.stringContaining('1 kept message waits') } });
  const idle = z.looseObject({ all_idle: z.boolean() });
  const asked = { session_ids: [worker.session_id] };
  expect(await server.call('check_idle_workers', idle, asked)).toMatchObject({ all_idle: false });
  expect(await server.message(worker, 'SAY over it')).toMatchObject({
    verdict: 'held',
    evidence: { detail: expect.stringContaining('kept message') },
    hint: expect.stringContaining('keep: true'),
  });
  expect(stand.screen(worker)).toContain('❯\u00a0half a thought');
  clear(worker);
  expect(await sent).toMatchObject({ verdict: 'submitted', reply: 'patience', turn: { ended_by: 'completed' } });
  expect(await server.prompts(worker)).toEqual(['SAY patience']);
});

it('a kept message outlives the servers that die, and is typed once by one that lives', async () => {
  const worker = await quiet();
  await draft(worker);
  expect(await keep(worker, 'SAY outlived')).toMatchObject({ verdict: 'kept' });
  await killed();
  server = await start();
  expect(await server.look(worker.session_id)).toMatchObject({ status: 'idle', pending_messages: 1 });
  expect(await server.wait([worker], { timeout: 0.3 })).toMatchObject({ timed_out: true });
  expect(await keep(worker, 'SAY after it')).toMatchObject({ verdict: 'kept' });
  clear(worker);
  expect(await server.wait([worker])).toMatchObject({ all_idle: true });
  await killed();
  server = await start();
  expect(await server.wait([worker])).toMatchObject({ all_idle: true });
  expect(await server.prompts(worker)).toEqual(['SAY outlived', 'SAY after it']);
});

it('a pane that takes no keys is tried again with pauses, and the message goes when it does', async () => {
  const worker = await quiet();
  await eventually('the box is drawn', () => stand.screen(worker).includes('❯'));
  stand.sandbox.tmux('select-pane', '-d', '-t', paneOf(worker));
  expect(await keep(worker, 'SAY keys')).toMatchObject({ verdict: 'kept' });
  expect(await server.wait([worker], { timeout: 1 })).toMatchObject({ timed_out: true });
  const journal = join(stand.sandbox.dir('crewmux'), 'workers', worker.session_id, 'sends.jsonl');
  expect(readFileSync(journal, 'utf8').trim().split('\n').length).toBeLessThan(12);
  stand.sandbox.tmux('select-pane', '-e', '-t', paneOf(worker));
  expect(await server.wait([worker])).toMatchObject({ last_words: { [worker.session_id]: 'keys' } });
  expect(await server.prompts(worker)).toEqual(['SAY keys']);
});

const ofPane = (worker: Worker, format: string) =>
  stand.sandbox.tmux('display-message', '-p', '-t', paneOf(worker), format);

/** Keeps a text and another, and kills the server when it has typed the first and not sent it. */
async function tornBehind(worker: Worker, text: string) {
  await draft(worker);
  expect(await keep(worker, text)).toMatchObject({ verdict: 'kept' });
  expect(await keep(worker, 'SAY for certain')).toMatchObject({ verdict: 'kept' });
  const journal = join(stand.sandbox.dir('crewmux'), 'workers', worker.session_id, 'sends.jsonl');
  // The server looks again when the box shows as empty and the agent draws nothing of what is typed.
  process.kill(server.connection.pid, 'SIGSTOP');
  clear(worker);
  await eventually('the box is empty', () => !stand.screen(worker).includes('half a thought'));
  signalBelow(Number(ofPane(worker, '#{pane_pid}')), 'SIGSTOP');
  // The server takes the keyboard some commands before it types, and the stopped agent draws nothing.
  stand.sandbox.tmux('set-option', '-g', '@typed', 'no');
  for (const by of ['send-keys', 'paste-buffer'])
    stand.sandbox.tmux('set-hook', '-g', `after-${by}`, 'set-option -g @typed yes');
  process.kill(server.connection.pid, 'SIGCONT');
  await eventually('it is being typed', () => ofPane(worker, '#{@typed}') === 'yes');
  expect(ofPane(worker, '#{pane_input_off}')).toBe('1');
  expect(readFileSync(journal, 'utf8').trim().split('\n')).toHaveLength(1);
  await killed();
  signalBelow(Number(ofPane(worker, '#{pane_pid}')), 'SIGCONT');
  await eventually('it is drawn', () => stand.screen(worker).includes(`❯\u00a0${text}`));
}

it('what was being typed when the server was killed is taken back by the next one, and typed once', async () => {
  const worker = await quiet();
  await tornBehind(worker, 'SAY perhaps');

  server = await start();
  await eventually('both are typed', async () => (await server.prompts(worker)).length > 1);
  expect(await server.wait([worker])).toMatchObject({ all_idle: true });
  expect(await server.prompts(worker)).toEqual(['SAY perhaps', 'SAY for certain']);
  expect(await verdicts(worker)).toEqual([
    'message_kept kept',
    'message_kept kept',
    ...Array(2).fill(expect.stringMatching(/^message_(?:sent submitted|queued queued)$/)),
  ]);
});

it('what was being typed when the server was killed is unconfirmed and untouched with one character more in the box', async () => {
  const worker = await quiet();
  await tornBehind(worker, 'SAY perhaps');
  await eventually('the keyboard is back', () => ofPane(worker, '#{pane_input_off}') === '0');
  stand.keys(worker, '-l', '!');
  await eventually('it is drawn', () => stand.screen(worker).includes('❯\u00a0SAY perhaps!'));

  server = await start();
  await eventually('it is told', async () => (await verdicts(worker)).includes('message_sent unconfirmed'));
  expect(await server.message(worker, 'SAY beside')).toMatchObject({ verdict: 'held' });
  expect(stand.screen(worker)).toContain('❯\u00a0SAY perhaps!');
  clear(worker);
  await eventually('the next is typed', async () => (await server.prompts(worker)).length > 0);
  expect(await server.wait([worker])).toMatchObject({ all_idle: true });
  expect(await server.prompts(worker)).toEqual(['SAY for certain']);
});

it('an interrupt says that a kept message goes next, and the close of a worker that it was not delivered', async () => {
  const worker = await quiet();
  await server.message(worker, 'SLEEP 30');
  await eventually('it streams', () => stand.screen(worker).includes('tick tick'));
  await draft(worker);
  expect(await keep(worker, 'SAY never typed')).toMatchObject({ verdict: 'kept' });
  const asked = { session_ids: [worker.session_id] };
  const interrupted = await server.call('interrupt_workers', outcome({ detail: z.string() }), asked);
  expect(interrupted.results[worker.session_id]).toMatchObject({
    detail: expect.stringContaining('1 kept message stays kept and goes next'),
  });
  expect(await server.close(worker, true)).toMatchObject({
    success: true,
    warning: 'a kept message was not delivered: ["SAY never typed"].',
  });
  expect((await verdicts(worker)).at(-1)).toBe('message_held failed');
  expect(await server.look(worker.session_id)).toMatchObject({ status: 'closed' });
});

it('a kept message comes back with its worker, and begins no conversation twice', async () => {
  const worker = await quiet();
  await draft(worker);
  expect(await keep(worker, 'SAY back again')).toMatchObject({ verdict: 'kept' });
  process.kill(Number(stand.sandbox.tmux('display-message', '-p', '-t', paneOf(worker), '#{pane_pid}')), 'SIGKILL');
  expect(await server.until(worker.session_id, 'dead')).toMatchObject({ pending_messages: 1 });
  await server.connection.call('restart_workers', { session_ids: [worker.session_id] });
  await eventually('it is there', async () => (await server.prompts(worker)).length > 0);
  expect(await server.wait([worker])).toMatchObject({ all_idle: true });
  expect(await server.prompts(worker)).toEqual(['SAY back again']);
});
