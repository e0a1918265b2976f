// A crew that asks all at once.
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { attention, list } from '../../src/tools/shapes.ts';
import { eventually } from '../support/sandbox.ts';
import { openStand } from './crew.ts';

const status = z.object({ attention: list(attention) });

it('twenty workers that ask at once are all shown, and each gets its own answer', { timeout: 180_000 }, async () => {
  const stand = openStand();
  onTestFinished(() => stand.dispose());
  const server = await stand.serve();
  const busy = () => ({ skip_permissions: true, use_worktree: false, prompt: 'HOLD on\nSAY done' });
  const ten = () => server.spawn(...Array.from({ length: 10 }, busy));
  const [some, more] = [await ten(), await ten()];
  expect([...some.failed, ...more.failed]).toEqual([]);
  const workers = [...some.sessions, ...more.sessions];
  for (const { session_id } of workers) await server.until(session_id, 'working');

  const tools = await Promise.all(workers.map((worker) => stand.toolsOf(worker)));
  const replies = tools.map((one, i) => one.call('ask_manager', { question: `Question ${i}?` }, { timeoutMs: 90_000 }));
  const needs = await eventually(
    'all are shown',
    async () => {
      const shown = (await server.call('crew_status', status)).attention;
      return shown.length === 20 && shown;
    },
    30_000,
  );
  const answer = ({ session_id, request_id, title }: (typeof needs)[number]) =>
    server.connection.call('answer_worker', { session_id, request_id, decision: 'text', message: title });
  await Promise.all(needs.map(answer));
  const answers = await Promise.all(replies);
  expect(answers.map((given) => given.answer)).toEqual(workers.map(({ name }, i) => `${name} asks: Question ${i}?`));
  stand.release('on');
  expect(await server.wait(workers, { timeout: 60 })).toMatchObject({ all_idle: true });
});
