import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { z } from 'zod';
import { escaped } from '../../src/wire/events.ts';
import { list } from '../../src/wire/parts.ts';
import { openStand, type Server, type Stand } from '../e2e/crew.ts';
import { eventually } from '../support/sandbox.ts';
import { drill } from './drill.ts';

let stand: Stand;
let server: Server;

/** What may happen in a round, by its title. */
const stories = new Map<string, () => Promise<void>>();
const story = (title: string, act: () => Promise<void>) => void stories.set(title, act);

const status = z.object({ escapes: list(escaped) });
const escapesNow = async (of = server) => (await of.call('crew_status', status)).escapes;
const told = async () => (await server.events()).filter(({ type }) => type === 'escaped').map(({ data }) => data);
const seen = (of = server) =>
  eventually('an escape is told', async () => {
    const escapes = await escapesNow(of);
    return escapes.length > 0 && escapes;
  });

/** A change counts as a turn's for a moment after its end. */
async function pastTurn(): Promise<void> {
  const quiet = Date.now() + 3_500;
  await eventually('the turn is over for good', () => Date.now() > quiet);
}

story('a change is told with all who had a turn then, and with nobody who had none', async () => {
  const [ada, ben] = [await server.one({ name: 'ada' }), await server.one({ name: 'ben' })];
  await server.one({ name: 'eve' });
  await server.message(ben, 'HOLD gate\nSAY done');
  await server.until(ben.session_id, 'working');
  await server.message(ada, 'BASH cd ../.. && echo x > "stray ü.txt"\nSAY done');
  await server.wait([ada]);
  const [first] = await seen();
  expect(first).toMatchObject({ workers: [ada, ben].map(({ name }) => name).sort(), files: ['stray ü.txt'] });
  expect(first?.detail).toContain('who changed them is not known');
  stand.release('gate');
  await server.wait([ben]);
});

story('what the user does in a quiet time is the user’s', async () => {
  const ada = await server.one({ name: 'ada' });
  await server.message(ada, 'SAY done');
  await server.wait([ada]);
  await pastTurn();
  writeFileSync(join(stand.repo, 'mine.txt'), 'mine');
  writeFileSync(join(stand.repo, 'README.md'), 'mine');
  stand.sandbox.git(stand.repo, 'commit', '-q', '-am', 'Mine');
  const next = Date.now() + 500;
  await eventually('the next turn does not begin at once', () => Date.now() > next);
  await server.message(ada, `BASH touch ${join(stand.repo, 'hers.txt')}\nSAY done`);
  await server.wait([ada]);
  expect(await seen()).toMatchObject([{ files: ['hers.txt'] }]);
});

story('the files that a landing brings to the main checkout in a turn are not told', async () => {
  const [ada, ben] = [await server.one({ name: 'ada' }), await server.one({ name: 'ben' })];
  await server.message(ben, 'WRITE landed.txt by ben\nSAY done');
  await server.wait([ben]);
  await server.message(ada, `HOLD gate\nBASH touch ${join(stand.repo, 'hers.txt')}\nSAY done`);
  await server.until(ada.session_id, 'working');
  const { success } = await server.call('merge_worker', z.looseObject({ success: z.boolean() }), { session_id: 'ben' });
  expect(success).toBe(true);
  stand.release('gate');
  await server.wait([ada]);
  expect(await seen()).toMatchObject([{ workers: ['ada'], files: ['hers.txt'] }]);
  expect((await told()).map(({ files }) => files)).toEqual([['hers.txt']]);
});

story('a worker that has the main checkout for its place of work makes no escape', async () => {
  const [ada, bob] = [await server.one({ name: 'ada' }), await server.one({ name: 'bob', use_worktree: false })];
  await server.message(ada, 'HOLD gate\nSAY done');
  await server.until(ada.session_id, 'working');
  await server.message(bob, 'WRITE shared.txt by bob\nSAY done');
  await server.wait([bob]);
  stand.release('gate');
  await server.wait([ada]);
  await server.message(ada, `BASH touch ${join(stand.repo, 'hers.txt')}\nSAY done`);
  await server.wait([ada]);
  expect(await seen()).toMatchObject([{ workers: ['ada'], files: ['hers.txt'] }]);
});

story('a server that is killed forgets nothing, and what happened meanwhile is told by the next', async () => {
  const ada = await server.one({ name: 'ada' });
  await server.message(ada, `BASH touch ${join(stand.repo, 'first.txt')}\nSAY done`);
  await server.wait([ada]);
  await seen();
  await server.message(ada, `HOLD gate\nBASH touch ${join(stand.repo, 'second.txt')}\nSAY done`);
  await server.until(ada.session_id, 'working');
  process.kill(server.connection.pid, 'SIGKILL');
  await server.connection.close();
  stand.release('gate');
  await eventually('the file is there', () =>
    stand.sandbox.git(stand.repo, 'status', '--porcelain').includes('second'),
  );
  server = await stand.serve();
  await eventually('both are told', async () => (await escapesNow()).length === 2);
  expect((await told()).map(({ files }) => files)).toEqual([['first.txt'], ['second.txt']]);
});

drill('a change in the main checkout is told once, with those who had a turn then', async (luck) => {
  const titles = [...stories.keys()];
  const title = titles[luck.seed % titles.length] ?? '';
  stand = openStand();
  try {
    server = await stand.serve();
    await stories.get(title)?.();
  } catch (error) {
    throw new Error(`${title}: ${String(error)}`, { cause: error });
  } finally {
    await stand.dispose();
  }
});
