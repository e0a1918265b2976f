import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { mergeWorker } from '../../src/tools/merge-worker.ts';
import { openStand, type Server, type Stand, type Worker } from './crew.ts';

let stand: Stand;
let server: Server;
beforeAll(async () => {
  stand = openStand();
  server = await stand.serve();
});
afterAll(() => stand.dispose());

const git = (...args: string[]) => stand.sandbox.git(stand.repo, ...args);
const hasBranch = (name = '') => git('branch', '--list', name) !== '';
const cleaned = z.looseObject({
  worktrees: z.array(
    z.looseObject({
      path: z.string(),
      action: z.string(),
      reason: z.string(),
      salvage: z.string().optional(),
      branch_deleted: z.boolean().optional(),
    }),
  ),
  removed_count: z.number(),
});
const clean = (more = {}) => server.call('cleanup_worktrees', cleaned, { repo_path: stand.repo, ...more });
const at = ({ worktrees }: z.infer<typeof cleaned>, of: Worker) =>
  worktrees.find(({ path }) => path === of.worktree_path);

/** A worker that has committed a file and is closed by the death of its pane, so that its worktree is left. */
async function leftBy(name: string): Promise<Worker> {
  const worker = await server.one({ prompt: `WRITE ${name} text\nSAY done` });
  await server.wait([worker]);
  return worker;
}
async function end(worker: Worker): Promise<void> {
  stand.sandbox.tmux('kill-pane', '-t', worker.terminal_id?.replace('tmux:', '') ?? '');
  await server.until(worker.session_id, 'dead');
}

it('what is merged goes and what is not stays, and a dry run foretells both without doing anything', async () => {
  const [landed, open] = [await leftBy('landed.txt'), await leftBy('open.txt')];
  await server.call(mergeWorker.name, z.looseObject({}), { session_id: landed.name });
  const live = await clean();
  expect(at(live, landed)).toMatchObject({
    action: 'keep',
    reason: expect.stringContaining(`${landed.name} works in it`),
  });
  await Promise.all([end(landed), end(open)]);
  const dry = await clean({ delete_branches: true });
  expect(dry.removed_count).toBe(0);
  expect(at(dry, landed)).toMatchObject({ action: 'remove', branch_action: 'delete' });
  expect(at(dry, open)).toMatchObject({ action: 'keep', reason: '1 untracked file' });
  expect(existsSync(landed.worktree_path ?? '')).toBe(true);
  const real = await clean({ delete_branches: true, dry_run: false });
  expect(real.removed_count).toBe(1);
  expect(at(real, landed)).toMatchObject({ branch_deleted: true, salvage: expect.stringContaining('refs/') });
  expect([existsSync(landed.worktree_path ?? ''), hasBranch(landed.branch)]).toEqual([false, false]);
  expect([existsSync(join(open.worktree_path ?? '', 'open.txt')), hasBranch(open.branch)]).toEqual([true, true]);
});

it('branches of closed workers go when asked for, once they are merged, and other people’s never', async () => {
  const worker = await leftBy('kept.txt');
  await server.call(mergeWorker.name, z.looseObject({}), { session_id: worker.name, close: true });
  expect(existsSync(worker.worktree_path ?? '')).toBe(false);
  git('branch', 'mine');
  git('worktree', 'add', '-q', join(stand.sandbox.root, 'my own'), 'mine');
  const told = await clean({ delete_branches: true, dry_run: false });
  expect(at(told, worker)).toMatchObject({ branch_deleted: true });
  expect(hasBranch(worker.branch)).toBe(false);
  expect(git('cat-file', '-t', at(told, worker)?.salvage ?? '')).toBe('commit');
  const own = told.worktrees.find(({ path }) => path.endsWith('my own'));
  expect(own).toMatchObject({ action: 'keep', reason: 'crewmux did not make it' });
  expect(hasBranch('mine')).toBe(true);
});

it('a worktree in which anything runs is kept', async () => {
  const worker = await leftBy('busy.txt');
  await server.call(mergeWorker.name, z.looseObject({}), { session_id: worker.name });
  await end(worker);
  const pane = stand.sandbox.tmux(
    'new-session',
    '-d',
    '-P',
    '-F',
    '#{pane_id}',
    '-c',
    worker.worktree_path ?? '',
    'sleep 1000',
  );
  const told = await clean({ dry_run: false });
  expect(at(told, worker)).toMatchObject({
    action: 'keep',
    reason: expect.stringMatching(/processes work in it: .*sleep /),
  });
  stand.sandbox.tmux('kill-pane', '-t', pane);
  writeFileSync(join(worker.worktree_path ?? '', 'late.txt'), 'x');
  expect(at(await clean({ dry_run: false }), worker)).toMatchObject({ action: 'keep', reason: '1 untracked file' });
});

it('a worker that was sent into a worktree keeps it, though it is not its own', async () => {
  const worker = await leftBy('shared.txt');
  await server.call(mergeWorker.name, z.looseObject({}), { session_id: worker.name });
  await end(worker);
  const guest = await server.one({ project_path: worker.worktree_path, use_worktree: false });
  const told = await clean({ dry_run: false });
  expect(at(told, worker)).toMatchObject({
    action: 'keep',
    reason: expect.stringContaining(`${guest.name} works in it`),
  });
  await server.close(guest, true);
  expect(at(await clean({ dry_run: false }), worker)).toMatchObject({ action: 'remove' });
});

it('a worktree whose record is lost is known by its mark, and two clean-ups at once remove it once', async () => {
  const worker = await leftBy('marked.txt');
  await server.call(mergeWorker.name, z.looseObject({}), { session_id: worker.name });
  await end(worker);
  const other = await stand.serve({ CREWMUX_HOME: stand.sandbox.dir('another home') });
  const both = await Promise.all(
    [1, 2].map(() => other.call('cleanup_worktrees', cleaned, { repo_path: stand.repo, dry_run: false })),
  );
  expect(both.map(({ removed_count }) => removed_count).sort()).toEqual([0, 1]);
  expect(existsSync(worker.worktree_path ?? '')).toBe(false);
});
