// What a real Claude Code asks reaches the manager, and what the manager answers reaches Claude Code.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { answer, holds, needOf, resultsOf } from '../asking.ts';
import { cast, crew } from '../company.ts';
import type { Worker } from '../crew.ts';

const isMade = (of: Worker, name: string) => existsSync(join(of.project_path, name));

describe.concurrent('a worker', () => {
  test('whose permission is allowed by the manager goes on', async () => {
    const worker = await cast.enter({ prompt: 'BASH touch made\nSAY made it' });
    const need = await needOf(crew, worker);
    expect(need).toMatchObject({ waiting_for: 'permission', tool: { name: 'Bash', input: { command: 'touch made' } } });
    expect(need.title).toBe(`${worker.name} wants to run: touch made`);
    expect(need.suggestions?.map((line) => line.split(':')[0])).toEqual(['session', 'worker', 'edits']);
    expect(readFileSync(need.tool?.path ?? '', 'utf8')).toContain('touch made');
    expect(await answer(crew, need)).toMatchObject({ success: true, via: 'hook', decision: 'allow' });
    await crew.idle(worker);
    expect(isMade(worker, 'made')).toBe(true);
    expect(crew.falseIdles(worker)).toEqual([]);
    cast.rests(worker);
  });

  test('whose permission is denied hears why and goes on', async () => {
    const worker = await cast.enter({ prompt: 'BASH touch never\nSAY well then' });
    const denied = await answer(crew, await needOf(crew, worker), { decision: 'deny', message: 'Write a test first.' });
    expect(denied).toMatchObject({ success: true });
    expect((await crew.idle(worker)).turn?.ended_by).toBe('completed');
    expect(isMade(worker, 'never')).toBe(false);
    expect(resultsOf(crew, worker)).toContain('Write a test first.');
    expect(crew.falseIdles(worker)).toEqual([]);
    cast.rests(worker);
  });

  test('whose command is changed by the manager runs the changed one', async () => {
    const worker = await cast.enter({ prompt: 'BASH touch asked-for\nSAY done' });
    const input = { command: 'touch changed', description: 'Run scripted command' };
    expect(await answer(crew, await needOf(crew, worker), { input })).toMatchObject({ success: true });
    await crew.idle(worker);
    expect([isMade(worker, 'asked-for'), isMade(worker, 'changed')]).toEqual([false, true]);
    cast.rests(worker);
  });

  test('whose question is answered by a label goes on with it', async () => {
    const worker = await cast.enter({ prompt: 'ASK Which colour?|Red|Blue {x}\nSAY painted' });
    const need = await needOf(crew, worker);
    expect(need).toMatchObject({ waiting_for: 'question', options: ['Red', 'Blue {x}'] });
    await holds(crew, worker, /Which colour\?/);
    await expect(answer(crew, need, { option: 'Green' })).rejects.toThrow('none of the choices');
    expect(await answer(crew, need, { option: 'blue {X}' })).toMatchObject({ success: true });
    await crew.idle(worker);
    expect(resultsOf(crew, worker)).toContain('"Which colour?"="Blue {x}"');
    cast.rests(worker);
  });

  test('whose question is answered in the manager’s own words goes on with them', async () => {
    const worker = await cast.enter({ prompt: 'ASK Which colour?|Red|Blue\nSAY painted' });
    const own = { decision: 'text', option: undefined, message: 'Neither: leave it grey.' };
    expect(await answer(crew, await needOf(crew, worker), own)).toMatchObject({ success: true });
    await crew.idle(worker);
    expect(resultsOf(crew, worker)).toContain('Neither: leave it grey.');
    cast.rests(worker);
  });

  test('whose question is denied hears why and goes on', async () => {
    const worker = await cast.enter({ prompt: 'ASK Which colour?|Red|Blue\nSAY decided' });
    const no = { decision: 'deny', option: undefined, message: 'Decide yourself.' };
    expect(await answer(crew, await needOf(crew, worker), no)).toMatchObject({ success: true });
    expect((await crew.idle(worker)).turn?.ended_by).toBe('completed');
    expect(resultsOf(crew, worker)).toContain('Decide yourself.');
    cast.rests(worker);
  });

  test('whose plan is sent back plans again, and works once it is approved', async () => {
    const worker = await crew.one({ permission_mode: 'plan', prompt: 'PLAN # First\nPLAN # Second\nSAY working' });
    const first = await needOf(crew, worker);
    expect(first).toMatchObject({ waiting_for: 'plan_approval' });
    await holds(crew, worker, /plan/i);
    const back = { decision: 'deny', message: 'Say how it is tested.' };
    expect(await answer(crew, first, back)).toMatchObject({ success: true });
    const second = await needOf(crew, worker);
    expect(second.request_id).not.toBe(first.request_id);
    expect(resultsOf(crew, worker)).toContain('Say how it is tested.');
    expect(await answer(crew, second)).toMatchObject({ success: true });
    await crew.idle(worker);
    expect(resultsOf(crew, worker)).toContain('approved');
  });
});
