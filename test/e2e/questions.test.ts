// Workers ask their manager with their own tool.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { attention } from '../../src/wire/attention.ts';
import { list } from '../../src/wire/parts.ts';
import { restartOutput } from '../../src/wire/starting.ts';
import { isAlive } from '../support/mcp.ts';
import { eventually } from '../support/sandbox.ts';
import { openStand, paneOf, type Server, type Stand, type Worker } from './crew.ts';

let stand: Stand;
let server: Server;
beforeAll(async () => {
  stand = openStand();
  server = await stand.serve();
});
afterAll(() => stand.dispose());

const busy = (until: string) => ({ use_worktree: false, prompt: `HOLD ${until}\nSAY done` });
const status = z.object({ attention: list(attention) });
const answered = z.object({ success: z.boolean(), via: z.string(), hint: z.string().optional() });

const needs = async (of: Worker) =>
  (await server.call('crew_status', status)).attention.filter(({ session_id }) => session_id === of.session_id);
const need = (of: Worker) => eventually('the question is shown', async () => (await needs(of))[0]);
const answer = (of: Worker, made: object, from = server) =>
  from.call('answer_worker', answered, { session_id: of.session_id, ...made });

it('a question makes its worker wait, ends the wait for it, and is answered into the call', async () => {
  const ada = await server.one(busy('chosen'));
  const tools = await stand.toolsOf(ada);
  const waited = server.wait([ada]);
  const reply = tools.call('ask_manager', { question: 'Cents or euros?', options: ['Cents', 'Euros'] });
  const [shown] = (await waited).attention;
  expect(shown).toMatchObject({
    waiting_for: 'question',
    title: `${ada.name} asks: Cents or euros?`,
    options: ['Cents', 'Euros'],
  });
  const { request_id: requestId } = shown ?? {};
  expect(shown?.answer_with).toEqual(
    ['Cents', 'Euros'].map(
      (option) =>
        `answer_worker {"session_id":"${ada.session_id}","request_id":"${requestId}","decision":"choose","option":"${option}"}`,
    ),
  );
  expect(await server.look(ada.session_id)).toMatchObject({
    status: 'waiting',
    waiting_for: 'question',
    evidence: { source: 'us', detail: 'asks its manager: Cents or euros?' },
  });
  expect(await server.message(ada, 'hello')).toMatchObject({
    verdict: 'held',
    hint: expect.stringContaining('answer_worker'),
  });
  expect(await answer(ada, { request_id: requestId, decision: 'choose', option: 'cents' })).toMatchObject({
    success: true,
    via: 'worker_tool',
  });
  expect(await reply).toMatchObject({ answered: true, answer: 'Cents', answered_by: 'manager' });
  await server.until(ada.session_id, 'working');
  expect(await needs(ada)).toEqual([]);
  await expect(answer(ada, { request_id: requestId, decision: 'text', message: 'x' })).rejects.toMatchObject({
    code: 'already_answered',
  });
  const told = (await server.events()).filter(({ data }) => data.request_id === requestId);
  expect(told.map(({ type }) => type)).toEqual(['worker_waiting', 'worker_answered']);
  stand.release('chosen');
  expect(await server.wait([ada])).toMatchObject({ all_idle: true });
  expect(await server.prompts(ada)).toHaveLength(1);
});

it('an answer that comes after the wait arrives as a message, once', async () => {
  const ada = await server.one({ use_worktree: false, prompt: 'SAY ready' });
  await server.wait([ada]);
  const tools = await stand.toolsOf(ada);
  const asked = await tools.call('ask_manager', { question: 'Which port?', wait_seconds: 0 });
  expect(asked).toMatchObject({ answered: false, next: expect.stringContaining('will come as a message') });
  expect(await server.look(ada.session_id)).toMatchObject({ status: 'idle' });
  expect((await need(ada)).detail).toContain('delivered as a message');
  expect(await answer(ada, { decision: 'text', message: 'SAY port 8080' })).toMatchObject({ success: true });
  const late = await eventually('the answer is there', async () => (await server.prompts(ada))[1]);
  expect(late).toBe(`crewmux: the answer to your question ${String(asked.request_id)} ("Which port?"):\nSAY port 8080`);
  await server.wait([ada]);
  expect(await server.lastWords(ada)).toBe('port 8080');
  expect(await needs(ada)).toEqual([]);
});

