// Usage limits: when they are over is told, and afterwards workers are sent on once.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { list } from '../../src/wire/parts.ts';
import { eventually } from '../support/sandbox.ts';
import { openStand, type Server, type Stand, type Worker } from './crew.ts';

const status = z.looseObject({ suggested_calls: list(z.string()) });

let stand: Stand;
let server: Server;
beforeAll(async () => {
  stand = openStand();
  const config = join(stand.sandbox.dir('home/.config/crewmux'), 'config.json');
  writeFileSync(config, JSON.stringify({ limits: { resume_after_reset: true } }));
  server = await stand.serve();
});
afterAll(() => stand.dispose());

const bare = (name: string) => server.one({ name, use_worktree: false });

it('says when it is over, with one call for all whom it stops', async () => {
  const [ada, bea] = await Promise.all([bare('ada'), bare('bea')]);
  const before = Date.now();
  for (const worker of [ada, bea]) {
    await server.message(worker, 'LIMIT 3600');
    const seen = await server.until(worker.session_id, 'waiting');
    expect(seen).toMatchObject({ waiting_for: 'limit', limit: { detail: expect.stringContaining('5-hour limit') } });
    const resets = Date.parse(seen.limit?.resets_at ?? '') - before;
    expect(resets).toBeGreaterThan(3_590_000);
    expect(resets).toBeLessThan(3_660_000);
  }
  const { suggested_calls } = await server.call('crew_status', status);
  expect(suggested_calls.filter((call) => call.includes('message_workers'))).toHaveLength(1);
  await Promise.all([ada, bea].map((worker) => server.close(worker, true)));
});

it('sends those on that nobody has written to, one after the other and once, also after the server was killed', async () => {
  const [one, two, three] = await Promise.all(['cleo', 'dora', 'edna'].map(bare));
  if (one === undefined || two === undefined || three === undefined) throw new Error('not spawned');
  const stop = async (worker: Worker) => {
    await server.message(worker, 'LIMIT 15');
    await server.until(worker.session_id, 'waiting');
  };
  // Its limit must not be over before it is written to, also on a machine with much to do.
  await stop(three);
  await server.message(three, 'SAY written to', { wait_mode: 'all', timeout: 60 });
  await Promise.all([stop(one), stop(two)]);
  process.kill(server.connection.pid, 'SIGKILL');
  server = await stand.serve();
  const isOn = async (worker: Worker) => (await server.prompts(worker)).some((text) => text.includes('limit is over'));
  // Asked only once there is something to see.
  await server.wait([one, two, three], { on_attention: 'ignore', timeout: 60 });
  await eventually('two were sent on', async () => (await isOn(one)) && (await isOn(two)));
  await server.wait([one, two, three]);
  for (const worker of [one, two]) expect(await server.prompts(worker)).toHaveLength(2);
  expect(await server.prompts(three)).toEqual(['LIMIT 15', 'SAY written to']);
});
