// How a turn can go and end, and that nobody calls a worker idle before it has.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/sandbox.ts';
import { openRealCrew, type RealCrew, type Worker } from './crew.ts';

let crew: RealCrew;
beforeAll(async () => {
  crew = await openRealCrew();
});
const latencies: number[] = [];
afterAll(async () => {
  const sorted = latencies.toSorted((x, y) => x - y);
  console.log(`last byte of the answer -> wait_idle_workers, ms: ${sorted.map((ms) => ms.toFixed(0)).join(' ')}`);
  await crew.dispose();
});

const asked = (of: Worker, what: string) =>
  crew.home.model.waitFor(what, (r) => r.kind === 'turn' && r.cwd === of.project_path && r.prompt.includes(what));

/** Waits from before the end of the turn, ends it by releasing `hold`, and notes how long the answer took. */
async function waitThrough(worker: Worker, hold: string): Promise<Worker> {
  const waiting = crew.wait([worker.session_id]);
  const request = await asked(worker, `HOLD ${hold}`);
  expect((await crew.look(worker.session_id)).status).toBe('working');
  crew.home.model.release(hold);
  expect(await waiting).toMatchObject({ all_idle: true, timed_out: false, attention: [] });
  latencies.push(performance.now() - (request.end?.at ?? Number.NaN));
  return crew.look(worker.session_id);
}

describe.concurrent('a worker', () => {
  test('is working while the model answers and idle after it', async () => {
    const worker = await crew.one({ prompt: 'HOLD plain\nSAY done' });
    const after = await waitThrough(worker, 'plain');
    expect(after).toMatchObject({ status: 'idle', is_idle: true, turn: { ended_by: 'completed' } });
    for (const round of [1, 2, 3]) {
      expect(await crew.message(worker, `HOLD round${round}\nSAY done`)).toMatchObject({ verdict: 'submitted' });
      await waitThrough(worker, `round${round}`);
    }
    expect(crew.falseIdles(worker)).toEqual([]);
  });

  test('is working through a chain of tool calls', async () => {
    const prompt = 'SAY first\nBASH sleep 0.4; echo one\nSAY second\nBASH sleep 0.4; echo two\nSAY third';
    const worker = await crew.one({ prompt, skip_permissions: true });
    await crew.idle(worker);
    const turns = crew.home.model.requests.filter((r) => r.cwd === worker.project_path && r.kind === 'turn');
    expect(turns.map((r) => r.end?.how)).toEqual(['tool_use', 'tool_use', 'end_turn']);
    expect(crew.falseIdles(worker)).toEqual([]);
  });

  test('that is interrupted in the middle of its answer becomes idle, and hears the next message', async () => {
    const worker = await crew.one({ prompt: 'SAY some words\nHOLD never-mid' });
    await asked(worker, 'never-mid');
    expect(await crew.interrupt(worker)).toBe('interrupted');
    expect(await crew.look(worker.session_id)).toMatchObject({ status: 'idle', turn: { ended_by: 'interrupted' } });
    expect(await crew.message(worker, 'SAY next', { wait_mode: 'all' })).toMatchObject({ verdict: 'submitted' });
    expect((await asked(worker, 'SAY next')).prompt).toBe('SAY next');
    expect(crew.falseIdles(worker)).toEqual([]);
  });

  test('that is interrupted before the first byte becomes idle, and its next message is not mixed with the old one', async () => {
    const worker = await crew.one({ prompt: 'HANG here' });
    await asked(worker, 'HANG here');
    expect(await crew.interrupt(worker)).toBe('interrupted');
    expect(await crew.until(worker.session_id, 'idle')).toMatchObject({ turn: { ended_by: 'interrupted' } });
    expect(await crew.message(worker, 'SAY fresh', { wait_mode: 'all' })).toMatchObject({ verdict: 'submitted' });
    expect((await asked(worker, 'SAY fresh')).prompt).toBe('SAY fresh');
    expect(crew.falseIdles(worker)).toEqual([]);
  });

  test.each([
    ['refused by the API', 'FAIL 400'],
    ['broken by an error in the stream', 'STREAMFAIL'],
  ])('whose turn is %s ends with an error and says so', async (_, directive) => {
    const worker = await crew.one({ prompt: directive });
    const after = await crew.idle(worker);
    expect(after).toMatchObject({ status: 'idle', turn: { ended_by: 'error' } });
    expect(after.last_error).toMatch(/API Error/);
    expect(await crew.message(worker, 'SAY well again', { wait_mode: 'all' })).toMatchObject({
      verdict: 'submitted',
      turn: { ended_by: 'completed' },
    });
    expect(crew.falseIdles(worker)).toEqual([]);
  });

  test('takes messages while it works, each once and in order, and is idle only after them', async () => {
    const worker = await crew.one({ prompt: 'HOLD queue\nSAY first' });
    await asked(worker, 'HOLD queue');
    expect(await crew.message(worker, 'Message one.\nSAY second')).toMatchObject({ verdict: 'queued' });
    expect(await crew.message(worker, 'Message two.\nSLEEP 1')).toMatchObject({ verdict: 'queued' });
    const waiting = crew.wait([worker.session_id]);
    crew.home.model.release('queue');
    expect(await waiting).toMatchObject({ all_idle: true });
    const last = crew.home.model.requests.filter((r) => r.cwd === worker.project_path && r.kind === 'turn').at(-1);
    const heard = last?.texts.join('\n') ?? '';
    expect(heard.split('Message one.')).toHaveLength(2);
    expect(heard.split('Message two.')).toHaveLength(2);
    expect(heard.indexOf('Message one.')).toBeLessThan(heard.indexOf('Message two.'));
    expect(last?.end?.how).toBe('end_turn');
    expect(crew.falseIdles(worker)).toEqual([]);
  });

  test('takes a message at the next tool boundary, and a wait in the same call waits for its answer', async () => {
    const worker = await crew.one({ prompt: 'HOLD boundary\nBASH sleep 0.3\nSAY end', skip_permissions: true });
    await asked(worker, 'HOLD boundary');
    const told = crew.message(worker, 'Also this.\nHOLD absorbed', { wait_mode: 'all', timeout: 30 });
    await eventually('the message is queued', () => crew.screen(worker).includes('Also this.'));
    crew.home.model.release('boundary');
    await asked(worker, 'Also this.');
    crew.home.model.release('absorbed');
    expect(await told).toMatchObject({ verdict: 'queued', success: true });
    expect(crew.falseIdles(worker)).toEqual([]);
  });

  test('that is killed is dead, and a wait for it ends with that', async () => {
    const worker = await crew.one({ prompt: 'HOLD never-killed' });
    await asked(worker, 'never-killed');
    const waiting = crew.wait([worker.session_id]);
    const pid = crew.home.sandbox.tmux(
      'display-message',
      '-p',
      '-t',
      worker.terminal_id?.slice(5) ?? '',
      '#{pane_pid}',
    );
    process.kill(Number(pid), 'SIGKILL');
    const ended = await waiting;
    expect(ended.all_idle).toBe(false);
    expect(ended.attention).toMatchObject([{ session_id: worker.session_id, waiting_for: 'dead' }]);
    expect(await crew.look(worker.session_id)).toMatchObject({ status: 'dead', is_idle: false });
  });
});
