import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { list } from '../../src/tools/shapes.ts';
import { eventually } from '../support/sandbox.ts';
import { openStand, type Server, type Stand } from './crew.ts';

let stand: Stand;
let server: Server;
beforeAll(async () => {
  stand = openStand();
  server = await stand.serve();
});
afterAll(() => stand.dispose());

const clash = { conflicts: list(z.string()), both_edited: list(z.string()) };
const foretold = z.object({
  pairs: list(z.object({ a: z.string(), b: z.string(), ...clash })),
  against_base: list(z.object({ name: z.string(), base: z.string(), ...clash })),
});
const status = z.object({
  conflicts: list(z.object({ name: z.string(), with: z.string(), files: list(z.string()) })),
});
const changes = z.object({ events: list(z.looseObject({ type: z.string(), data: z.looseObject({}) })) });

it('a conflict of two workers is foreseen, told once, and told again when it is gone', async () => {
  const [a, b] = [await server.one({ name: 'ada' }), await server.one({ name: 'ben' })];
  await server.message(a, 'WRITE README.md by ada\nSAY done');
  await server.message(b, 'WRITE README.md by ben\nSAY done');
  await server.wait([a, b]);
  const told = await server.call('check_conflicts', foretold, {});
  expect(told.pairs).toEqual([{ a: 'ada', b: 'ben', conflicts: ['README.md'], both_edited: ['README.md'] }]);
  expect(told.against_base.map(({ conflicts }) => conflicts)).toEqual([[], []]);
  const seen = await eventually('it is in the status', async () => {
    const { conflicts } = await server.call('crew_status', status, {});
    return conflicts.length > 0 && conflicts;
  });
  expect(seen).toEqual([{ name: 'ada', with: 'ben', files: ['README.md'] }]);
  const folder = b.worktree_path ?? '';
  stand.sandbox.git(folder, 'checkout', '-q', '--', 'README.md');
  writeFileSync(join(folder, 'other.txt'), 'elsewhere\n');
  stand.sandbox.git(folder, 'add', '.');
  stand.sandbox.git(folder, 'commit', '-q', '-m', 'Go elsewhere');
  await eventually('the commit is noticed', async () => {
    const { conflicts } = await server.call('crew_status', status, {});
    return conflicts.length === 0;
  });
  const { events } = await server.call('poll_worker_changes', changes, {});
  expect(events.filter(({ type }) => type === 'conflict').map(({ data }) => data)).toEqual([
    { with: 'ben', files: ['README.md'], gone: false },
    { with: 'ben', files: [], gone: true },
  ]);
});
