// What a real Codex asks reaches the manager, and what the manager answers reaches Codex.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { messageOf } from '../../../src/model/errors.ts';
import { eventually } from '../../support/sandbox.ts';
import { answer, answerTo, needOf, resultsOf } from '../asking.ts';
import { cast, crew } from '../company.ts';
import type { Worker } from '../crew.ts';
import { attachPerson } from '../person.ts';

const isMade = (of: Worker, name: string) => existsSync(join(of.project_path, name));

const untilGo = 'until [ -e inbox-go ]; do sleep 0.1; done; touch made';

describe.concurrent('a Codex worker', () => {
  test('whose permission is allowed by the manager goes on, and is working at once', async () => {
    const worker = await cast.enter({ agent_type: 'codex', prompt: `ESCALATE ${untilGo}\nSAY made it` });
    const need = await needOf(crew, worker);
    expect(need).toMatchObject({ waiting_for: 'permission', tool: { input: { command: untilGo } } });
    await eventually('the screen says who is asked', () => crew.screen(worker).includes('Asking the manager')).catch(
      (error: unknown) => {
        throw new Error(`${messageOf(error)}\n${crew.screen(worker)}`);
      },
    );
    expect(await answer(crew, need)).toMatchObject({ success: true, via: 'hook', status: 'working' });
    expect(isMade(worker, 'made')).toBe(false);
    writeFileSync(join(worker.project_path, 'inbox-go'), '');
    await crew.idle(worker);
    expect(isMade(worker, 'made')).toBe(true);
    expect(crew.falseIdles(worker)).toEqual([]);
    cast.rests(worker);
  });

  test('whose permission is denied hears why and goes on', async () => {
    const worker = await cast.enter({ agent_type: 'codex', prompt: 'ESCALATE touch never\nSAY well then' });
    const denied = await answer(crew, await needOf(crew, worker), { decision: 'deny', message: 'Write a test first.' });
    expect(denied).toMatchObject({ success: true });
    expect((await crew.idle(worker)).turn?.ended_by).toBe('completed');
    expect(isMade(worker, 'never')).toBe(false);
    expect(resultsOf(crew, worker)).toContain('Write a test first.');
    cast.rests(worker);
  });

  test('is not given another input', async () => {
    const worker = await cast.enter({ agent_type: 'codex', prompt: 'ESCALATE touch same\nSAY ok' });
    const need = await needOf(crew, worker);
    await expect(answer(crew, need, { input: { command: 'ls' } })).rejects.toThrow('cannot be given another input');
    expect(await answer(crew, need)).toMatchObject({ success: true });
    await crew.idle(worker);
    expect(isMade(worker, 'same')).toBe(true);
    cast.rests(worker);
  });

  test('that is interrupted while it asks is idle, and its request is nobody’s', async () => {
    const worker = await cast.enter({ agent_type: 'codex', prompt: 'ESCALATE touch no\nSAY no' });
    const need = await needOf(crew, worker);
    crew.keys(worker, 'Escape');
    crew.ended(worker);
    await crew.until(worker.session_id, 'idle');
    await eventually('the request is closed', () => answerTo(crew, worker, need.request_id ?? ''));
    await expect(answer(crew, need)).rejects.toThrow('was answered by a person at the pane');
  });

  test('asks by its own dialog while a person looks, and is answered there by its label', async ({
    onTestFinished,
  }) => {
    const { repo, spareName } = crew.home;
    const project_path = repo(spareName());
    const worker = await crew.one({ agent_type: 'codex', project_path, prompt: 'ESCALATE touch by-label\nSAY made' });
    const person = await attachPerson(crew, worker);
    onTestFinished(() => person.leave());
    const need = await eventually('the dialog is handed over', async () => {
      const seen = await needOf(crew, worker);
      return crew.screen(worker).includes('Would you like to run') && seen.options?.length === 3 && seen;
    });
    expect(isMade(worker, 'by-label')).toBe(false);
    expect(await answer(crew, need)).toMatchObject({ success: true, via: 'screen' });
    await crew.idle(worker);
    expect(isMade(worker, 'by-label')).toBe(true);
    expect(crew.falseIdles(worker)).toEqual([]);
  });
});
