// Ends that are none, and other ends than the plain one.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openStand, type Server, type Stand, type Worker } from './crew.ts';

let stand: Stand;
let server: Server;
let worker: Worker;
beforeAll(async () => {
  stand = openStand();
  server = await stand.serve();
  worker = await server.one();
});
afterAll(() => stand.dispose());

it('a worker whose background shell runs is not idle, and is once the news of its end is read', async () => {
  await server.message(worker, 'BGSHELL until [ -e go ]; do sleep 0.05; done\nSAY started');
  const early = await server.wait([worker], { timeout: 1 });
  expect(early).toMatchObject({ timed_out: true });
  expect(await server.lastWords(worker)).toBe('started');
  writeFileSync(join(worker.project_path, 'go'), '');
  expect(await server.wait([worker])).toMatchObject({ all_idle: true });
  expect(await server.lastWords(worker)).toMatch(/^Noted: Background command/);
});

it('a worker whose subagent runs is not idle, and is once its result is read', async () => {
  await server.message(worker, 'AGENT HOLD agent\nSAY started');
  expect(await server.wait([worker], { timeout: 1 })).toMatchObject({ timed_out: true });
  stand.release('agent');
  expect(await server.wait([worker])).toMatchObject({ all_idle: true });
  expect(await server.lastWords(worker)).toMatch(/^Noted: Agent/);
});

it('an API error ends the turn as an error, in its words', async () => {
  await server.message(worker, 'FAIL 400');
  expect(await server.wait([worker])).toMatchObject({ all_idle: true });
  const seen = await server.look(worker.session_id);
  expect(seen).toMatchObject({ turn: { ended_by: 'error' }, last_error: 'API Error: 400 scripted 400' });
});

it('an error that is tried again does not end the turn', async () => {
  const sent = await server.message(worker, 'FAIL 529 2\nSAY in the end', { wait_mode: 'all', timeout: 20 });
  expect(sent).toMatchObject({ turn: { ended_by: 'completed' } });
  expect(await server.lastWords(worker)).toBe('in the end');
});

it('a usage limit is something to wait for, not an end', async () => {
  await server.message(worker, 'LIMIT');
  const seen = await server.until(worker.session_id, 'waiting');
  expect(seen).toMatchObject({ waiting_for: 'limit' });
  await server.message(worker, 'SAY back', { wait_mode: 'all', timeout: 20 });
  expect(await server.look(worker.session_id)).toMatchObject({ status: 'idle' });
});

it('a cleared conversation goes on in a new file, which is followed', async () => {
  const before = await server.look(worker.session_id);
  expect(await server.message(worker, '/clear', { as_command: true })).toMatchObject({ verdict: 'submitted' });
  const sent = await server.message(worker, 'SAY afresh', { wait_mode: 'all', timeout: 20 });
  expect(sent).toMatchObject({ verdict: 'submitted', turn: { ended_by: 'completed' } });
  const after = await server.look(worker.session_id);
  expect(after.transcript_path).not.toBe(before.transcript_path);
  expect(await server.lastWords(worker)).toBe('afresh');
});

it('a worker that crashes is dead with its exit code, and comes back with its conversation', async () => {
  await server.message(worker, 'SAY remember me', { wait_mode: 'all', timeout: 20 });
  await server.message(worker, 'CRASH 7');
  const dead = await server.until(worker.session_id, 'dead');
  expect(dead.evidence).toMatchObject({ source: 'pane', detail: expect.stringContaining('7') });
});
