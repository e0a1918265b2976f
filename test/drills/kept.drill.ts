// Kept messages under servers that are killed at any moment: each is typed once at most, in order, and told of.
import fc from 'fast-check';
import { expect } from 'vitest';
import { openStand, type Server, type Worker } from '../e2e/crew.ts';
import { isAlive } from '../support/mcp.ts';
import { eventually } from '../support/sandbox.ts';
import { drill } from './drill.ts';

const delays = fc.array(fc.integer({ min: 0, max: 1_200 }), { minLength: 2, maxLength: 4 });
const counts = fc.integer({ min: 2, max: 5 });
drill('a kept message is typed once at most, in its order, whenever servers are killed', async (luck) => {
  const stand = openStand();
  try {
    const texts = Array.from({ length: luck.draw(counts) }, (_, index) => `SAY number ${index}`);
    let server = await stand.serve();
    const worker = await server.one({ use_worktree: false });
    await eventually('the box is drawn', () => stand.screen(worker).includes('❯'));
    stand.keys(worker, '-l', 'draft');
    await eventually('the draft stands', () => stand.screen(worker).includes('❯\u00a0draft'));
    for (const text of texts)
      expect(await server.message(worker, text, { keep: true })).toMatchObject({ success: true });
    stand.keys(worker, 'C-c');
    for (const delayMs of luck.draw(delays)) {
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      process.kill(server.connection.pid, 'SIGKILL');
      await eventually('it is gone', () => !isAlive(server.connection.pid));
      server = await stand.serve();
    }
    // What a killed server left in the box is cleared, as a person would.
    const rubOut = () => stand.keys(worker, '-N', '20', 'BSpace');
    await eventually('all are gone', () => isDone(server, worker, rubOut));
    await agrees(server, worker, texts);
  } finally {
    await stand.dispose();
  }
});

async function isDone(server: Server, { session_id }: Worker, rubOut: () => void): Promise<boolean> {
  const { is_idle: isIdle, status, pending_messages: pending } = await server.look(session_id);
  if (status === 'idle' && pending > 0) rubOut();
  return isIdle;
}

async function agrees(server: Server, { session_id }: Worker, texts: readonly string[]): Promise<void> {
  const arrived = await server.prompts({ session_id });
  expect(arrived).toEqual(texts.filter((text) => arrived.includes(text)));
  const ended = (await server.events()).filter(
    ({ data, type }) => type !== 'message_kept' && typeof data.kept === 'string',
  );
  const unproved = ended.filter(({ data }) => data.verdict === 'unconfirmed');
  expect(new Set(ended.map(({ data }) => data.kept)).size).toBe(texts.length);
  expect(texts.length - arrived.length).toBeLessThanOrEqual(unproved.length);
}
