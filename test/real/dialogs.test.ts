// A worker that needs someone says so, ends a wait, and is not typed at.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/sandbox.ts';
import { openRealCrew, type RealCrew, type Worker } from './crew.ts';

let crew: RealCrew;
beforeAll(async () => {
  crew = await openRealCrew();
});
afterAll(() => crew.dispose());

const heard = (of: Worker, text: string) =>
  crew.home.model.requests.some((r) => r.cwd === of.project_path && r.texts.some((t) => t.includes(text)));

/** Checks the rules of every dialog: a wait ends with it, and a message is held and not typed. */
async function standsAt(worker: Worker, waitingFor: string, words: RegExp): Promise<void> {
  const ended = await crew.wait([worker.session_id]);
  expect(ended).toMatchObject({ all_idle: false, timed_out: false });
  const told = ended.attention.map((need) => [need.session_id, need.waiting_for]);
  expect(told, JSON.stringify(ended.attention)).toEqual([[worker.session_id, waitingFor]]);
  expect(await crew.look(worker.session_id)).toMatchObject({ status: 'waiting', waiting_for: waitingFor });
  await eventually('the dialog is on the screen', () => words.test(crew.screen(worker)));
  expect(await crew.message(worker, 'SAY not now')).toMatchObject({ success: false, verdict: 'held' });
  expect(crew.screen(worker)).toMatch(words);
  expect(crew.screen(worker)).not.toContain('not now');
}

describe.concurrent('a worker', () => {
  test('that asks for permission is waiting; an answer at the pane lets it go on', async () => {
    const worker = await crew.one({ prompt: 'BASH touch made-by-hand\nHOLD allowed\nSAY made' });
    await standsAt(worker, 'permission', /Do you want to proceed/);
    expect(existsSync(join(worker.project_path, 'made-by-hand'))).toBe(false);
    crew.keys(worker, '1');
    await crew.until(worker.session_id, 'working');
    crew.home.model.release('allowed');
    await crew.idle(worker);
    expect(existsSync(join(worker.project_path, 'made-by-hand'))).toBe(true);
    expect(heard(worker, 'not now')).toBe(false);
    expect(crew.falseIdles(worker)).toEqual([]);
  });

  test('whose permission is refused with Escape is idle, its turn interrupted', async () => {
    const worker = await crew.one({ prompt: 'BASH touch never-made\nSAY made' });
    await crew.until(worker.session_id, 'waiting');
    await eventually('the dialog is drawn', () => crew.screen(worker).includes('Do you want to proceed'));
    crew.keys(worker, 'Escape');
    crew.ended(worker);
    expect(await crew.until(worker.session_id, 'idle')).toMatchObject({ turn: { ended_by: 'interrupted' } });
    expect(existsSync(join(worker.project_path, 'never-made'))).toBe(false);
    expect(await crew.message(worker, 'SAY go on', { wait_mode: 'all' })).toMatchObject({ verdict: 'submitted' });
    expect(crew.falseIdles(worker)).toEqual([]);
  });

  test('that asks a question is waiting for an answer', async () => {
    const worker = await crew.one({ prompt: 'ASK Which colour?|Red|Blue\nSAY thanks' });
    await standsAt(worker, 'question', /Which colour\?/);
    crew.keys(worker, 'Enter');
    await crew.until(worker.session_id, 'idle');
    expect(crew.falseIdles(worker)).toEqual([]);
  });

  test('that has a plan is waiting for its approval', async () => {
    const worker = await crew.one({ prompt: 'PLAN # The plan\\n1. do it\nSAY planned', permission_mode: 'plan' });
    await standsAt(worker, 'plan_approval', /plan/i);
    crew.keys(worker, 'Escape');
    crew.ended(worker);
    await crew.until(worker.session_id, 'idle');
  });

  test('in a folder nobody trusts says so at once; its prompt goes on after a person has said yes', async () => {
    const untrusted = crew.home.sandbox.repo('untrusted');
    const made = await crew.spawn({ project_path: untrusted, prompt: 'SAY trusted now' });
    const [worker] = made.sessions;
    if (worker === undefined) throw new Error(JSON.stringify(made.failed));
    expect(worker).toMatchObject({ status: 'waiting', waiting_for: 'trust' });
    await standsAt(worker, 'trust', /trust this folder/);
    crew.keys(worker, 'Down');
    await eventually('Yes is chosen', () => /❯.*Yes/.test(crew.screen(worker)));
    crew.keys(worker, 'Enter');
    await crew.home.model.waitFor(
      'the prompt',
      (r) => r.cwd === worker.project_path && r.prompt === 'SAY trusted now',
      20_000,
    );
    await crew.idle(worker);
    expect(heard(worker, 'not now')).toBe(false);
  });
});
