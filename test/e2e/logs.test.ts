// The conversation of a worker, read back.
import { readFileSync, statSync } from 'node:fs';
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

it('a call that failed is one line with its first words, in JSON, in the text and in the resource', async () => {
  await server.message(worker, 'BASH echo so it is; exit 3', { wait_mode: 'all', timeout: 60 });
  const page = await server.connection.answer('read_worker_logs', { session_id: worker.session_id });
  const failed = { name: 'Bash', input: 'echo so it is; exit 3', failure: 'exit 3: so it is' };
  expect(page.structuredContent).toMatchObject({
    messages: expect.arrayContaining([expect.objectContaining({ tool_uses: [failed] })]),
  });
  const { contents } = await server.connection.client.readResource({ uri: `sessions://${worker.session_id}/logs` });
  for (const { text } of z.array(z.object({ text: z.string() })).parse([page.content[0], contents[0]]))
    expect(text).toMatch(/^#\d+ assistant: Bash echo so it is; exit 3 → exit 3: so it is$/m);
});

it('a message of more than 20,000 characters is cut, and whole in a file that its user alone reads', async () => {
  const words = 'word '.repeat(4_500).trim();
  await server.message(worker, `SAY ${words}`, { wait_mode: 'all', timeout: 60 });
  const cut = z.object({ content: z.string(), truncated: z.literal(true), path: z.string() });
  const page = z.object({ messages: z.array(z.unknown()) });
  const asked = { session_id: worker.session_id, format: 'full' };
  const { messages } = await server.call('read_worker_logs', page, asked);
  const { content, path } = cut.parse(messages.at(-1));
  expect(content).toBe(words.slice(0, 20_000));
  expect(readFileSync(path, 'utf8')).toBe(words);
  expect((statSync(path).mode & 0o777).toString(8)).toBe('600');
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
