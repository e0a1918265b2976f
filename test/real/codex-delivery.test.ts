// What is sent to Codex is what its model is asked, byte for byte: at once, in the turn that runs, or after it.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/sandbox.ts';
import { makeCodexHome } from './codex-home.ts';
import { openRealCrew, type RealCrew, type Worker } from './crew.ts';

let crew: RealCrew;
beforeAll(async () => {
  crew = await openRealCrew(makeCodexHome);
});
afterAll(() => crew.dispose());

const lines = (count: number) => Array.from({ length: count }, (_, i) => `Line ${i} of "many" lines`).join('\n');
const requestsOf = (of: Worker) =>
  crew.home.model.requests.filter((r) => r.kind === 'turn' && r.cwd === of.project_path);
const busy = async (hold: string): Promise<Worker> => {
  const worker = await crew.one({ agent_type: 'codex', prompt: `HOLD ${hold}\nSAY released` });
  await crew.home.model.waitFor(hold, (r) => r.cwd === worker.project_path && r.prompt.includes(hold));
  return worker;
};

const untilGo = 'touch runs; until [ -e go ]; do sleep 0.1; done';

describe.concurrent('to Codex', { timeout: 180_000 }, () => {
  test('a queued message has a turn of its own, after the running one', async () => {
    const worker = await busy('codex-queue');
    expect(await crew.message(worker, `SAY ${lines(6)}`)).toMatchObject({
      verdict: 'queued',
      evidence: { source: 'screen' },
    });
    expect(await crew.message(worker, '!SAY third')).toMatchObject({ verdict: 'queued' });
    const waiting = crew.wait([worker.session_id]);
    crew.home.model.release('codex-queue');
    expect(await waiting).toMatchObject({ all_idle: true });
    expect(requestsOf(worker).map((r) => r.prompt.slice(0, 10))).toEqual(['HOLD codex', 'SAY Line 0', '!SAY third']);
    expect(requestsOf(worker)[0]?.end?.how).toBe('end_turn');
    expect(crew.falseIdles(worker)).toEqual([]);
  });

  test('a steering message joins the turn that runs, at once', async () => {
    const worker = await busy('codex-steer');
    expect(await crew.message(worker, 'SAY steered', { delivery: 'steer' })).toMatchObject({ verdict: 'submitted' });
    expect(await crew.idle(worker)).toMatchObject({ turn: { ended_by: 'completed' } });
    const asked = requestsOf(worker);
    expect(asked.at(-1)?.texts).toEqual(['HOLD codex-steer\nSAY released', 'SAY steered']);
    expect(asked[0]?.end?.how).toBe('closed');
    expect(crew.falseIdles(worker)).toEqual([]);
  });

  test('a message that a running tool holds up says that it is queued', async () => {
    const worker = await crew.one({ agent_type: 'codex', prompt: `BASH ${untilGo}\nSAY after the tool` });
    const file = (name: string) => join(worker.project_path, name);
    await eventually('the tool runs', () => existsSync(file('runs')));
    expect(await crew.message(worker, 'SAY besides', { delivery: 'steer' })).toMatchObject({ verdict: 'queued' });
    writeFileSync(file('go'), '');
    await crew.idle(worker);
    expect(requestsOf(worker).at(-1)?.prompt).toBe('SAY besides');
    expect(crew.falseIdles(worker)).toEqual([]);
  });

  test('an interrupting message ends the turn and what was queued, and begins its own', async () => {
    const worker = await busy('codex-interrupt');
    expect(await crew.message(worker, 'SAY dropped')).toMatchObject({ verdict: 'queued' });
    const outcome = await crew.message(worker, 'SAY instead', { delivery: 'interrupt', wait_mode: 'all', timeout: 30 });
    expect(outcome).toMatchObject({ verdict: 'submitted', turn: { ended_by: 'completed' } });
    expect(requestsOf(worker).map((r) => r.prompt.split('\n')[0])).toEqual(['HOLD codex-interrupt', 'SAY instead']);
  });

  test('nothing is typed where a person is typing', async () => {
    const worker = await crew.one({ agent_type: 'codex' });
    crew.keys(worker, '-l', 'half a thought');
    await eventually('the draft is drawn', () => crew.screen(worker).includes('half a thought'));
    expect(await crew.message(worker, 'SAY hello')).toMatchObject({ success: false, verdict: 'held' });
    expect(await crew.message(worker, 'SAY hello', { delivery: 'steer' })).toMatchObject({ verdict: 'held' });
    crew.keys(worker, 'C-u');
    await eventually('the draft is gone', () => !crew.screen(worker).includes('half a thought'));
    expect(await crew.message(worker, 'SAY hello', { wait_mode: 'all' })).toMatchObject({ verdict: 'submitted' });
  });
});
