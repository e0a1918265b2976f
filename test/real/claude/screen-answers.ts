// Dialogs that no hook tells of, answered by their labels on the screen of a real Claude Code.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { eventually } from '../../support/sandbox.ts';
import { answer, holds, needOf, needSuch, patient, resultsOf } from '../asking.ts';
import { cast, crew } from '../company.ts';
import type { Worker } from '../crew.ts';
import { endHook } from '../end-hook.ts';
import { pressUntil } from '../person.ts';

const answered = z.looseObject({ success: z.boolean() });
const choose = (worker: Worker, option: string) =>
  patient(() => crew.call('answer_worker', answered, { session_id: worker.session_id, decision: 'choose', option }));

async function untrusted(name: string): Promise<Worker> {
  const { sessions, failed } = await crew.spawn({ project_path: crew.home.sandbox.repo(name), prompt: 'SAY hello' });
  if (sessions[0] === undefined) throw new Error(JSON.stringify(failed));
  return sessions[0];
}

const pane = (at: Worker) => (at.terminal_id ?? '').replace(/^tmux:/, '');

describe.concurrent('a worker', () => {
  test('in a folder nobody trusts goes on when the manager makes the call that attention gives', async () => {
    const worker = await untrusted('trusted-by-manager');
    const need = await needOf(crew, worker);
    expect(need).toMatchObject({ waiting_for: 'trust', options: ['No, exit', 'Yes, I trust this folder'] });
    await holds(crew, worker, /trust this folder/);
    const result = await answer(crew, need);
    expect(result).toMatchObject({ success: true, via: 'screen', option: 'Yes, I trust this folder' });
    await crew.idle(worker);
    expect(crew.home.model.requests.some((r) => r.cwd === worker.project_path && r.prompt === 'SAY hello')).toBe(true);
  });

  test('at a dialog is not answered with a label that is not there', async () => {
    const worker = await untrusted('no-such-label');
    await needOf(crew, worker);
    await expect(choose(worker, 'Maybe')).rejects.toThrow(/has no choice .*Yes, I trust this folder/s);
    expect(await crew.look(worker.session_id)).toMatchObject({ waiting_for: 'trust' });
    expect(crew.screen(worker)).toMatch(/❯ No, exit/);
    expect(await choose(worker, 'no')).toMatchObject({ success: true, option: 'No, exit' });
    await crew.until(worker.session_id, 'dead');
  });

  test('whose hook has died is answered on its screen, up and down', async () => {
    const worker = await cast.enter({ prompt: 'BASH touch by-label\nSAY made' });
    await needOf(crew, worker);
    await eventually('the dialog is drawn', () => /❯ 1\. Yes/.test(crew.screen(worker)));
    await pressUntil(crew, worker, { key: 'Down', seen: (screen) => /❯ \d\. No/.test(screen) });
    endHook(crew, worker);
    const need = await needSuch(crew, worker, (seen) => seen.request_id === undefined && seen.options !== undefined);
    expect(need.options?.[0]).toBe('Yes');
    expect(await choose(worker, 'Yes')).toMatchObject({ success: true, option: 'Yes', via: 'screen' });
    await crew.idle(worker);
    expect(existsSync(join(worker.project_path, 'by-label'))).toBe(true);
    cast.rests(worker);
  });

  test('whose hook has died has its question answered by a text that is typed where it belongs', async () => {
    const worker = await cast.enter({ prompt: 'ASK Which colour?|Red|Blue\nSAY thanks' });
    await needOf(crew, worker);
    endHook(crew, worker);
    await needSuch(crew, worker, (seen) => seen.options?.includes('Type something.') === true);
    const args = { session_id: worker.session_id, decision: 'text', message: 'deep green; not 1' };
    expect(await patient(() => crew.call('answer_worker', answered, args))).toMatchObject({
      success: true,
      option: 'deep green; not 1',
    });
    await crew.idle(worker);
    expect(resultsOf(crew, worker)).toContain('deep green; not 1');
    cast.rests(worker);
  });

  test('whose hook has died has its plan approved by its label', async () => {
    const worker = await cast.enter({ prompt: 'PLAN # The plan\\n1. do it\nSAY planned', permission_mode: 'plan' });
    await needOf(crew, worker);
    endHook(crew, worker);
    const need = await needSuch(crew, worker, (seen) => seen.request_id === undefined && seen.options !== undefined);
    expect(need).toMatchObject({ waiting_for: 'plan_approval' });
    expect(await answer(crew, need)).toMatchObject({ success: true, option: expect.stringMatching(/^Yes/) });
    await crew.idle(worker);
  });

  test('with a menu that nobody knows is waiting at a dialog, and chooses in it what the manager names', async () => {
    const worker = await crew.one({});
    expect(await crew.message(worker, '/model', { as_command: true })).toMatchObject({ verdict: 'submitted' });
    const need = await needSuch(crew, worker, (seen) => seen.options !== undefined);
    expect(need).toMatchObject({ waiting_for: 'dialog' });
    expect(need.detail).toContain('Select model');
    expect(await choose(worker, 'Sonnet')).toMatchObject({ success: true, option: expect.stringContaining('Sonnet') });
    await crew.until(worker.session_id, 'idle');
    expect(crew.screen(worker)).toMatch(/Set model to .*Sonnet/);
  });

  test('at whose dialog a person moves the cursor is never answered with another label than the wanted one', async () => {
    const worker = await crew.one({});
    await crew.message(worker, '/model', { as_command: true });
    // The cursor stands at the model of the moment, which a test before may have chosen.
    await eventually('the menu is drawn', () => /❯ \d+\./.test(crew.screen(worker)));
    let stopped = false;
    const person = (async () => {
      while (!stopped) {
        crew.home.sandbox.tmux('send-keys', '-t', pane(worker), 'Up');
        await new Promise((resolve) => setTimeout(resolve, 40));
      }
    })();
    const outcome = await choose(worker, 'Haiku').catch(String);
    stopped = true;
    await person;
    const screen = crew.screen(worker);
    if (typeof outcome === 'string')
      expect(outcome).toMatch(/somebody else moves it|does not follow|other dialog|cannot be read|went away|No dialog/);
    else expect(screen).toMatch(/Haiku/);
    expect(screen).not.toMatch(/Set model to (?!.*Haiku)/);
  });
});
