// A wait brings along what was said: the answer to a message, and the last words of who is idle.
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
  worker = await server.one({ use_worktree: false });
});
afterAll(() => stand.dispose());

const toEnd = { wait_mode: 'all', timeout: 60 };

it('the answer to a message comes with the wait for it, and stays the last word of the idle worker', async () => {
  expect(await server.message(worker, 'SAY good day', toEnd)).toMatchObject({ reply: 'good day' });
  expect(await server.wait([worker])).toMatchObject({ last_words: { [worker.session_id]: 'good day' } });
});

it('a queued message is answered with the words of its own turn', async () => {
  await server.message(worker, 'HOLD first\nSAY first');
  await server.until(worker.session_id, 'working');
  const queued = server.message(worker, 'SAY second', toEnd);
  await eventually('it is queued', async () => (await server.look(worker.session_id)).pending_messages === 1);
  expect(await server.wait([worker], { timeout: 0.2 })).not.toHaveProperty('last_words');
  stand.release('first');
  expect(await queued).toMatchObject({ verdict: 'queued', reply: 'second' });
});

it('a turn that says nothing has no reply, though another was answered before', async () => {
  const sent = server.message(worker, 'SLOW 600', toEnd);
  await server.until(worker.session_id, 'working');
  await server.interrupt(worker);
  const answer = await sent;
  expect(answer).toMatchObject({ verdict: 'submitted', turn: { ended_by: 'interrupted' } });
  expect(answer).not.toHaveProperty('reply');
});

it('a long reply is cut, and names the call that reads on', async () => {
  const words = 'long '.repeat(600);
  const call = `read_worker_logs {"session_id":"${worker.session_id}","format":"full"}`;
  expect(await server.message(worker, `SAY ${words}`, toEnd)).toMatchObject({
    truncated: true,
    reply: words.slice(0, 2_000),
    hint: expect.stringContaining(call),
  });
  const wait = server.call('wait_idle_workers', z.unknown(), { session_ids: [worker.session_id] });
  expect(await wait).toMatchObject({ truncated: true, note: expect.stringContaining(call) });
});
