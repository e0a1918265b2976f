// What a client may read of the crew without a tool, over a real client.

import { ResourceListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { type Connection, connect } from '../support/mcp.ts';
import { eventually, makeSandbox, type Sandbox } from '../support/sandbox.ts';
import { buildStub, stubServer } from '../support/stub.ts';

let sandbox: Sandbox;
let server: Connection;
let changes = 0;

beforeAll(async () => {
  sandbox = makeSandbox();
  server = await connect(stubServer({ sandbox, program: buildStub(sandbox.root) }));
  server.client.setNotificationHandler(ResourceListChangedNotificationSchema, () => {
    changes += 1;
  });
});
afterAll(async () => {
  await server?.close().finally(() => sandbox.dispose());
});

const content = z.object({ uri: z.string(), mimeType: z.string(), text: z.string() });
async function read(uri: string) {
  const { contents } = await server.client.readResource({ uri });
  return content.parse(contents[0]);
}
const json = async (uri: string): Promise<unknown> => JSON.parse((await read(uri)).text);
const completed = async (uri: string, value: string) =>
  (await server.client.complete({ ref: { type: 'ref/resource', uri }, argument: { name: 'session_id', value } }))
    .completion;

it('the list has the crew, its workers, three views of each worker there is, and what is written down', async () => {
  const { resources } = await server.client.listResources();
  expect(resources.map(({ uri, name }) => [uri, name])).toEqual([
    ['sessions://list', 'workers'],
    ['crew://status', 'crew'],
    ['sessions://aaaa0001/status', 'ada/status'],
    ['sessions://aaaa0001/screen', 'ada/screen'],
    ['sessions://aaaa0001/logs', 'ada/logs'],
    ['roles://look%20out', 'look out'],
    ['templates://shop', 'shop'],
  ]);
});

it('each view of a worker has a template, and a plan, which is in no list', async () => {
  const { resourceTemplates } = await server.client.listResourceTemplates();
  expect(resourceTemplates.map(({ uriTemplate, mimeType }) => [uriTemplate, mimeType])).toEqual([
    ['sessions://{session_id}/status', 'application/json'],
    ['sessions://{session_id}/screen', 'text/plain'],
    ['sessions://{session_id}/logs', 'text/plain'],
    ['plans://{plan_id}', 'application/json'],
    ['roles://{name}', 'application/json'],
    ['templates://{name}', 'application/json'],
  ]);
});

it.each([
  ['sessions://list', 'list_workers', {}],
  ['crew://status', 'crew_status', {}],
  ['sessions://ada/status', 'examine_worker', { session_id: 'ada' }],
  ['plans://shop', 'plan_status', { plan_id: 'shop' }],
])('%s is the JSON that %s answers', async (uri, tool, args) => {
  expect(await read(uri)).toMatchObject({ uri, mimeType: 'application/json' });
  expect(await json(uri)).toEqual(await server.call(tool, args));
});

it('a role and a template are read by the names that they have', async () => {
  expect(await json('roles://look%20out')).toEqual({ name: 'look out', text: 'Look.' });
  expect(await json('templates://shop')).toEqual({ name: 'shop' });
  await expect(read('roles://shop')).rejects.toThrow('There is no role "shop". Known: look out.');
  await expect(read('templates://shpo')).rejects.toThrow('Did you mean "shop"?');
  const of = { ref: { type: 'ref/resource', uri: 'roles://{name}' } as const, argument: { name: 'name', value: 'Lo' } };
  expect((await server.client.complete(of)).completion.values).toEqual(['look out']);
});

it('a screen is text, of a worker named by its name as well', async () => {
  expect(await read('sessions://ada/screen')).toEqual({
    uri: 'sessions://ada/screen',
    mimeType: 'text/plain',
    text: 'x\n',
  });
});

it('logs are cut like the answer of the tool', async () => {
  const { text } = await read('sessions://tmux%3A%251/logs');
  expect(text).toContain('[truncated');
  expect(text.length).toBeLessThanOrEqual(20_000);
});

it.each([
  ['sessions://lst', 'sessions://list'],
  ['sessions://ada/scren', 'sessions://{session_id}/screen'],
  ['file:///etc/passwd', 'crew://status'],
])('%s is refused with the addresses there are', async (uri, known) => {
  await expect(read(uri)).rejects.toMatchObject({ code: -32002, message: expect.stringContaining(known) });
});

it('a worker that is not there is refused with the way to find one', async () => {
  await expect(read('sessions://nobody/status')).rejects.toMatchObject({
    code: -32002,
    message: expect.stringContaining('No worker named "nobody". Call list_workers.'),
    data: { code: 'unknown_worker' },
  });
});

it('session_id completes to the names and ids that begin so', async () => {
  const uri = 'sessions://{session_id}/logs';
  expect(await completed(uri, '')).toMatchObject({ values: ['ada', 'aaaa0001'], hasMore: false });
  expect((await completed(uri, 'AD')).values).toEqual(['ada']);
  expect((await completed(uri, 'zz')).values).toEqual([]);
});

it('plan_id completes to the names and ids of plans', async () => {
  const ref = { type: 'ref/resource', uri: 'plans://{plan_id}' } as const;
  const { completion } = await server.client.complete({ ref, argument: { name: 'plan_id', value: '' } });
  expect(completion.values).toEqual(['shop', 'p1']);
});

it('a worker that comes changes the list, and the client hears of it', async () => {
  expect(changes).toBe(0);
  await server.call('spawn_workers', { workers: [{ project_path: '/p' }] });
  await eventually('the notice', () => changes === 1);
});
