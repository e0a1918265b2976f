import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { openStand, type Server, type Stand } from './crew.ts';

let stand: Stand;
let server: Server;
beforeAll(async () => {
  stand = openStand();
  server = await stand.serve();
});
afterAll(() => stand.dispose());

const saved = z.looseObject({
  salvages: z.array(z.looseObject({ salvage_id: z.string(), name: z.string().optional(), path: z.string() })),
  count: z.number(),
  restored: z
    .looseObject({
      path: z.string(),
      at_original_path: z.boolean(),
      branch: z.string().nullable(),
      exact: z.boolean(),
      notes: z.array(z.string()),
      next: z.string(),
    })
    .optional(),
});
const restore = (args = {}) => server.call('restore_work', saved, args);
const changes = z.looseObject({
  events: z.array(z.looseObject({ type: z.string(), worker_id: z.string(), data: z.looseObject({}) })),
});

it('what a worker left when it was closed by force comes back, and the worker goes on there', async () => {
  const worker = await server.one({ prompt: 'WRITE unsaved.txt precious\nSAY done' });
  await server.wait([worker]);
  const folder = worker.worktree_path ?? '';
  writeFileSync(join(folder, 'README.md'), 'changed\r\n');
  stand.sandbox.git(folder, 'add', 'README.md');
  const { salvage } = z.looseObject({ salvage: z.string() }).parse(await server.close(worker, true));
  const { salvages } = await restore();
  expect(salvages).toEqual([
    expect.objectContaining({
      ref: salvage,
      name: worker.name,
      session_id: worker.session_id,
      path: folder,
      branch: worker.branch,
      files_untracked: 1,
      reason: `${worker.name} was closed by force`,
    }),
  ]);
  const { restored } = await restore({ salvage_id: salvages[0]?.salvage_id });
  expect(restored).toMatchObject({
    path: folder,
    at_original_path: true,
    branch: worker.branch,
    exact: true,
    notes: [],
  });
  expect(restored?.next).toContain('restart_workers');
  expect(readFileSync(join(folder, 'unsaved.txt'), 'utf8').trim()).toBe('precious');
  expect(readFileSync(join(folder, 'README.md'), 'utf8')).toBe('changed\r\n');
  expect(stand.sandbox.git(folder, 'status', '--porcelain')).toBe('M  README.md\n?? unsaved.txt');
  const { events } = await server.call('poll_worker_changes', changes, {});
  const told = events.filter(({ type }) => type === 'salvaged' || type === 'restored');
  expect(told.map(({ type, worker_id, data }) => [type, worker_id, data.ref])).toEqual([
    ['salvaged', worker.session_id, salvage],
    ['restored', worker.session_id, salvage],
  ]);
  const again = await server.connection.call('restart_workers', { session_ids: [worker.session_id] });
  expect(again).toMatchObject({ count: 1, failed: [] });
  await server.until(worker.session_id, 'idle');
  expect(await server.close(worker, true)).toMatchObject({ success: true, worktree: 'removed' });
});

it('a second restore makes another worktree, and the worker is led to the one it can have', async () => {
  const worker = await server.one({ prompt: 'WRITE twice.txt two\nSAY done' });
  await server.wait([worker]);
  await server.close(worker, true);
  const id = (await restore()).salvages.find(({ name }) => name === worker.name)?.salvage_id;
  expect((await restore({ salvage_id: id })).restored).toMatchObject({ at_original_path: true });
  const { restored } = await restore({ salvage_id: id });
  expect(restored).toMatchObject({ at_original_path: false, branch: `${worker.branch}-2`, exact: true });
  expect(restored?.next).toContain('use_worktree: false');
  expect(existsSync(join(restored?.path ?? '', 'twice.txt'))).toBe(true);
  expect((await server.look(worker.session_id)).worktree_path).toBe(worker.worktree_path);
});

it('an id that nobody saved anything under is answered with those there are', async () => {
  const answer = await server.connection.answer('restore_work', { salvage_id: 'none' });
  expect(JSON.stringify(answer.content)).toMatch(/unknown_salvage.*The newest: /);
});

it('a server that knows no worker restores by the repository, and two at once make two worktrees', async () => {
  const worker = await server.one({ prompt: 'WRITE both.txt both\nSAY done' });
  await server.wait([worker]);
  await server.close(worker, true);
  const other = await stand.serve({ CREWMUX_HOME: stand.sandbox.dir('another home') });
  const seen = await other.call('restore_work', saved, { repo_path: stand.repo });
  const { salvage_id, name } = seen.salvages.find(({ path }) => path === worker.worktree_path) ?? {};
  expect(name).toBeUndefined();
  const both = await Promise.all(
    [1, 2].map(() => other.call('restore_work', saved, { repo_path: stand.repo, salvage_id })),
  );
  expect(both.map(({ restored }) => restored?.exact)).toEqual([true, true]);
  expect(new Set(both.map(({ restored }) => restored?.path)).size).toBe(2);
  expect(both[0]?.restored?.next).toContain('spawn_workers');
  for (const { restored } of both) expect(existsSync(join(restored?.path ?? '', 'both.txt'))).toBe(true);
});
