// A Codex that cannot reach its model, or is refused by it, says so while it tries and when it gives up.
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { eventually } from '../../support/sandbox.ts';
import { eventsOf } from '../asking.ts';
import { cast, crew } from '../company.ts';
import type { Worker } from '../crew.ts';

const troublesOf = async (of: Worker, since: number) => {
  const mine = (await eventsOf(crew, of, since)).filter(({ type }) => type === 'worker_trouble');
  return mine.map((event) => z.object({ detail: z.string().nullable() }).parse(event.data).detail);
};
const look = (of: Worker) => crew.look(of.session_id);

describe.concurrent('a worker whose model answers with', () => {
  test.each([
    ['FAIL 400', 'scripted 400'],
    ['FAIL 401', '401'],
    ['FAIL 429', '429'],
    ['FAIL 500', 'high demand'],
    ['CUT', 'disconnected'],
  ])('%s ends its turn with an error in the words of Codex, and takes the next message', async (prompt, words) => {
    const worker = await cast.enter({ agent_type: 'codex', prompt });
    const after = await crew.idle(worker);
    expect(after).toMatchObject({ turn: { ended_by: 'error' } });
    expect(after.last_error).toContain(words);
    expect(await crew.message(worker, 'SAY well', { wait_mode: 'all' })).toMatchObject({ verdict: 'submitted' });
    // Nobody but a turn that goes on is cut off twice, says the judge of idleness.
    if (prompt !== 'CUT') cast.rests(worker);
  });

  test('a failure that a retry mends shows the retry and ends well', async () => {
    const worker = await crew.one({ agent_type: 'codex', prompt: 'CUT 2\nSAY mended' });
    await crew.idle(worker);
    const after = await look(worker);
    expect(after).toMatchObject({ turn: { ended_by: 'completed' } });
    expect(after.last_error).toBeUndefined();
    expect(crew.falseIdles(worker)).toEqual([]);
  });
});

test('a worker without a network is working, says why it does not go on, and goes on once there is one', async () => {
  const since = Date.now();
  const worker = await crew.one({ agent_type: 'codex', prompt: 'SAY before' });
  await crew.idle(worker);
  await crew.home.model.offline();
  onTestFinished(() => crew.home.model.online());
  expect(await crew.message(worker, 'SAY at last')).toMatchObject({ verdict: 'submitted' });
  const cut = await eventually('it says so', async () => {
    const seen = await look(worker);
    return seen.last_error?.includes('waiting for network') && seen;
  });
  expect(cut).toMatchObject({ status: 'working', evidence: { source: 'screen' } });
  expect(cut.evidence.detail).toMatch(/^Reconnecting\.\.\. waiting for network/);
  expect(await crew.message(worker, 'SAY and then')).toMatchObject({ verdict: 'queued' });
  expect((await look(worker)).evidence.detail).toMatch(/^Reconnecting/);
  await crew.home.model.online();
  const after = await crew.idle(worker);
  expect(after).toMatchObject({ turn: { ended_by: 'completed' }, pending_messages: 0 });
  expect(after.last_error).toBeUndefined();
  expect(await troublesOf(worker, since)).toEqual([expect.stringContaining('waiting for network'), null]);
  expect(crew.falseIdles(worker)).toEqual([]);
});