it('a question outlives its agent, and its answer is typed once that is back', async () => {
  const ada = await server.one({ use_worktree: false, prompt: 'SAY ready' });
  await server.wait([ada]);
  const tools = await stand.toolsOf(ada);
  await tools.call('ask_manager', { question: 'Which colour?', wait_seconds: 0 });
  const { request_id } = await need(ada);
  stand.sandbox.tmux('kill-pane', '-t', paneOf(ada));
  await server.until(ada.session_id, 'dead');
  await server.call('restart_workers', restartOutput, { session_ids: [ada.session_id] });
  expect(await need(ada)).toMatchObject({ request_id });
  expect(await answer(ada, { decision: 'text', message: 'SAY red' })).toMatchObject({ success: true });
  await eventually('the answer is there', async () => (await server.lastWords(ada)) === 'red');
  expect(await needs(ada)).toEqual([]);
});

it('a question outlives its server, and the successor answers it into the call that still waits', async () => {
  const ada = await server.one(busy('outlived'));
  const tools = await stand.toolsOf(ada);
  const reply = tools.call('ask_manager', { question: 'Still there?' });
  const { request_id } = await need(ada);
  process.kill(server.connection.pid, 'SIGKILL');
  await eventually('the server is gone', () => !isAlive(server.connection.pid));
  server = await stand.serve();
  expect(await server.look(ada.session_id)).toMatchObject({ status: 'waiting', waiting_for: 'question' });
  expect(await need(ada)).toMatchObject({ request_id });
  await answer(ada, { decision: 'text', message: 'Yes.' });
  expect(await reply).toMatchObject({ answered: true, answer: 'Yes.' });
});

it('a tool that was killed while it waited leaves the question, and the answer comes as a message', async () => {
  const ada = await server.one(busy('killed'));
  const tools = await stand.toolsOf(ada);
  const reply = tools.call('ask_manager', { question: 'Still there?' }).catch(() => 'gone');
  await need(ada);
  process.kill(tools.pid, 'SIGKILL');
  expect(await reply).toBe('gone');
  stand.release('killed');
  await server.until(ada.session_id, 'idle');
  expect(await answer(ada, { decision: 'deny', message: 'Find out.' })).toMatchObject({ success: true });
  const late = await eventually('the answer is there', async () => (await server.prompts(ada))[1]);
  expect(late).toContain('Your manager turned the question down: Find out.');
});

it('a call that its agent ends takes its question back', async () => {
  const ada = await server.one(busy('ended'));
  const tools = await stand.toolsOf(ada);
  const stop = new AbortController();
  const reply = tools.call('ask_manager', { question: 'Never mind?' }, { signal: stop.signal }).catch(() => 'ended');
  const { request_id } = await need(ada);
  stop.abort();
  expect(await reply).toBe('ended');
  await server.until(ada.session_id, 'working');
  expect(await needs(ada)).toEqual([]);
  await expect(answer(ada, { request_id, decision: 'text', message: 'x' })).rejects.toMatchObject({
    code: 'already_answered',
  });
});

it('several questions are told apart, counted, and of two answers the first counts', async () => {
  const ada = await server.one(busy('several'));
  const tools = await stand.toolsOf(ada);
  const ask = (question: string) => tools.call('ask_manager', { question, wait_seconds: 120 });
  const replies = [ask('One?'), ask('Two?'), ask('Three?')];
  const shown = await eventually('all are shown', async () => {
    const all = await needs(ada);
    return all.length === 3 && all;
  });
  await expect(ask('Four?')).rejects.toMatchObject({ code: 'limit_reached' });
  await expect(answer(ada, { decision: 'text', message: 'x' })).rejects.toThrow('asks 3 things at once');
  const two = shown.find(({ title }) => title.endsWith('Two?'));
  const other = await stand.serve();
  const both = await Promise.allSettled(
    [server, other].map((from, i) =>
      answer(ada, { request_id: two?.request_id, decision: 'text', message: `${i}` }, from),
    ),
  );
  const [won] = both.flatMap(({ status: end }, i) => (end === 'fulfilled' ? [i] : []));
  expect(both.map(({ status: end }) => end).sort()).toEqual(['fulfilled', 'rejected']);
  expect(await replies[1]).toMatchObject({ answered: true, answer: `${won}` });
  for (const { request_id } of await needs(ada)) await answer(ada, { request_id, decision: 'text', message: 'ok' });
  expect(await Promise.all(replies)).toMatchObject([{ answer: 'ok' }, {}, { answer: 'ok' }]);
});

it('an agent that ends its tools while one waits leaves no question behind', async () => {
  const ada = await server.one(busy('left'));
  const tools = await stand.toolsOf(ada);
  const reply = tools.call('ask_manager', { question: 'Leaving?' }).catch(() => 'ended');
  await need(ada);
  await tools.close();
  expect(await reply).toBe('ended');
  await eventually('nobody is asked', async () => (await needs(ada)).length === 0);
});
