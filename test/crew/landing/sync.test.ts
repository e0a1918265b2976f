import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { processStart } from '../../../src/system/process.ts';
import { syncWorker } from '../../../src/tools/sync-worker.ts';
import { type Caller, openRestingCrew, type Resting, type RestingCrew } from '../../support/resting-crew.ts';
import { land } from './landed.ts';

let crew: RestingCrew;
beforeAll(async () => {
  crew = await openRestingCrew();
  crew.commit(crew.repo, '.gitignore', '*.secret\n');
});
afterAll(() => crew.dispose());

const git = (cwd: string, ...args: string[]) => crew.git(cwd, ...args);
const tip = (ref: string) => git(crew.repo, 'rev-parse', ref);
const author = (file: string, text: string) => crew.author(file, text);

/** Somebody else's work on a branch, without touching any checkout but the main one. */
const gain = (file: string, text: string): string => crew.commit(crew.repo, file, text, `Gain ${file}`);

const answered = z.looseObject({
  success: z.boolean(),
  outcome: z.string(),
  strategy: z.string(),
  before: z.string(),
  after: z.string(),
  backup_ref: z.string().nullable(),
  reason: z.string().optional(),
  prompt: z.string().optional(),
  conflicts: z.array(
    z.object({ file: z.string(), ours: z.array(z.looseObject({})), theirs: z.array(z.looseObject({})) }),
  ),
});
const sync = (of: Resting, more = {}, by: Caller = crew) =>
  by.call(syncWorker, answered, { session_id: of.id, ...more });

/** Everything git can tell of a worktree. */
const look = ({ worktreePath: at, branch }: Resting) => [
  git(at, 'rev-parse', 'HEAD', branch),
  git(at, 'ls-files', '-s'),
  git(at, 'status', '--porcelain', '-uall', '--ignored'),
];

it('a rebase puts the own commits on what the base has gained, and keeps the branch as it was', async () => {
  const ada = await author('ada.txt', 'ada\n');
  writeFileSync(join(ada.worktreePath, 'note.txt'), 'untracked\n');
  const before = tip(ada.branch);
  const gained = gain('gained.txt', 'gained\n');
  const told = await sync(ada);
  expect(told).toMatchObject({ success: true, outcome: 'synced', strategy: 'rebase', before, commits_replayed: 1 });
  expect([told.after, tip(`${ada.branch}~1`), tip(told.backup_ref ?? '')]).toEqual([tip(ada.branch), gained, before]);
  expect(told.backup_ref).toContain(`refs/crewmux/before-sync/${ada.id}/`);
  expect(readFileSync(join(ada.worktreePath, 'gained.txt'), 'utf8')).toBe('gained\n');
  expect(git(ada.worktreePath, 'status', '--porcelain')).toBe('?? note.txt');
  expect(await sync(ada)).toMatchObject({ success: true, outcome: 'nothing', after: told.after, backup_ref: null });
  expect((await crew.events(ada)).map(({ type }) => type)).toContain('synced');
  expect(await land(crew, ada, { test_command: '' })).toMatchObject({ outcome: 'landed' });
});

it('a merge keeps the own commits as they are, and another branch can be named', async () => {
  const ada = await author('merged.txt', 'mine\n');
  const before = tip(ada.branch);
  git(crew.repo, 'branch', '-f', 'other', gain('other.txt', 'other\n'));
  const told = await sync(ada, { strategy: 'merge', from: 'other' });
  expect(told).toMatchObject({ outcome: 'synced', strategy: 'merge', from: 'other', commits_replayed: 0 });
  expect(git(crew.repo, 'log', '-1', '--format=%P', ada.branch)).toBe(`${before} ${tip('other')}`);
  expect(git(ada.worktreePath, 'status', '--porcelain')).toBe('');
});

it('commits that were pushed are merged into, not rewritten, unless a rebase is asked for', async () => {
  const ada = await author('pushed.txt', 'mine\n');
  git(crew.repo, 'update-ref', `refs/remotes/origin/${ada.branch}`, ada.branch);
  gain('after-push.txt', 'more\n');
  expect(await sync(ada)).toMatchObject({ outcome: 'synced', strategy: 'merge' });
  gain('after-push.txt', 'even more\n');
  expect(await sync(ada, { strategy: 'rebase' })).toMatchObject({
    outcome: 'synced',
    strategy: 'rebase',
    hint: expect.stringContaining('a plain push will be rejected'),
  });
});

it.each(['rebase', 'merge'])(
  'a %s that conflicts changes nothing and names the file and both sides',
  async (strategy) => {
    const ada = await author('README.md', `as the worker of ${strategy} says\n`);
    gain('README.md', `as the base says in ${strategy}\n`);
    writeFileSync(join(ada.worktreePath, 'kept.secret'), 'secret\n');
    const before = look(ada);
    const told = await sync(ada, { strategy });
    expect(told).toMatchObject({ success: false, outcome: 'conflict', backup_ref: null });
    expect(told.after).toBe(told.before);
    expect(told.conflicts).toEqual([
      {
        file: 'README.md',
        ours: [expect.objectContaining({ subject: 'Write README.md' })],
        theirs: [expect.objectContaining({ subject: 'Gain README.md' })],
      },
    ]);
    expect(told.prompt).toContain('git merge main');
    expect(look(ada)).toEqual(before);
  },
);

