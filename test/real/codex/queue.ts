// Codex's own queue: a message gets there where nothing can be typed, and none of those that wait vanishes in silence.
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { eventually } from '../../support/sandbox.ts';
import { eventsOf } from '../asking.ts';
import { cast, crew } from '../company.ts';
import type { Worker } from '../crew.ts';
import { pressUntil } from '../person.ts';

const interrupted = z.object({
  results: z.record(
    z.string(),
    z.object({
      outcome: z.string(),
      detail: z.string(),
      returned: z.array(z.string()).optional(),
      message: z.object({ verdict: z.string() }).optional(),
    }),
  ),
});
const anything = z.looseObject({});

const prompts = (of: Worker) => cast.turns(of).map((r) => r.prompt);
const asked = (of: Worker, words: string) =>
  crew.home.model.waitFor(words, (r) => r.cwd === of.project_path && r.prompt.includes(words));
const begun = async (): Promise<Worker> => {
  const worker = await cast.enter({ agent_type: 'codex', prompt: 'SAY begun' });
  return crew.idle(worker);
};
const draft = async (of: Worker, text: string) => {
  crew.keys(of, '-l', text);
  await eventually('the draft is drawn', () => crew.screen(of).includes(`› ${text}`));
};
/** Whoever has the worker next finds its box empty. */
const rests = async (of: Worker) => {
  crew.keys(of, 'C-u');
  await eventually('the box is empty', () => !crew.screen(of).includes('› half a thought'));
  cast.rests(of);
};
const held = async (of: Worker, hold: string) => {
  expect(await crew.message(of, `HOLD ${hold}`)).toMatchObject({ verdict: 'submitted' });
  await asked(of, hold);
};
const byOwnQueue = { success: true, verdict: 'queued', evidence: { source: 'agent' } };

describe.concurrent('a message to a Codex', () => {
  test('with a person’s draft in its box has its turn, exactly, and the draft stays', async () => {
    const worker = await begun();
    await draft(worker, 'half a thought');
    const text = '/status of "it"\n\n!and `that`\n\ttabbed 世界';
    expect(await crew.message(worker, text)).toMatchObject(byOwnQueue);
    expect(await crew.idle(worker)).toMatchObject({ pending_messages: 0, turn: { ended_by: 'completed' } });
    expect(prompts(worker)).toEqual(['SAY begun', text]);
    expect(crew.screen(worker)).toContain('› half a thought');
    expect(crew.falseIdles(worker)).toEqual([]);
    await rests(worker);
  });

  test('that works while a person is typing has its turn after the running one', async () => {
    const worker = await begun();
    await held(worker, 'queue-draft');
    await draft(worker, 'half a thought');
    expect(await crew.message(worker, 'SAY after it')).toMatchObject(byOwnQueue);
    crew.home.model.release('queue-draft');
    await crew.idle(worker);
    expect(prompts(worker)).toEqual(['SAY begun', 'HOLD queue-draft', 'SAY after it']);
    expect(crew.falseIdles(worker)).toEqual([]);
    await rests(worker);
  });

  test('of 100 KB is exact, and two that say the same are two', async () => {
    const worker = await begun();
    await draft(worker, 'half a thought');
    const long = 'All work and no play, ünd so weiter.\n'.repeat(2_600).trim();
    expect(await crew.message(worker, long)).toMatchObject(byOwnQueue);
    expect(await crew.message(worker, 'SAY same')).toMatchObject(byOwnQueue);
    expect(await crew.message(worker, 'SAY same')).toMatchObject(byOwnQueue);
    await crew.wait([worker.session_id], { timeout: 120 });
    expect(prompts(worker).map((prompt) => prompt.length)).toEqual([9, long.length, 8, 8]);
    expect(prompts(worker)[1]).toBe(long);
    expect(crew.falseIdles(worker)).toEqual([]);
  });

  test('that asks for permission has its turn once it is answered', async () => {
    const worker = await begun();
    expect(await crew.message(worker, 'ESCALATE touch made-q\nSAY made')).toMatchObject({ verdict: 'submitted' });
    await crew.until(worker.session_id, 'waiting');
    expect(await crew.message(worker, 'SAY after the answer')).toMatchObject(byOwnQueue);
    expect(await crew.look(worker.session_id)).toMatchObject({ status: 'waiting', pending_messages: 1 });
    await crew.call('answer_worker', anything, { session_id: worker.session_id, decision: 'allow' });
    await asked(worker, 'after the answer');
    await crew.until(worker.session_id, 'idle');
    expect(prompts(worker).at(-1)).toBe('SAY after the answer');
    cast.rests(worker);
  });

  test('in which a person has opened a panel has its turn, and the panel is left alone', async () => {
    const worker = await begun();
    crew.keys(worker, '-l', '/model');
    await eventually('the command is drawn', () => crew.screen(worker).includes('› /model'));
    crew.keys(worker, 'Enter');
    await crew.until(worker.session_id, 'waiting');
    expect(await crew.message(worker, 'SAY beside the panel')).toMatchObject(byOwnQueue);
    await pressUntil(crew, worker, { key: 'Escape', seen: (screen) => !screen.includes('Select Model') });
    await asked(worker, 'beside the panel');
    await crew.until(worker.session_id, 'idle');
    expect(prompts(worker)).toEqual(['SAY begun', 'SAY beside the panel']);
  });

  test('that lies in its own queue when the turn is interrupted waits for a later turn, and that is said', async () => {
    const worker = await begun();
    await held(worker, 'queue-paused');
    await draft(worker, 'half a thought');
    expect(await crew.message(worker, 'SAY much later')).toMatchObject(byOwnQueue);
    expect(await crew.interrupt(worker)).toBe('interrupted');
    const paused = await crew.until(worker.session_id, 'idle');
    expect(paused).toMatchObject({ pending_messages: 1, turn: { ended_by: 'interrupted' } });
    expect(paused.evidence.detail).toContain("1 message in the agent's own queue waits");
    expect(await crew.message(worker, 'SAY no')).toMatchObject({ verdict: 'held' });
    crew.keys(worker, 'C-u');
    await eventually('the box is empty', () => !crew.screen(worker).includes('half a thought'));
    expect(await crew.message(worker, 'SAY now', { wait_mode: 'all' })).toMatchObject({ verdict: 'submitted' });
    await crew.until(worker.session_id, 'idle');
    await asked(worker, 'much later');
    expect(await crew.until(worker.session_id, 'idle')).toMatchObject({ pending_messages: 0 });
    cast.rests(worker);
  });

  test('that waited for the end of a turn comes back when that is interrupted, and is named', async () => {
    const since = Date.now();
    const worker = await begun();
    await held(worker, 'queue-returned');
    expect(await crew.message(worker, 'SAY first of two')).toMatchObject({ verdict: 'queued' });
    expect(await crew.message(worker, 'SAY second of two')).toMatchObject({ verdict: 'queued' });
    const session_ids = [worker.session_id];
    const asking = { session_ids, then_message: 'SAY instead' };
    const { results } = await crew.call('interrupt_workers', interrupted, asking);
    expect(results[worker.session_id]).toMatchObject({
      outcome: 'interrupted',
      returned: ['SAY first of two', 'SAY second of two'],
      message: { verdict: 'submitted' },
    });
    crew.ended(worker);
    expect(await crew.until(worker.session_id, 'idle')).toMatchObject({ pending_messages: 0 });
    expect(prompts(worker).at(-1)).toBe('SAY instead');
    const mine = await eventsOf(crew, worker, since);
    expect(mine.map((event) => event.type)).toContain('message_returned');
    cast.rests(worker);
  });
});
