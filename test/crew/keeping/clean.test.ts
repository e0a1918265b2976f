import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { processesIn } from '../../../src/system/process-traces.ts';
import { cleanupWorktrees } from '../../../src/tools/cleanup-worktrees.ts';
import { examineWorker } from '../../../src/tools/examine-worker.ts';
import { listWorktrees } from '../../../src/tools/list-worktrees.ts';
import { restoreWork } from '../../../src/tools/restore-work.ts';
import {
  type Caller,
  openRestingCrew,
  type Resting,
  type RestingCrew,
  type RestingWish,
} from '../../support/resting-crew.ts';
import { eventually } from '../../support/sandbox.ts';
import { unhurriedMs } from '../../support/unhurried.ts';
import { land } from '../landing/landed.ts';

let crew: RestingCrew;
beforeAll(async () => {
  crew = await openRestingCrew();
});
afterAll(() => crew.dispose());

const git = (...args: string[]) => crew.git(crew.repo, ...args);
const hasBranch = (name: string) => git('branch', '--list', name) !== '';
const cleaned = z.looseObject({
  worktrees: z.array(
    z.looseObject({
      path: z.string(),
      action: z.string(),
      reason: z.string(),
      salvage: z.string().optional(),
      restore: z.string().optional(),
      branch_deleted: z.boolean().optional(),
    }),
  ),
  removed_count: z.number(),
});
const back = z.looseObject({ restored: z.looseObject({ path: z.string(), exact: z.boolean() }).optional() });
const clean = (more = {}, by: Caller = crew) => by.call(cleanupWorktrees, cleaned, { repo_path: crew.repo, ...more });
const at = ({ worktrees }: z.infer<typeof cleaned>, { worktreePath }: Resting) =>
  worktrees.find(({ path }) => path === worktreePath);

/** Where a folder is kept for its branch. */
const foldersOf = ({ branchFolder = '-' }: Resting) =>
  ['refs', 'logs/refs'].filter((root) => existsSync(join(crew.repo, '.git', root, 'heads', branchFolder)));

/** A worker whose work has landed. */
async function landed(file: string, close = false, wish?: RestingWish): Promise<Resting> {
  const worker = await crew.author(file, 'text\n', wish);
  expect(await land(crew, worker, { test_command: '', close })).toMatchObject({ outcome: 'landed' });
  return worker;
}

it(
  'what is merged goes and what is not stays, and a dry run foretells both without doing anything',
  async () => {
    const [merged, open] = [await landed('landed.txt'), await crew.worker()];
    writeFileSync(join(open.worktreePath, 'open.txt'), 'text\n');
    await crew.note(merged, { phase: 'live' });
    expect(at(await clean(), merged)).toMatchObject({
      action: 'keep',
      reason: expect.stringContaining(`${merged.name} works in it`),
    });
    await crew.note(merged, { phase: 'dead' });
    const dry = await clean({ delete_branches: true });
    expect(dry.removed_count).toBe(0);
    expect(at(dry, merged)).toMatchObject({ action: 'remove', branch_action: 'delete' });
    expect(at(dry, open)).toMatchObject({ action: 'keep', reason: '1 untracked file' });
    expect(existsSync(merged.worktreePath)).toBe(true);
    const real = await clean({ delete_branches: true, dry_run: false });
    expect(real.removed_count).toBe(1);
    expect(at(real, merged)).toMatchObject({ branch_deleted: true, salvage: expect.stringContaining('refs/') });
    expect([existsSync(merged.worktreePath), hasBranch(merged.branch)]).toEqual([false, false]);
    expect([existsSync(join(open.worktreePath, 'open.txt')), hasBranch(open.branch)]).toEqual([true, true]);
    expect([foldersOf(merged), foldersOf(open)]).toEqual([[], ['refs', 'logs/refs']]);
  },
  unhurriedMs,
);

