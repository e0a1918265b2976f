import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { attention, list } from '../../src/tools/shapes.ts';
import { openStand, type Server, type Stand, type Worker } from './crew.ts';

let stand: Stand;
let server: Server;
let quick: Worker;
let slow: Worker;
beforeAll(async () => {
  stand = openStand();
  server = await stand.serve();
  const { sessions } = await server.spawn({ skip_permissions: true }, { skip_permissions: true });
  const [first, second] = sessions;
  if (first === undefined || second === undefined) throw new Error('two workers were asked for');
  [quick, slow] = [first, second];
});
afterAll(() => stand.dispose());

const changes = z.object({
  events: z.array(z.object({ seq: z.number(), type: z.string(), worker_id: z.string() })),
  summary: z.object({ completed: z.array(z.string()), attention: list(attention) }),
  active_count: z.number(),
  idle_count: z.number(),
  cursor: z.string(),
});

it('any returns with the first, all with the last', async () => {
  await server.message(slow, 'HOLD slow\nSAY slow');
  await server.message(quick, 'SAY quick');
  expect(await server.wait([quick, slow], { mode: 'any' })).toMatchObject({
    idle_session_ids: [quick.session_id],
    waiting_on: [slow.session_id],
    all_idle: false,
    timed_out: false,
  });
  const all = server.wait([quick, slow]);
  stand.release('slow');
  expect(await all).toMatchObject({ all_idle: true, waiting_on: [] });
});

it('a wait that runs out says so, with whom it waited for', async () => {
  await server.message(slow, 'HOLD again\nSAY slow');
  const waited = await server.wait([slow], { timeout: 0.3 });
  expect(waited).toMatchObject({ timed_out: true, waiting_on: [slow.session_id], all_idle: false });
});

it('a wait that is cancelled ends, and the server goes on', async () => {
  const cancel = new AbortController();
  const args = { session_ids: [slow.session_id], timeout: 60 };
  const waiting = server.connection.call('wait_idle_workers', args, { signal: cancel.signal });
  cancel.abort('enough');
  await expect(waiting).rejects.toThrow();
  expect(await server.look(slow.session_id)).toMatchObject({ status: 'working' });
  stand.release('again');
  expect(await server.wait([slow])).toMatchObject({ all_idle: true });
});

it('a question ends a wait once under new, every time under any, and never under ignore', async () => {
  await server.message(quick, 'ASK Which colour?|Red|Blue\nSAY chosen');
  const first = await server.wait([quick]);
  expect(first).toMatchObject({ all_idle: false, timed_out: false });
  expect(first.attention).toMatchObject([{ session_id: quick.session_id, waiting_for: 'question' }]);
  expect(await server.wait([quick], { timeout: 0.3 })).toMatchObject({ timed_out: true });
  expect(await server.wait([quick], { on_attention: 'any' })).toMatchObject({ timed_out: false });
  expect(await server.wait([quick], { on_attention: 'ignore', timeout: 0.3 })).toMatchObject({ timed_out: true });
  stand.keys(quick, '2');
  expect(await server.wait([quick])).toMatchObject({ all_idle: true, attention: [] });
  expect(await server.lastWords(quick)).toBe('chosen');
});

it('changes since a cursor are told once', async () => {
  const before = await server.call('poll_worker_changes', changes);
  await server.message(quick, 'SAY news', { wait_mode: 'all', timeout: 20 });
  const news = await server.call('poll_worker_changes', changes, { cursor: before.cursor });
  expect(news.events.map(({ type }) => type)).toContain('turn_ended');
  expect(news.events.every(({ worker_id }) => worker_id === quick.session_id)).toBe(true);
  expect(news.summary.completed).toContain(quick.name);
  const none = await server.call('poll_worker_changes', changes, { cursor: news.cursor });
  expect(none.events).toEqual([]);
  expect(none).toMatchObject({ idle_count: 2, active_count: 0 });
});

it('one look shows who is idle, who needs somebody and how to help', async () => {
  await server.message(quick, 'PLAN do it\nSAY planned');
  await server.until(quick.session_id, 'waiting');
  const status = z.looseObject({
    counts: z.record(z.string(), z.number()),
    attention: list(attention),
    attach: z.string().nullable(),
  });
  const seen = await server.call('crew_status', status);
  expect(seen.counts).toMatchObject({ idle: 1, waiting: 1 });
  expect(seen.attention).toMatchObject([{ name: quick.name, waiting_for: 'plan_approval' }]);
  expect(seen.attach).toContain('tmux');
  stand.keys(quick, 'Enter');
  await server.until(quick.session_id, 'idle');
  expect(await server.lastWords(quick)).toBe('planned');
});
