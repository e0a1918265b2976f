// What workers ask reaches the manager with the call that answers, however many ask and whoever restarts.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import type { attention } from '../../src/wire/attention.ts';
import { event } from '../../src/wire/events.ts';
import { list } from '../../src/wire/parts.ts';
import { spawnOutput } from '../../src/wire/starting.ts';
import type { Fields } from '../support/mcp.ts';
import { eventually } from '../support/sandbox.ts';
import { openStand, type Server, type Stand, type Worker } from './crew.ts';

type Need = z.infer<typeof attention>;

let stand: Stand;
let server: Server;
beforeAll(async () => {
  stand = openStand();
  server = await stand.serve();
});
afterAll(() => stand.dispose());

const asking = { skip_permissions: false, permission_mode: 'manual', use_worktree: false };
const answered = z.looseObject({ success: z.boolean(), via: z.string(), status: z.string() });
const answer = (by: Server, need: Need, fields: Fields = {}) =>
  by.call('answer_worker', answered, {
    session_id: need.session_id,
    ...(need.request_id === undefined ? {} : { request_id: need.request_id }),
    decision: 'allow',
    ...fields,
  });
const isMade = (of: Worker, name: string) => existsSync(join(of.project_path, name));

async function needsOf(by: Server, workers: readonly Worker[]): Promise<readonly Need[]> {
  return (await by.wait(workers, { on_attention: 'any' })).attention;
}

it('a permission ends a wait with the exact call that answers, and the answer lets the worker go on', async () => {
  const worker = await server.one({ ...asking, prompt: 'BASH touch made\nSAY made it' });
  const [need] = await needsOf(server, [worker]);
  if (need === undefined) throw new Error('nothing is asked');
  expect(need).toMatchObject({ waiting_for: 'permission', tool: { name: 'Bash', input: { command: 'touch made' } } });
  expect(need.title).toBe(`${worker.name} wants to run: touch made`);
  const [call = '', denial = ''] = need.answer_with.map((one) => one.replace('answer_worker ', ''));
  expect(JSON.parse(denial)).toMatchObject({ request_id: need.request_id, decision: 'deny' });
  const args = z.record(z.string(), z.unknown()).parse(JSON.parse(call));
  expect(await server.call('answer_worker', answered, args)).toMatchObject({ success: true, via: 'hook' });
  expect(await server.wait([worker])).toMatchObject({ all_idle: true });
  expect(isMade(worker, 'made')).toBe(true);
  await expect(answer(server, need)).rejects.toThrow('was answered by a manager ("allow")');
  await expect(answer(server, { ...need, request_id: '00000000' })).rejects.toThrow('has no request "00000000"');
  await server.close(worker, true);
});

it('the log tells what was asked and who answered it', async () => {
  const changes = z.looseObject({ events: list(event), cursor: z.string() });
  const { cursor } = await server.call('poll_worker_changes', changes);
  const worker = await server.one({ ...asking, prompt: 'BASH touch told\nSAY told' });
  const [need] = await needsOf(server, [worker]);
  if (need === undefined) throw new Error('nothing is asked');
  await answer(server, need, { decision: 'deny', message: 'No.' });
  await server.wait([worker]);
  const events = await server.events({ cursor });
  const told = events.filter(({ type }) => type === 'worker_waiting' || type === 'worker_answered');
  expect(told.map(({ type, data }) => ({ type, ...data }))).toMatchObject([
    { type: 'worker_waiting', waiting_for: 'permission', request_id: need.request_id, tool: 'Bash' },
    { type: 'worker_answered', request_id: need.request_id, by: 'manager', decision: 'deny' },
  ]);
  await server.close(worker, true);
});

it('a request outlives the server; of two successors one answers it and the other is told', async () => {
  const first = await stand.serve();
  const worker = await first.one({ ...asking, prompt: 'BASH touch survived\nSAY made' });
  const [before] = await needsOf(first, [worker]);
  process.kill(first.connection.pid, 'SIGKILL');
  const [one, other] = [await stand.serve(), await stand.serve()];
  const [need] = await needsOf(one, [worker]);
  if (need === undefined) throw new Error('nothing is asked');
  expect(need.request_id).toBe(before?.request_id);
  const outcomes = await Promise.allSettled([answer(one, need), answer(other, need)]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  await eventually('it is made', () => isMade(worker, 'survived'));
});

it.each(['session', 'worker'])('what is remembered for the %s is not asked again', async (remember) => {
  const worker = await server.one({ ...asking, prompt: `BASH mkdir ${remember}\nSAY once` });
  const [need] = await needsOf(server, [worker]);
  if (need === undefined) throw new Error('nothing is asked');
  const given = await answer(server, need, { remember });
  const words = need.suggestions?.find((line) => line.startsWith(`${remember}: `)) ?? '';
  expect(words).toContain('only this very call of Bash');
  expect(given).toMatchObject({ success: true, remembered: words.slice(`${remember}: `.length) });
  await server.wait([worker]);
  await server.message(worker, `BASH mkdir ${remember}\nSAY twice`);
  expect(await server.wait([worker])).toMatchObject({ all_idle: true, attention: [] });
  await server.message(worker, 'BASH mkdir other\nSAY thrice');
  expect((await needsOf(server, [worker]))[0]).toMatchObject({ tool: { input: { command: 'mkdir other' } } });
  await server.close(worker, true);
});

it('accepted edits end the questions about edits until the worker restarts, and its record says so', async () => {
  const worker = await server.one({ ...asking, prompt: 'WRITE one.txt x\nSAY once' });
  const [need] = await needsOf(server, [worker]);
  if (need === undefined) throw new Error('nothing is asked');
  expect(need.suggestions?.at(-1)).toMatch(/^edits: file edits .* are accepted until \S+ restarts$/);
  await expect(answer(server, need, { decision: 'deny', remember: 'edits' })).rejects.toThrow('"edits" is not offered');
  expect(await answer(server, need, { remember: 'edits' })).toMatchObject({
    success: true,
    remembered: need.suggestions?.at(-1)?.slice('edits: '.length),
  });
  const modeOf = async () => (await server.look(worker.session_id)).permission_mode;
  expect(await modeOf()).toBe('acceptEdits');
  await server.wait([worker]);
  await server.message(worker, 'WRITE two.txt x\nSAY twice');
  expect(await server.wait([worker])).toMatchObject({ all_idle: true, attention: [] });
  expect([isMade(worker, 'two.txt'), await modeOf()]).toEqual([true, 'acceptEdits']);
  await server.close(worker);
  await server.call('restart_workers', spawnOutput, { session_ids: [worker.session_id] });
  expect(await modeOf()).toBe('manual');
  await server.message(worker, 'WRITE three.txt x\nSAY thrice');
  expect((await needsOf(server, [worker]))[0]).toMatchObject({ tool: { name: 'Write' } });
  await server.close(worker, true);
});
