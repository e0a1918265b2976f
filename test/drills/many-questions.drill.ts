// A crew that asks all at once, its agents by their hooks or its workers with their own tool.
import fc from 'fast-check';
import { expect } from 'vitest';
import { z } from 'zod';
import { attention } from '../../src/wire/attention.ts';
import { list } from '../../src/wire/parts.ts';
import { openStand, type Server, type Stand, type Worker } from '../e2e/crew.ts';
import type { Fields } from '../support/mcp.ts';
import { eventually } from '../support/sandbox.ts';
import { drill, type Luck } from './drill.ts';

const status = z.object({ attention: list(attention) });
type Need = z.infer<typeof attention>;

/** The first rounds ask with all twenty that a crew may have. */
const crewSize = (luck: Luck): number => (luck.seed <= 2 ? 20 : luck.draw(fc.integer({ min: 2, max: 20 })));

drill('a crew that asks at once is all shown, and each worker gets its own answer', async (luck) => {
  const stand = openStand();
  try {
    await (luck.seed % 2 === 1 ? askWithTools : askByHooks)(stand, await stand.serve(), crewSize(luck));
  } finally {
    await stand.dispose();
  }
});

async function askWithTools(stand: Stand, server: Server, size: number): Promise<void> {
  const workers = await crewOf(server, size, () => ({ skip_permissions: true, prompt: 'HOLD on\nSAY done' }));
  for (const { session_id } of workers) await server.until(session_id, 'working');
  const tools = await Promise.all(workers.map((worker) => stand.toolsOf(worker)));
  const replies = tools.map((one, i) =>
    one.call('ask_manager', { question: `Question ${i}?` }, { timeoutMs: 600_000 }),
  );
  const needs = await allNeeds(server, size);
  const answer = ({ session_id, request_id, title }: Need) =>
    server.connection.call('answer_worker', { session_id, request_id, decision: 'text', message: title });
  await Promise.all(needs.map(answer));
  const answers = await Promise.all(replies);
  expect(answers.map((given) => given.answer)).toEqual(workers.map(({ name }, i) => `${name} asks: Question ${i}?`));
  stand.release('on');
  expect(await server.wait(workers, { timeout: 60 })).toMatchObject({ all_idle: true });
}

async function askByHooks(stand: Stand, server: Server, size: number): Promise<void> {
  const asking = { skip_permissions: false, permission_mode: 'manual' };
  const workers = await crewOf(server, size, (i) => ({ ...asking, prompt: `BASH touch made-${i}\nSAY done` }));
  const needs = await allNeeds(server, size);
  expect(new Set(needs.map(({ request_id }) => request_id)).size).toBe(size);
  await Promise.all(
    needs.map(({ session_id, request_id }) =>
      server.connection.call('answer_worker', { session_id, request_id, decision: 'allow' }),
    ),
  );
  expect(await server.wait(workers, { timeout: 110 })).toMatchObject({ all_idle: true });
  const made = stand.sandbox.git(stand.repo, 'status', '--porcelain', '--untracked-files=all').split('\n');
  expect(made.filter((row) => row.includes('made-'))).toHaveLength(size);
}

/** As many as one call takes, and the rest with another. */
async function crewOf(server: Server, size: number, configOf: (i: number) => Fields): Promise<readonly Worker[]> {
  const configs = Array.from({ length: size }, (_, i) => ({ use_worktree: false, ...configOf(i) }));
  const made = [];
  for (const some of [configs.slice(0, 10), configs.slice(10)]) {
    if (some.length > 0) made.push(await server.spawn(...some));
  }
  expect(made.flatMap(({ failed }) => failed)).toEqual([]);
  return made.flatMap(({ sessions }) => sessions);
}

/** What is asked, once everybody asks what can be answered. */
const allNeeds = (server: Server, size: number): Promise<readonly Need[]> =>
  eventually('all are shown', async () => {
    const { attention: shown } = await server.call('crew_status', status);
    return shown.filter(({ request_id }) => request_id !== undefined).length === size && shown;
  });
