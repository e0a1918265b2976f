import { afterAll, beforeAll, expect, it } from 'vitest';
import { CrewError } from '../../src/model/errors.ts';
import { tools } from '../../src/tools/index.ts';
import { openStand, type Server, type Stand, type Worker } from './crew.ts';

let stand: Stand;
let server: Server;
let ada: Worker;
beforeAll(async () => {
  stand = openStand();
  server = await stand.serve();
  ada = await server.one({ prompt: 'SAY ready' });
  await server.wait([ada]);
  stand.sandbox.git(ada.worktree_path ?? '', 'commit', '-q', '--allow-empty', '-m', 'Say nothing');
});
afterAll(() => stand.dispose());

const wanted = ['session_id', 'session_ids', 'worker', 'scope'];
const fieldOf = (name: string): string | undefined => {
  const properties = tools.find((tool) => tool.name === name)?.inputSchema().properties;
  return wanted.find((field) => typeof properties === 'object' && properties !== null && field in properties);
};

/** What else they must be given. */
const more: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  annotate_worker: { annotation: 'by name' },
  message_workers: { message: 'SAY heard' },
  answer_worker: { decision: 'allow' },
  wait_idle_workers: { timeout: 0 },
};

/** The one that ends it comes last. */
const named = tools.map(({ name }) => name).filter((name) => fieldOf(name) !== undefined);
const inOrder = [...named.filter((name) => name !== 'close_workers'), 'close_workers'];

it.each(inOrder)('%s knows a worker by its name alone, in whatever case', async (tool) => {
  const field = fieldOf(tool) ?? '';
  const word = ` ${ada.name.toUpperCase()} `;
  const value = field === 'session_ids' ? [word] : field === 'scope' ? `worker:${ada.name.toUpperCase()}` : word;
  const answer = await server.connection.call(tool, { [field]: value, ...more[tool] }).catch(codeOf);
  expect(answer).toEqual(tool === 'answer_worker' ? 'unknown_request' : expect.any(Object));
});

const codeOf = (thrown: unknown) => (thrown instanceof CrewError ? thrown.code : String(thrown));