it(
  'an experiment that was never merged stays until it is discarded by name, and restore_work brings all of it back',
  async () => {
    const [failed, other] = [await crew.author('tried.txt', 'tried\n'), await crew.author('other.txt', 'text\n')];
    writeFileSync(join(failed.worktreePath, 'idea.txt'), 'idea\n');
    const named = { session_ids: [failed.id] };
    expect(at(await clean({ ...named, dry_run: false }), failed)).toMatchObject({ action: 'keep' });
    await expect(clean({ discard: true, dry_run: false })).rejects.toMatchObject({ code: 'invalid_argument' });
    const wish = { ...named, discard: true };
    expect(at(await clean(wish), failed)).toMatchObject({
      action: 'remove',
      reason: 'it holds 1 untracked file; its commits are neither merged nor pushed',
    });
    const branch = git('rev-parse', failed.branch);
    const gone = at(await clean({ ...wish, dry_run: false }), failed);
    expect([existsSync(failed.worktreePath), git('rev-parse', failed.branch)]).toEqual([false, branch]);
    expect(existsSync(other.worktreePath)).toBe(true);
    const [, salvage_id] = /^restore_work \{"salvage_id":"(.+)"\}$/.exec(gone?.restore ?? '') ?? [];
    const { restored } = await crew.call(restoreWork, back, { salvage_id });
    expect(restored).toMatchObject({ path: failed.worktreePath, branch: failed.branch, head: branch, exact: true });
    expect(readFileSync(join(failed.worktreePath, 'idea.txt'), 'utf8')).toBe('idea\n');

    const bare = at(await clean({ ...wish, delete_branches: true, dry_run: false }), failed);
    expect(bare).toMatchObject({ branch_deleted: true });
    expect(hasBranch(failed.branch)).toBe(false);
    const again = await crew.call(restoreWork, back, { salvage_id: bare?.salvage });
    expect(again.restored).toMatchObject({ head: branch, exact: true });
  },
  unhurriedMs,
);

it('branches of closed workers go when asked for, once they are merged, and other people’s never', async () => {
  const worker = await landed('kept.txt', true);
  expect(existsSync(worker.worktreePath)).toBe(false);
  git('branch', 'mine');
  git('worktree', 'add', '-q', join(crew.sandbox.root, 'my own'), 'mine');
  const told = await clean({ delete_branches: true, dry_run: false });
  expect(at(told, worker)).toMatchObject({ branch_deleted: true });
  expect(hasBranch(worker.branch)).toBe(false);
  expect(git('cat-file', '-t', at(told, worker)?.salvage ?? '')).toBe('commit');
  const own = told.worktrees.find(({ path }) => path.endsWith('my own'));
  expect(own).toMatchObject({ action: 'keep', reason: 'crewmux did not make it' });
  expect(hasBranch('mine')).toBe(true);
});

it('a worker of an earlier release lands, is cleaned up and restored on its branch without a folder', async () => {
  const branch = 'ada-0a1b2c3d-cart';
  const worker = await landed('cart.txt', true, { branch });
  expect(worker).toMatchObject({ branch, ownsBranch: true });
  const told = at(await clean({ delete_branches: true, dry_run: false }), worker);
  expect([told?.branch_deleted, hasBranch(branch)]).toEqual([true, false]);
  const { restored } = await crew.call(restoreWork, back, { salvage_id: told?.salvage });
  expect(restored).toMatchObject({ branch, exact: true });
});

it('a cleanup takes the kept folder of a branch that a person deleted, and leaves that of a worker', async () => {
  const [gone, live] = [await landed('one.txt', true), await landed('two.txt')];
  git('worktree', 'remove', live.worktreePath);
  git('branch', '-q', '-D', gone.branch, live.branch);
  await clean();
  expect([foldersOf(gone), foldersOf(live)]).toEqual([
    ['refs', 'logs/refs'],
    ['refs', 'logs/refs'],
  ]);
  await clean({ dry_run: false });
  expect([foldersOf(gone), foldersOf(live)]).toEqual([[], ['refs', 'logs/refs']]);
});

/** A process that works in the folder and that this one has not started. */
const guestIn = (cwd: string) =>
  Number(execFileSync('sh', ['-c', 'sleep 1000 >/dev/null 2>&1 & echo $!'], { cwd, encoding: 'utf8' }));

it('what crewmux itself runs in a worktree keeps nothing', async () => {
  const worker = await landed('read.txt');
  const own = spawn('sleep', ['1000'], { cwd: worker.worktreePath, stdio: 'ignore' });
  const told = await clean({ dry_run: false }).finally(() => own.kill('SIGKILL'));
  expect(at(told, worker)).toMatchObject({ action: 'remove' });
});

