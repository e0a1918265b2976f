// A server that is killed or forgets, with a Codex that goes on. These have the crew to themselves, and come last.
import { expect, test } from 'vitest';
import type { Fields } from '../../support/mcp.ts';
import { eventually } from '../../support/sandbox.ts';
import { cast, crew } from '../company.ts';
import type { Worker } from '../crew.ts';

const codex = (config: Fields): Promise<Worker> => cast.enter({ agent_type: 'codex', ...config });
const asked = (of: Worker, words: string) =>
  crew.home.model.waitFor(words, (r) => r.cwd === of.project_path && r.prompt.includes(words));
const said = async ({ session_id }: Worker) => (await crew.conversation({ session_id })).map(({ content }) => content);
const byOwnQueue = { success: true, verdict: 'queued', evidence: { source: 'agent' } };

test('a successor of the server knows a Codex worker that nobody has asked anything, and one that works', async () => {
  const idle = await crew.one({ agent_type: 'codex' });
  const busy = await codex({ prompt: 'HOLD codex-successor\nSAY done' });
  await asked(busy, 'codex-successor');
  await crew.replaceServer();
  await crew.until(idle.session_id, 'idle');
  expect(await crew.look(busy.session_id)).toMatchObject({ status: 'working' });
  crew.home.model.release('codex-successor');
  await crew.idle(busy);
  cast.rests(busy);
});

test('a successor of the server knows of a message in the own queue until it has its turn', async () => {
  const worker = await codex({ prompt: 'HOLD queue-successor' });
  await asked(worker, 'queue-successor');
  crew.keys(worker, '-l', 'half a thought');
  await eventually('the draft is drawn', () => crew.screen(worker).includes('› half a thought'));
  expect(await crew.message(worker, 'HOLD queue-second')).toMatchObject(byOwnQueue);
  await crew.replaceServer();
  expect(await crew.look(worker.session_id)).toMatchObject({ status: 'working', pending_messages: 1 });
  crew.home.model.release('queue-successor');
  await asked(worker, 'queue-second');
  const taken = await eventually('it has its turn', async () => {
    const seen = await crew.look(worker.session_id);
    return seen.pending_messages === 0 && seen;
  });
  expect(taken.status).toBe('working');
  crew.home.model.release('queue-second');
  await crew.idle(worker);
  expect(crew.falseIdles(worker)).toEqual([]);
});

test('a conversation that crewmux has never seen is resumed by its id, with its past at once', async () => {
  const unseen = await crew.one({ agent_type: 'codex', prompt: 'SAY long ago' });
  await crew.idle(unseen);
  const { agent_session_id: resume } = await crew.look(unseen.session_id);
  await crew.close(unseen);
  await crew.forget();
  const worker = await crew.one({ agent_type: 'codex', resume });
  expect(await crew.until(worker.session_id, 'idle')).toMatchObject({ agent_session_id: resume });
  expect(await said(worker)).toEqual(['SAY long ago', 'long ago']);
  await crew.message(worker, 'SAY and now', { wait_mode: 'all' });
  expect((await asked(worker, 'SAY and now')).texts).toContain('SAY long ago');
  const again = await crew.one({ agent_type: 'codex', resume });
  const locked = await crew.until(again.session_id, 'waiting');
  expect(locked).toMatchObject({ waiting_for: 'dialog', evidence: { source: 'screen' } });
  expect(locked.evidence.detail).toContain('open in another app');
  expect(await crew.message(again, 'SAY no')).toMatchObject({ verdict: 'held' });
  await crew.close(worker);
  await eventually('the first is gone', async () => (await crew.look(worker.session_id)).status === 'closed');
});
