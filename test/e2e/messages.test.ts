import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { eventually } from '../support/sandbox.ts';
import { openStand, type Server, type Stand, type Worker } from './crew.ts';

let stand: Stand;
let server: Server;
let worker: Worker;
beforeAll(async () => {
  stand = openStand();
  server = await stand.serve();
  worker = await server.one({ permission_mode: 'manual', skip_permissions: false });
});
afterAll(() => stand.dispose());

const page = z.object({ messages: z.array(z.object({ role: z.string(), content: z.string() })) });
const prompts = async () => {
  const { messages } = await server.call('read_worker_logs', page, {
    session_id: worker.session_id,
    pages: 20,
    format: 'full',
  });
  return messages.filter(({ role }) => role === 'user').map(({ content }) => content);
};

it('a message to an idle worker is submitted and its turn is waited for', async () => {
  const sent = await server.message(worker, 'SAY good day', { wait_mode: 'all', timeout: 20 });
  expect(sent).toMatchObject({ verdict: 'submitted', turn: { ended_by: 'completed' } });
  expect(await server.lastWords(worker)).toBe('good day');
});

it.each([
  ['with all that shells, tmux and git might eat', `-x 'q' "d" $HOME $(id) #{pane_id} \`id\` é 漢 🚀 ;; \\n;`],
  ['of many lines', Array.from({ length: 40 }, (_, i) => `line ${i}\twith a tab`.replace('\t', '    ')).join('\n')],
  ['longer than a paste may be', 'word '.repeat(1_500).trim()],
  ['that ends in a backslash', 'a path\\'],
  ['that begins like a shell line', '!echo no'],
])('a message %s arrives as it was sent', async (_, text) => {
  const sent = await server.message(worker, text, { wait_mode: 'all', timeout: 20 });
  expect(sent).toMatchObject({ verdict: 'submitted' });
  expect((await prompts()).at(-1)).toBe(text);
});

it('a message to a working worker is queued and arrives once, in the turn after', async () => {
  expect(await server.message(worker, 'HOLD first\nSAY first')).toMatchObject({ verdict: 'submitted' });
  await server.until(worker.session_id, 'working');
  expect(await server.message(worker, 'SAY second')).toMatchObject({ verdict: 'queued' });
  expect(await server.look(worker.session_id)).toMatchObject({ status: 'working' });
  stand.release('first');
  expect(await server.wait([worker])).toMatchObject({ all_idle: true });
  expect((await prompts()).filter((text) => text === 'SAY second')).toHaveLength(1);
  expect(await server.lastWords(worker)).toBe('second');
});

it('a message while a dialog is open is held, and the dialog stays as it was', async () => {
  await server.message(worker, 'WRITE held.txt text\nSAY written');
  await server.until(worker.session_id, 'waiting');
  const before = stand.screen(worker);
  expect(await server.message(worker, 'SAY never typed')).toMatchObject({ verdict: 'held', success: false });
  expect(stand.screen(worker)).toBe(before);
  stand.keys(worker, 'Escape');
  await server.until(worker.session_id, 'idle');
  expect((await prompts()).filter((text) => text.includes('never typed'))).toEqual([]);
});

it("a message is held by a person's half-typed line, which stays as it was", async () => {
  stand.keys(worker, '-l', 'half a thought');
  await eventually('it stands in the box', () => stand.screen(worker).includes('❯\u00a0half a thought'));
  const sent = await server.message(worker, 'SAY never typed');
  expect(sent).toMatchObject({ verdict: 'held', success: false });
  expect(stand.screen(worker)).toContain('❯\u00a0half a thought');
  stand.keys(worker, 'C-c');
  await eventually('the box is empty', () => !stand.screen(worker).includes('half a thought'));
});

it('a text the agent would take for its own command is refused, and as_command runs it', async () => {
  expect(await server.message(worker, '/compact')).toMatchObject({
    verdict: 'failed',
    hint: expect.stringContaining('as_command'),
  });
  expect(await server.message(worker, '/compact', { as_command: true })).toMatchObject({ verdict: 'submitted' });
  await server.until(worker.session_id, 'idle');
  expect(stand.screen(worker)).toContain('Compacted');
});

it('an interrupt ends the turn in mid-stream, and the worker takes the next message', async () => {
  await server.message(worker, 'SLEEP 30');
  await eventually('it streams', () => stand.screen(worker).includes('tick tick'));
  expect(await server.interrupt(worker)).toBe('interrupted');
  expect(await server.look(worker.session_id)).toMatchObject({ status: 'idle', turn: { ended_by: 'interrupted' } });
  expect(await server.interrupt(worker)).toBe('nothing_running');
  const sent = await server.message(worker, 'SAY still here', { wait_mode: 'all', timeout: 20 });
  expect(sent).toMatchObject({ verdict: 'submitted', turn: { ended_by: 'completed' } });
});

it('an interrupt before the first word puts the prompt back into the box, and it is in nobody’s way', async () => {
  await server.message(worker, 'SLOW 30');
  await server.until(worker.session_id, 'working');
  expect(await server.interrupt(worker)).toBe('interrupted');
  await eventually('it is back', () => stand.screen(worker).includes('❯\u00a0SLOW 30'));
  expect(await server.look(worker.session_id)).toMatchObject({ status: 'idle' });
  const sent = await server.message(worker, 'SAY after that', { wait_mode: 'all', timeout: 20 });
  expect(sent).toMatchObject({ verdict: 'submitted', turn: { ended_by: 'completed' } });
  expect((await prompts()).at(-1)).toBe('SAY after that');
});
