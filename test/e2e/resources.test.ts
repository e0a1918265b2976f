// What a client may read of the crew without a tool.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ResourceListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { eventually } from '../support/sandbox.ts';
import { openStand, type Stand } from './crew.ts';
import { wordsOn } from './words.ts';

const put = (path: string, text: string) => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};

let stand: Stand;
beforeAll(() => {
  stand = openStand();
});
afterAll(() => stand.dispose());

it('a worker is in the list from its coming to its going, for the other server of the project too', async () => {
  const [server, other] = [await stand.serve(), await stand.serve()];
  const { client } = other.connection;
  let changes = 0;
  client.setNotificationHandler(ResourceListChangedNotificationSchema, () => {
    changes += 1;
  });
  const listed = async () => (await client.listResources()).resources.map(({ uri }) => uri);
  const fixed = await listed();
  expect(fixed.slice(0, 2)).toEqual(['sessions://list', 'crew://status']);
  const ada = await server.one({ name: 'ada', use_worktree: false, prompt: 'SAY hello resources' });
  await server.wait([ada]);
  await eventually('it hears that somebody came', () => changes > 0);
  expect(await listed()).toContain(`sessions://${ada.session_id}/screen`);
  const { contents } = await client.readResource({ uri: 'sessions://ada/screen' });
  expect(contents).toMatchObject([{ mimeType: 'text/plain', text: expect.stringContaining('hello resources') }]);
  changes = 0;
  await server.close(ada);
  await eventually('it hears that somebody went', () => changes > 0);
  expect(await listed()).toEqual(fixed);
});

it('roles and templates are listed as they count now, and each change of their files is told', async () => {
  const { connection } = await stand.serve();
  const { client } = connection;
  let changes = 0;
  client.setNotificationHandler(ResourceListChangedNotificationSchema, () => {
    changes += 1;
  });
  const listed = async () => (await client.listResources()).resources.map(({ uri }) => uri);
  const read = async (uri: string): Promise<unknown> => {
    const [content] = (await client.readResource({ uri })).contents;
    return JSON.parse(z.object({ text: z.string() }).parse(content).text);
  };
  const isTold = async (act: () => unknown) => {
    changes = 0;
    await act();
    await eventually('it is told', () => changes > 0);
  };
  expect(await listed()).toEqual(expect.arrayContaining(['roles://tester', 'templates://bug-fix']));
  expect(await read('templates://bug-fix')).toMatchObject({
    source: 'built in',
    jobs: expect.arrayContaining([expect.objectContaining({ name: 'fix', depends_on: ['approach'] })]),
  });

  const role = join(stand.sandbox.home, '.claude/agents/deep/scout.md');
  const text = (body: string) => `---\nname: scout\npermissionMode: plan\n---\n${body}\n`;
  await isTold(() => put(role, text('Look.')));
  expect(await read('roles://scout')).toMatchObject({ source: role, text: 'Look.', permission_mode: 'plan' });
  await isTold(() => put(role, text('Look twice.')));
  expect(await read('roles://scout')).toMatchObject({ text: 'Look twice.' });
  await isTold(() => rmSync(role));
  expect(await listed()).not.toContain('roles://scout');

  const plan = join(stand.repo, '.crewmux/plans/bug-fix.yaml');
  put(
    plan,
    'name: bug-fix\ndescription: ours\njobs: [{name: only, prompt: Mend it., mcp_config: {a: {key: secret}}}]\n',
  );
  expect(await read('templates://bug-fix')).toMatchObject({ source: 'built in' });
  await isTold(() => wordsOn(stand)('trust', '--yes'));
  expect(await read('templates://bug-fix')).toMatchObject({
    source: plan,
    jobs: [{ name: 'only', mcp_config: ['a'] }],
  });
});
