// What agents behind the conversation of a real Claude Code ask: no dialog is drawn while our hook has it.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { eventually } from '../../support/sandbox.ts';
import { answer, needOf } from '../asking.ts';
import { cast, crew } from '../company.ts';
import type { Worker } from '../crew.ts';
import { attachPerson } from '../person.ts';

const isMade = (of: Worker, name: string) => existsSync(join(of.project_path, name));

test.concurrent('two requests at once are both told, and each is answered by its id', async () => {
  const worker = await cast.enter({
    prompt: 'AGENT BASH touch first\\nSAY one\nAGENT BASH touch second\\nSAY two\nSAY both sent',
  });
  const needs = await eventually('both are asked', async () => {
    const { attention } = await crew.wait([worker.session_id], { on_attention: 'any', timeout: 0.1 });
    return attention.length === 2 && attention;
  });
  const commandOf = ({ tool }: (typeof needs)[number]) =>
    z.looseObject({ command: z.string() }).parse(tool?.input).command;
  const [first, second] = needs.toSorted((a, b) => commandOf(a).localeCompare(commandOf(b)));
  if (first === undefined || second === undefined) throw new Error('not asked');
  expect([commandOf(first), commandOf(second)]).toEqual(['touch first', 'touch second']);
  const denied = await answer(crew, second, { decision: 'deny', message: 'Not the second.' });
  expect(denied).toMatchObject({ success: true, via: 'hook', status: 'waiting' });
  expect(await answer(crew, first)).toMatchObject({ success: true, via: 'hook' });
  await crew.idle(worker);
  expect([isMade(worker, 'first'), isMade(worker, 'second')]).toEqual([true, false]);
  expect(crew.falseIdles(worker)).toEqual([]);
  cast.rests(worker);
});

test.concurrent('a request outlives the turn before it, and the worker waits though its agent calls itself idle', async () => {
  const worker = await cast.enter({ prompt: 'AGENT BASH touch later\\nSAY one\nSAY sent' });
  const need = await needOf(crew, worker);
  await eventually('the turn is over', () => /Waiting for 1 background agent/.test(crew.screen(worker)));
  const still = await needOf(crew, worker);
  expect(still.request_id).toBe(need.request_id);
  expect(await crew.look(worker.session_id)).toMatchObject({ status: 'waiting', waiting_for: 'permission' });
  expect(await answer(crew, still)).toMatchObject({ success: true, via: 'hook' });
  await crew.idle(worker);
  expect(isMade(worker, 'later')).toBe(true);
  cast.rests(worker);
});

test.concurrent('a person who looks is shown the dialog, and the manager answers it by its label', async () => {
  const { repo, spareName } = crew.home;
  const project_path = repo(spareName());
  const worker = await crew.one({ project_path, prompt: 'AGENT BASH touch shown\\nSAY one\nSAY sent' });
  await needOf(crew, worker);
  const person = await attachPerson(crew, worker);
  const need = await eventually('the dialog is drawn and read', async () => {
    const seen = await needOf(crew, worker);
    return crew.screen(worker).includes('Do you want to proceed') && seen.options?.length === 3 && seen;
  });
  expect(await answer(crew, need)).toMatchObject({ success: true, via: 'screen' });
  person.leave();
  await crew.idle(worker);
  expect(isMade(worker, 'shown')).toBe(true);
});
