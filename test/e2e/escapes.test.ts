import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { escaped, list } from '../../src/tools/shapes.ts';
import { eventually } from '../support/sandbox.ts';
import { openStand, type Server, type Stand } from './crew.ts';

let stand: Stand;
let server: Server;
beforeEach(async () => {
  stand = openStand();
  server = await stand.serve();
});
afterEach(() => stand.dispose());

const status = z.object({ escapes: list(escaped) });
const examined = z.object({ escapes: list(escaped).optional() });
const changes = z.object({ events: list(z.looseObject({ type: z.string(), data: z.looseObject({}) })) });
const escapesNow = async (of = server) => (await of.call('crew_status', status)).escapes;
const told = async () => {
  const { events } = await server.call('poll_worker_changes', changes, {});
  return events.filter(({ type }) => type === 'escaped').map(({ data }) => data);
};
const seen = (of = server) =>
  eventually('an escape is told', async () => {
    const escapes = await escapesNow(of);
    return escapes.length > 0 && escapes;
  });

it('what a worker writes into the main checkout is told once, with its name, and not any more when it is gone', async () => {
  const ada = await server.one({ name: 'ada' });
  const path = join(stand.repo, 'stray.txt');
  await server.message(ada, `BASH echo x > ${path}\nSAY done`);
  await server.wait([ada]);
  const [first] = await seen();
  expect(first).toMatchObject({
    checkout: stand.repo,
    workers: ['ada'],
    named_by: 'Bash',
    files: ['stray.txt'],
    file_count: 1,
    commits: [],
  });
  expect((await server.call('examine_worker', examined, { session_id: 'ada' })).escapes).toEqual([first]);
  await server.message(ada, 'SAY again');
  await server.wait([ada]);
  expect(await escapesNow()).toEqual([first]);
  rmSync(path);
  expect(await escapesNow()).toEqual([]);
  expect(await told()).toMatchObject([
    { in: stand.repo, files: ['stray.txt'], workers: ['ada'], gone: false },
    { files: ['stray.txt'], gone: true },
  ]);
});