it('a worktree in which anything runs is kept, and one that has something by then', async () => {
  const worker = await landed('busy.txt');
  const guest = guestIn(worker.worktreePath);
  const told = await clean({ dry_run: false }).finally(() => process.kill(guest, 'SIGKILL'));
  expect(at(told, worker)).toMatchObject({ action: 'keep', reason: `processes work in it: sleep (pid ${guest})` });
  await eventually('the guest is gone', async () => (await processesIn(worker.worktreePath))?.length === 0);
  writeFileSync(join(worker.worktreePath, 'late.txt'), 'x');
  expect(at(await clean({ dry_run: false }), worker)).toMatchObject({ action: 'keep', reason: '1 untracked file' });
});

it('a worker that was sent into a worktree keeps it, though it is not its own', async () => {
  const worker = await landed('shared.txt');
  const guest = await crew.worker();
  await crew.note(guest, { phase: 'live', projectPath: join(worker.worktreePath, 'below') });
  expect(at(await clean({ dry_run: false }), worker)).toMatchObject({
    action: 'keep',
    reason: expect.stringContaining(`${guest.name} works in it`),
  });
  await crew.note(guest, { phase: 'closed' });
  expect(at(await clean({ dry_run: false }), worker)).toMatchObject({ action: 'remove' });
});

it(
  'a worktree whose record is lost is known by its mark, and two clean-ups at once remove it once',
  async () => {
    const worker = await landed('marked.txt');
    const other = await crew.open({ CREWMUX_HOME: crew.sandbox.dir('another home') });
    const both = await Promise.all([clean({ dry_run: false }, other), clean({ dry_run: false }, other)]);
    expect(both.map(({ removed_count }) => removed_count).sort()).toEqual([0, 1]);
    expect(existsSync(worker.worktreePath)).toBe(false);
  },
  unhurriedMs,
);

it('worktrees say whose they are, who is in them, and what state each is in', async () => {
  const [ada, ben] = [await crew.worker(), await crew.worker()];
  await crew.note(ada, { phase: 'live' });
  writeFileSync(join(ben.worktreePath, 'left.txt'), 'by ben\n');
  git('worktree', 'lock', '--reason', 'kept for ben', ben.worktreePath);
  git('worktree', 'add', '-q', '--detach', join(crew.sandbox.root, 'users own'));
  crew.git(ada.worktreePath, 'bisect', 'start');
  const listed = z.object({ worktrees: z.array(z.looseObject({ path: z.string() })), total: z.number() });
  const { worktrees, total } = await crew.call(listWorktrees, listed, { repo_path: crew.repo });
  expect(total).toBe(git('worktree', 'list').split('\n').length - 1);
  const named = (wanted: string) => worktrees.find(({ path }) => path === wanted);
  expect(named(ada.worktreePath)).toMatchObject({
    worker: `${ada.name} (${ada.id})`,
    in_use_by: [`${ada.name} (${ada.id})`],
    foreign: false,
    operation: 'bisect',
    base: 'main',
    locked: false,
  });
  expect(named(ben.worktreePath)).toMatchObject({
    foreign: false,
    dirty: true,
    locked: true,
    lock_reason: 'kept for ben',
  });
  expect(named(ben.worktreePath)).not.toHaveProperty('in_use_by');
  expect(named(join(crew.sandbox.root, 'users own'))).toMatchObject({ foreign: true, detached: true, branch: null });
});

it('a worker’s own git state is told with what was not finished, and what cannot be told says why', async () => {
  const { id, worktreePath } = await crew.worker();
  const examined = z.looseObject({ git: z.looseObject({}).nullable(), git_unreadable: z.string().optional() });
  const examine = () => crew.call(examineWorker, examined, { session_id: id });
  writeFileSync(join(worktreePath, 'new'), '');
  crew.git(worktreePath, 'checkout', '-q', '--detach');
  crew.git(worktreePath, 'commit', '-q', '--allow-empty', '-m', 'Adrift');
  expect((await examine()).git).toMatchObject({
    branch: null,
    base: 'main',
    ahead: 1,
    commits: ['Adrift'],
    dirty_files: 1,
    untracked_files: 1,
    detached: true,
    unreachable: true,
    merged: false,
  });
  rmSync(worktreePath, { recursive: true });
  expect(await examine()).toMatchObject({ git: null, git_unreadable: expect.stringContaining(worktreePath) });
});