it('a tracked file that has changed, and an ignored one that the base has a file for, are not written over', async () => {
  const ada = await author('own.txt', 'own\n');
  gain('tracked.txt', 'x\n');
  writeFileSync(join(ada.worktreePath, 'own.txt'), 'changed\n');
  const changed = look(ada);
  await expect(sync(ada)).rejects.toMatchObject({
    code: 'would_lose_work',
    message: expect.stringContaining('1 tracked file has'),
  });
  expect(look(ada)).toEqual(changed);
  git(ada.worktreePath, 'checkout', '-q', '--', 'own.txt');
  writeFileSync(join(ada.worktreePath, 'key.secret'), 'mine\n');
  writeFileSync(join(crew.repo, 'key.secret'), 'theirs\n');
  git(crew.repo, 'add', '-f', 'key.secret');
  git(crew.repo, 'commit', '-q', '-m', 'Track a secret');
  const before = look(ada);
  expect(await sync(ada)).toMatchObject({
    success: false,
    outcome: 'refused',
    reason: expect.stringContaining('key.secret'),
  });
  expect(look(ada)).toEqual(before);
  expect(readFileSync(join(ada.worktreePath, 'key.secret'), 'utf8')).toBe('mine\n');
});

it('hooks, signing and editors of the repository neither stop a sync nor ask anybody', async () => {
  const ada = await author('hooked.txt', 'x\n');
  gain('unhooked.txt', 'x\n');
  const hooks = join(crew.sandbox.root, 'hooks');
  mkdirSync(hooks);
  for (const name of ['pre-rebase', 'pre-commit', 'prepare-commit-msg', 'commit-msg', 'pre-merge-commit']) {
    writeFileSync(join(hooks, name), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  }
  const set: [string, string][] = [
    ['core.hooksPath', hooks],
    ['commit.gpgSign', 'true'],
    ['gpg.program', 'false'],
    ['core.editor', 'false'],
  ];
  for (const [key, value] of set) git(crew.repo, 'config', key, value);
  try {
    expect(await sync(ada, { strategy: 'merge' })).toMatchObject({ outcome: 'synced', strategy: 'merge' });
    git(crew.repo, '-c', 'core.hooksPath=', 'commit', '-q', '--no-gpg-sign', '--allow-empty', '-m', 'On');
    expect(await sync(ada, { strategy: 'rebase' })).toMatchObject({ outcome: 'synced', strategy: 'rebase' });
  } finally {
    for (const [key] of set) git(crew.repo, 'config', '--unset', key);
  }
});

it('two who sync the same worker at once sync it once', async () => {
  const ada = await author('twice.txt', 'x\n');
  gain('once.txt', 'x\n');
  const told = await Promise.all([sync(ada), sync(ada)]);
  expect(told.map(({ outcome }) => outcome).sort()).toEqual(['nothing', 'synced']);
});

it('a worker of another server that lives is that one to sync', async () => {
  const ada = await author('theirs.txt', 'x\n');
  const pid = process.ppid;
  await crew.note(ada, { phase: 'live', manager: { pid, processStart: (await processStart(pid)) ?? '' } });
  await expect(sync(ada)).rejects.toMatchObject({ code: 'owned_by_another' });
});

/** As a server leaves a worktree that is killed after it has begun to change its files. */
async function halfSynced(file: string): Promise<Resting> {
  const ada = await author(file, 'x\n');
  const from = tip(ada.branch);
  gain(`gained-${file}`, 'gained\n');
  const to = git(crew.repo, 'commit-tree', 'main^{tree}', '-p', 'main', '-p', from, '-m', 'Merge');
  const journal = join(crew.sandbox.dir(`crewmux/workers/${ada.id}`), 'syncing.json');
  writeFileSync(journal, JSON.stringify({ v: 1, mark: 'm1', path: ada.worktreePath, branch: ada.branch, from, to }));
  writeFileSync(join(ada.worktreePath, `gained-${file}`), 'gained\n');
  return ada;
}

it('a landing after a killed sync does not take half of it for the work of the worker', async () => {
  const ada = await halfSynced('half.txt');
  expect(await land(crew, ada, { test_command: '' })).toMatchObject({ outcome: 'landed', leftovers_committed: 0 });
  expect(git(crew.repo, 'log', '-1', '--format=%s', '--name-only', 'main')).toBe('Write half.txt\n\nhalf.txt');
  expect(existsSync(join(ada.worktreePath, 'gained-half.txt'))).toBe(false);
});

it('a sync after one that was killed mends what it left, tells of it, and is done', async () => {
  const ada = await halfSynced('mended.txt');
  expect(await sync(ada)).toMatchObject({ outcome: 'synced', strategy: 'rebase', commits_replayed: 1 });
  expect(await crew.events(ada)).toContainEqual({
    type: 'reconciled',
    data: { what: 'a sync that was cut short', sync: 'undone' },
  });
  expect(git(ada.worktreePath, 'status', '--porcelain')).toBe('');
});
