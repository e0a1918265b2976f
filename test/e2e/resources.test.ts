// What a client may read of the crew without a tool.
import { ResourceListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../support/sandbox.ts';
import { openStand, type Stand } from './crew.ts';

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
  expect(await listed()).toEqual(['sessions://list', 'crew://status']);
  const ada = await server.one({ name: 'ada', use_worktree: false, prompt: 'SAY hello resources' });
  await server.wait([ada]);
  await eventually('it hears that somebody came', () => changes > 0);
  expect(await listed()).toContain(`sessions://${ada.session_id}/screen`);
  const { contents } = await client.readResource({ uri: 'sessions://ada/screen' });
  expect(contents).toMatchObject([{ mimeType: 'text/plain', text: expect.stringContaining('hello resources') }]);
  changes = 0;
  await server.close(ada);
  await eventually('it hears that somebody went', () => changes > 0);
  expect(await listed()).toHaveLength(2);
});
