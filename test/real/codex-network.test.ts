// A Codex that cannot reach its model, or is refused by it, says so while it tries and when it gives up.
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { eventually } from '../support/sandbox.ts';
import { makeCodexHome } from './codex-home.ts';
import { openRealCrew, type RealCrew, type Worker } from './crew.ts';

const changes = z.object({ events: z.array(z.object({ type: z.string(), worker_id: z.string(), data: z.unknown() })) });

let crew: RealCrew;
beforeAll(async () => {
  crew = await openRealCrew(makeCodexHome);
});
afterAll(() => crew.dispose());

const troublesOf = async ({ session_id }: Worker) => {
  const { events } = await crew.call('poll_worker_changes', changes, {});
  const mine = events.filter((event) => event.worker_id === session_id && event.type === 'worker_trouble');
  return mine.map((event) => z.object({ detail: z.string().nullable() }).parse(event.data).detail);
};
const look = (of: Worker) => crew.look(of.session_id);

test('a worker without a network is working, says why it does not go on, and goes on once there is one', async () => {
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
  expect(await troublesOf(worker)).toEqual([expect.stringContaining('waiting for network'), null]);
  expect(crew.falseIdles(worker)).toEqual([]);
});

describe.concurrent('a worker whose model answers with', () => {
  test.each([
    ['FAIL 400', 'scripted 400'],
    ['FAIL 401', '401'],
    ['FAIL 429', '429'],
    ['FAIL 500', 'high demand'],
    ['CUT', 'disconnected'],
  ])('%s ends its turn with an error in the words of Codex, and takes the next message', async (prompt, words) => {
    const worker = await crew.one({ agent_type: 'codex', prompt });
    const after = await crew.idle(worker);
    expect(after).toMatchObject({ turn: { ended_by: 'error' } });
    expect(after.last_error).toContain(words);
    expect(await crew.message(worker, 'SAY well', { wait_mode: 'all' })).toMatchObject({ verdict: 'submitted' });
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
