// Who else answers a real Claude Code: a person at the pane, a successor of a killed server, nobody.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { eventually } from '../../support/sandbox.ts';
import { answer, answerTo, eventsOf, type Need, needOf, workerDir } from '../asking.ts';
import { cast, crew } from '../company.ts';
import type { Worker } from '../crew.ts';
import { pressUntil } from '../person.ts';

const isMade = (of: Worker, name: string) => existsSync(join(of.project_path, name));
const isAnswered = (screen: string) => !screen.includes('Do you want to proceed');
const about = z.looseObject({ request_id: z.string().optional() });
const answersTold = async (of: Worker, { request_id }: Need, since: number) => {
  const events = await eventsOf(crew, of, since);
  const answers = events.filter(({ type }) => type === 'worker_answered').map(({ data }) => about.parse(data));
  return answers.filter((one) => one.request_id === request_id);
};

/** How many hooks wait for this worker. */
const waitingHooks = (of: Worker): number =>
  execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(`crewmux.mjs hook --dir ${workerDir(crew, of)}`)).length;

test.concurrent('a person who answers first wins, and whoever answers later is told', async () => {
  const since = Date.now();
  const worker = await cast.enter({ prompt: 'BASH touch by-hand\nHOLD person\nSAY made' });
  const need = await needOf(crew, worker);
  await eventually('the dialog is drawn', () => crew.screen(worker).includes('Do you want to proceed'));
  expect(waitingHooks(worker)).toBe(1);
  await pressUntil(crew, worker, { key: '1', seen: isAnswered });
  await crew.until(worker.session_id, 'working');
  await eventually('the request is closed', () => answerTo(crew, worker, need.request_id ?? ''));
  await expect(answer(crew, need, { decision: 'deny' })).rejects.toThrow('was answered by a person at the pane');
  expect(await answersTold(worker, need, since)).toMatchObject([
    { request_id: need.request_id, by: 'pane', decision: 'allow' },
  ]);
  await eventually('no hook waits any more', () => waitingHooks(worker) === 0);
  crew.home.model.release('person');
  await crew.idle(worker);
  expect(isMade(worker, 'by-hand')).toBe(true);
  cast.rests(worker);
});

test.concurrent('a person who refuses first wins as well', async () => {
  const since = Date.now();
  const worker = await cast.enter({ prompt: 'BASH touch refused\nSAY made' });
  const need = await needOf(crew, worker);
  await eventually('the dialog is drawn', () => crew.screen(worker).includes('Do you want to proceed'));
  crew.ended(worker);
  await pressUntil(crew, worker, { key: 'Escape', seen: isAnswered });
  await crew.until(worker.session_id, 'idle');
  await expect(answer(crew, need)).rejects.toThrow('was answered by a person at the pane');
  expect(await answersTold(worker, need, since)).toMatchObject([
    { request_id: need.request_id, by: 'pane', decision: 'deny' },
  ]);
  await eventually('no hook waits any more', () => waitingHooks(worker) === 0);
  cast.rests(worker);
});

test.concurrent('of two managers who answer at once one wins, and the other is told', async () => {
  const worker = await cast.enter({ prompt: 'BASH touch raced\nSAY made' });
  const need = await needOf(crew, worker);
  const outcomes = await Promise.allSettled([
    answer(crew, need),
    answer(crew, need, { decision: 'deny', message: 'No.' }),
  ]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(answerTo(crew, worker, need.request_id ?? '')).toMatchObject({ by: 'manager' });
  await crew.idle(worker);
  const allowed = outcomes[0].status === 'fulfilled';
  expect(isMade(worker, 'raced')).toBe(allowed);
  cast.rests(worker);
});

test.concurrent('a hook whose agent is killed ends, and its request is nobody’s', async () => {
  const worker = await cast.enter({ prompt: 'BASH touch orphan\nSAY made' });
  const need = await needOf(crew, worker);
  const pane = worker.terminal_id?.slice(5) ?? '';
  process.kill(Number(crew.home.sandbox.tmux('display-message', '-p', '-t', pane, '#{pane_pid}')), 'SIGKILL');
  await crew.until(worker.session_id, 'dead');
  await eventually('no hook waits any more', () => waitingHooks(worker) === 0);
  expect(await eventually('the request is closed', () => answerTo(crew, worker, need.request_id ?? ''))).toMatchObject({
    by: 'none',
    decision: 'let-go',
  });
});

test('a request outlives the server, and its successor answers it', async () => {
  const worker = await cast.enter({ prompt: 'BASH touch survived\nSAY made' });
  const before = await needOf(crew, worker);
  await crew.replaceServer();
  const need = await needOf(crew, worker);
  expect(need.request_id).toBe(before.request_id);
  expect(await answer(crew, need)).toMatchObject({ success: true, via: 'hook' });
  await crew.idle(worker);
  expect(isMade(worker, 'survived')).toBe(true);
  expect(crew.falseIdles(worker)).toEqual([]);
  cast.rests(worker);
});

test('where our program is missing the dialog stands, and is answered by its label', async () => {
  const worker = await crew.one({});
  const settings = join(workerDir(crew, worker), 'launches/1/settings.json');
  expect(readFileSync(settings, 'utf8')).toContain('crewmux.mjs');
  const bundle = crew.program;
  renameSync(bundle, `${bundle}.gone`);
  try {
    await crew.message(worker, 'BASH touch unhooked\nSAY made');
    const need = await needOf(crew, worker);
    expect(need.request_id).toBeUndefined();
    expect(need).toMatchObject({ waiting_for: 'permission', tool: { input: { command: 'touch unhooked' } } });
  } finally {
    renameSync(`${bundle}.gone`, bundle);
  }
  const drawn = await eventually('the dialog is read', async () => {
    const need = await needOf(crew, worker);
    return need.options?.length === 3 && need;
  });
  expect(await answer(crew, drawn, { decision: 'allow', option: undefined })).toMatchObject({
    success: true,
    via: 'screen',
  });
  await crew.idle(worker);
  expect(isMade(worker, 'unhooked')).toBe(true);
});
