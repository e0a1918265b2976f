// The conversation of a worker, read back.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { openStand, type Server, type Stand, type Worker } from './crew.ts';

let stand: Stand;
let server: Server;
let worker: Worker;
beforeAll(async () => {
  stand = openStand();
  server = await stand.serve();
  const { sessions, failed } = await server.spawn({ use_worktree: false, skip_permissions: true });
  const [first] = sessions;
  if (first === undefined) throw new Error(JSON.stringify(failed));
  worker = first;
});
afterAll(() => stand.dispose());

it('a conversation is read back with each tool use, its id and its answer, in the full format only', async () => {
  const read = (format: string) =>
    server.call('read_worker_logs', z.unknown(), { session_id: worker.session_id, pages: 20, format });
  await server.message(worker, 'BASH echo printed\nSAY ran it', { wait_mode: 'all', timeout: 60 });
  const use = { name: 'Bash', input: expect.stringContaining('echo printed') };
  expect(await read('full')).toMatchObject({
    messages: expect.arrayContaining([
      expect.objectContaining({
        tool_uses: [{ ...use, id: expect.stringMatching(/^toolu_/), output: 'printed' }],
      }),
    ]),
  });
  expect(await read('compact')).toMatchObject({
    messages: expect.arrayContaining([expect.objectContaining({ tool_uses: [use] })]),
  });
});

it('an offset of one page begins before the newest five messages and repeats none of them', async () => {
  const logs = z.object({ messages: z.array(z.object({ index: z.number() })) });
  const indices = async (page: object) =>
    (await server.call('read_worker_logs', logs, { session_id: worker.session_id, ...page })).messages.map(
      ({ index }) => index,
    );
  for (const text of ['SAY a', 'SAY b', 'SAY c']) await server.message(worker, text, { wait_mode: 'all', timeout: 60 });
  const total = (await indices({ pages: 100 })).length;
  expect(await indices({})).toEqual([5, 4, 3, 2, 1].map((back) => total - back));
  expect((await indices({ offset: 1 })).at(-1)).toBe(total - 6);
});
