// Bounds on turns and dollars: what is told, held, granted and failed, with an answer of the model for 0.30 USD.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { answerOutput, attention } from '../../src/wire/attention.ts';
import { list } from '../../src/wire/parts.ts';
import { eventually } from '../support/sandbox.ts';
import type { Worker } from './crew.ts';
import { type JobServer, type JobStand, openJobStand } from './job-stand.ts';

const status = z.looseObject({ attention: list(attention) });
const prices = { '*': { input: 100, cache_write: 0, cache_read: 0, output: 0 } };

let stand: JobStand;
let server: JobServer;
beforeAll(async () => {
  stand = openJobStand({ prices, limits: { max_cost_usd: 2.4 } });
  server = await stand.serveJobs();
});
afterAll(() => stand.dispose());

const spent = async (worker: Worker, text: string) => {
  await server.message(worker, `SAY ${text}`, { wait_mode: 'all', timeout: 60 });
};
const needs = async () => (await server.call('crew_status', status)).attention;
const limitEvents = async () =>
  (await server.events()).flatMap(({ type, data }) =>
    type === 'limit' ? `${data.kind} ${data.level} ${data.limit}` : [],
  );

it('holds what would begin a turn at a bound, and goes on after one grant, also over a killed server', async () => {
  const ada = await server.one({ name: 'ada', use_worktree: false, max_turns: 2, max_cost_usd: 0.35 });
  await spent(ada, 'one');
  await eventually('80 % of the dollars are told', async () => (await limitEvents()).includes('cost notice 0.35'));
  expect(await server.message(ada, 'SAY two', { wait_mode: 'all', timeout: 60 })).toMatchObject({
    verdict: 'submitted',
  });
  const held = await server.message(ada, 'SAY three');
  expect(held).toMatchObject({ success: false, verdict: 'held', reason: 'over_limit' });
  expect(await server.look(ada.session_id)).toMatchObject({ status: 'idle', limit: { kind: 'turns' } });
  const [need] = await needs();
  expect(need).toMatchObject({ waiting_for: 'limit', request_id: 'limit-turns-0', limit: { kind: 'turns' } });
  expect(held.hint).toContain(need?.answer_with[0]);
  await eventually('both are told', async () => (await limitEvents()).length === 3);

  process.kill(server.connection.pid, 'SIGKILL');
  server = await stand.serveJobs();
  await server.make(need?.answer_with[0]);
  const [, args = '{}'] = need?.answer_with[0]?.split('answer_worker ') ?? [];
  expect(await server.refusal('answer_worker', JSON.parse(args))).toContain('already_answered');
  expect(await server.message(ada, 'SAY three', { keep: true })).toMatchObject({
    verdict: 'kept',
    reason: 'over_limit',
  });
  expect(await needs()).toMatchObject([{ request_id: 'limit-cost-0', limit: { kind: 'cost' } }]);
  const order = { session_id: ada.session_id, request_id: 'limit-cost-0', decision: 'allow' };
  expect(await server.call('answer_worker', answerOutput, order)).toMatchObject({ success: true });
  await eventually('the kept one is typed', async () => (await server.prompts(ada)).at(-1) === 'SAY three');
  await server.wait([ada], { on_attention: 'ignore' });
  const told = await limitEvents();
  expect(new Set(told).size).toBe(told.length);
  await server.close(ada, true);
});

it('fails a task at its dollars, and one that needs another prompt than its turns allow', async () => {
  const talk = { brings: 'report' };
  const dear = await server.submit({
    ...talk,
    title: 'Dear',
    prompt: 'SAY one\nBASH true\nHOLD never',
    max_cost_usd: 0.2,
  });
  const short = await server.submit({ title: 'Short', prompt: 'FAIL', max_turns: 1, max_retries: 3 });
  await server.awaited({ task_ids: [dear.task_id, short.task_id] });
  expect(await server.task(dear.task_id)).toMatchObject({
    state: 'failed',
    reason: expect.stringContaining('max_cost_usd is 0.2'),
  });
  expect(await server.task(short.task_id)).toMatchObject({
    state: 'failed',
    reason: expect.stringContaining('max_turns of 1'),
  });
});

it('holds the turns of a whole project for the day, first prompts too, until the day is granted again', async () => {
  const bea = await server.one({ name: 'bea', use_worktree: false });
  for (let at = 0; at < 8; at += 1) await server.message(bea, `SAY ${at}`, { wait_mode: 'all', timeout: 60 });
  expect(await server.message(bea, 'SAY late')).toMatchObject({ verdict: 'held', reason: 'over_limit' });
  const cleo = await server.one({ name: 'cleo', use_worktree: false, prompt: 'SAY first' });
  expect(await server.look(cleo.session_id)).toMatchObject({ pending_messages: 1, limit: { kind: 'cost' } });
  expect((await server.look(cleo.session_id)).limit?.resets_at).toBeDefined();
  const [need, ...others] = (await needs()).filter(({ waiting_for }) => waiting_for === 'limit');
  expect(others).toEqual([]);
  await server.make(need?.answer_with[0]);
  await eventually('the first prompt is typed', async () => (await server.prompts(cleo)).includes('SAY first'));
  expect(await server.message(bea, 'SAY late', { wait_mode: 'all', timeout: 60 })).toMatchObject({
    verdict: 'submitted',
  });
});
