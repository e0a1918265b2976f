// What is sent to Codex is what its model is asked, byte for byte: at once, in the turn that runs, or after it.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { eventually } from '../../support/sandbox.ts';
import { cast, crew } from '../company.ts';
import type { Worker } from '../crew.ts';

const lines = (count: number) => Array.from({ length: count }, (_, i) => `Line ${i} of "many" lines`).join('\n');
const busy = async (hold: string): Promise<Worker> => {
  const worker = await cast.enter({ agent_type: 'codex', prompt: `HOLD ${hold}\nSAY released` });
  await crew.home.model.waitFor(hold, (r) => r.cwd === worker.project_path && r.prompt.includes(hold));
  return worker;
};

const untilGo = 'touch delivery-runs; until [ -e delivery-go ]; do sleep 0.1; done';

describe.concurrent('to Codex', () => {
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
    expect(cast.turns(worker).map((r) => r.prompt.slice(0, 10))).toEqual(['HOLD codex', 'SAY Line 0', '!SAY third']);
    expect(cast.turns(worker)[0]?.end?.how).toBe('end_turn');
    expect(crew.falseIdles(worker)).toEqual([]);
    cast.rests(worker);
  });

  test('a steering message joins the turn that runs, at once', async () => {
    const worker = await busy('codex-steer');
    expect(await crew.message(worker, 'SAY steered', { delivery: 'steer' })).toMatchObject({ verdict: 'submitted' });
    expect(await crew.idle(worker)).toMatchObject({ turn: { ended_by: 'completed' } });
    const asked = cast.turns(worker);
    expect(asked.at(-1)?.texts.slice(-2)).toEqual(['HOLD codex-steer\nSAY released', 'SAY steered']);
    expect(asked[0]?.end?.how).toBe('closed');
    expect(crew.falseIdles(worker)).toEqual([]);
    cast.rests(worker);
  });

  test('a message that a running tool holds up says that it is queued', async () => {
    const worker = await cast.enter({ agent_type: 'codex', prompt: `BASH ${untilGo}\nSAY after the tool` });
    const file = (name: string) => join(worker.project_path, name);
    await eventually('the tool runs', () => existsSync(file('delivery-runs')));
    expect(await crew.message(worker, 'SAY besides', { delivery: 'steer' })).toMatchObject({ verdict: 'queued' });
    writeFileSync(file('delivery-go'), '');
    await crew.idle(worker);
    expect(cast.turns(worker).at(-1)?.prompt).toBe('SAY besides');
    expect(crew.falseIdles(worker)).toEqual([]);
    cast.rests(worker);
  });

  test('an interrupting message ends the turn and what was queued, and begins its own', async () => {
    const worker = await busy('codex-interrupt');
    expect(await crew.message(worker, 'SAY dropped')).toMatchObject({ verdict: 'queued' });
    const outcome = await crew.message(worker, 'SAY instead', {
      delivery: 'interrupt',
      wait_mode: 'all',
      timeout: 120,
    });
    expect(outcome).toMatchObject({ verdict: 'submitted', turn: { ended_by: 'completed' } });
    expect(cast.turns(worker).map((r) => r.prompt.split('\n')[0])).toEqual(['HOLD codex-interrupt', 'SAY instead']);
    cast.rests(worker);
  });
});
