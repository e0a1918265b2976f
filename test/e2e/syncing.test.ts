import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { syncWorker } from '../../src/tools/sync-worker.ts';
import { eventually } from '../support/sandbox.ts';
import { openStand, type Server, type Stand, type Worker } from './crew.ts';

let stand: Stand;
let server: Server;
beforeAll(async () => {
  stand = openStand();
  writeFileSync(join(stand.repo, '.gitignore'), '*.secret\n');
  commit(stand.repo, 'Ignore secrets');
  server = await stand.serve();
});
afterAll(() => stand.dispose());

const git = (cwd: string, ...args: string[]) => stand.sandbox.git(cwd, ...args);
const tip = (ref: string) => git(stand.repo, 'rev-parse', ref);

function commit(at: string, subject: string): string {
  git(at, 'add', '-A');
  git(at, 'commit', '-q', '-m', subject);
  return git(at, 'rev-parse', 'HEAD');
}

/** Somebody else's work on a branch, without touching any checkout but the main one. */
function gain(file: string, text: string): string {
  writeFileSync(join(stand.repo, file), text);
  return commit(stand.repo, `Gain ${file}`);
}

interface Idle extends Worker {
  readonly branch: string;
  readonly worktree_path: string;
}

/** A worker at rest, with one commit of its own. */
async function author(file: string, text: string, at = server): Promise<Idle> {
  const worker = await at.one({ prompt: 'SAY ready' });
  await at.wait([worker]);
  const { branch, worktree_path } = worker;
  if (branch === undefined || worktree_path === undefined) throw new Error('no worktree');
  writeFileSync(join(worktree_path, file), text);
  commit(worktree_path, `Write ${file}`);
  return { ...worker, branch, worktree_path };
}

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
const sync = (of: Worker, more = {}, at = server) =>
  at.call(syncWorker.name, answered, { session_id: of.name, ...more });

/** Everything git can tell of a worktree. */
const look = ({ worktree_path: at, branch }: Idle) => [
  git(at, 'rev-parse', 'HEAD', branch),
  git(at, 'ls-files', '-s'),
  git(at, 'status', '--porcelain', '-uall', '--ignored'),
];

it('a rebase puts the own commits on what the base has gained, and keeps the branch as it was', async () => {
  const ada = await author('ada.txt', 'ada\n');
  writeFileSync(join(ada.worktree_path, 'note.txt'), 'untracked\n');
  const before = tip(ada.branch);
  const gained = gain('gained.txt', 'gained\n');
  const told = await sync(ada);
  expect(told).toMatchObject({ success: true, outcome: 'synced', strategy: 'rebase', before, commits_replayed: 1 });
  expect([told.after, tip(`${ada.branch}~1`), tip(told.backup_ref ?? '')]).toEqual([tip(ada.branch), gained, before]);
  expect(told.backup_ref).toContain(`refs/crewmux/before-sync/${ada.session_id}/`);
  expect(readFileSync(join(ada.worktree_path, 'gained.txt'), 'utf8')).toBe('gained\n');
  expect(git(ada.worktree_path, 'status', '--porcelain')).toBe('?? note.txt');
  expect(await sync(ada)).toMatchObject({ success: true, outcome: 'nothing', after: told.after, backup_ref: null });
  const { events } = await server.call('poll_worker_changes', z.looseObject({ events: z.array(z.looseObject({})) }));
  expect(events).toContainEqual(expect.objectContaining({ type: 'synced', worker_id: ada.session_id }));
  const merged = await server.call('merge_worker', answered.partial(), { session_id: ada.name });
  expect(merged).toMatchObject({ outcome: 'landed' });
});

it('a merge keeps the own commits as they are, and another branch can be named', async () => {
  const ada = await author('merged.txt', 'mine\n');
  const before = tip(ada.branch);
  git(stand.repo, 'branch', '-f', 'other', gain('other.txt', 'other\n'));
  const told = await sync(ada, { strategy: 'merge', from: 'other' });
  expect(told).toMatchObject({ outcome: 'synced', strategy: 'merge', from: 'other', commits_replayed: 0 });
  expect(git(stand.repo, 'log', '-1', '--format=%P', ada.branch)).toBe(`${before} ${tip('other')}`);
  expect(git(ada.worktree_path, 'status', '--porcelain')).toBe('');
});

it('commits that were pushed are merged into, not rewritten, unless a rebase is asked for', async () => {
  const ada = await author('pushed.txt', 'mine\n');
  git(stand.repo, 'update-ref', `refs/remotes/origin/${ada.branch}`, ada.branch);
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
    writeFileSync(join(ada.worktree_path, 'kept.secret'), 'secret\n');
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

it('a worker that works, or has changed a tracked file, is left alone', async () => {
  const ada = await author('busy.txt', 'busy\n');
  gain('while-busy.txt', 'x\n');
  await server.message(ada, 'HOLD busy\nSAY done');
  const before = look(ada);
  await expect(sync(ada)).rejects.toMatchObject({ code: 'worker_busy' });
  stand.release('busy');
  await server.wait([ada]);
  writeFileSync(join(ada.worktree_path, 'busy.txt'), 'changed\n');
  await expect(sync(ada)).rejects.toMatchObject({ code: 'would_lose_work', message: /1 tracked files/ });
  git(ada.worktree_path, 'checkout', '-q', '--', 'busy.txt');
  expect(look(ada)).toEqual(before);
  expect(await sync(ada)).toMatchObject({ outcome: 'synced' });
});

it('an ignored file that the base has a file for is not written over', async () => {
  const ada = await author('own.txt', 'own\n');
  writeFileSync(join(ada.worktree_path, 'key.secret'), 'mine\n');
  writeFileSync(join(stand.repo, 'key.secret'), 'theirs\n');
  git(stand.repo, 'add', '-f', 'key.secret');
  git(stand.repo, 'commit', '-q', '-m', 'Track a secret');
  const before = look(ada);
  expect(await sync(ada)).toMatchObject({
    success: false,
    outcome: 'refused',
    reason: expect.stringContaining('key.secret'),
  });
  expect(look(ada)).toEqual(before);
  expect(readFileSync(join(ada.worktree_path, 'key.secret'), 'utf8')).toBe('mine\n');
});

it('hooks, signing and editors of the repository neither stop a sync nor ask anybody', async () => {
  const ada = await author('hooked.txt', 'x\n');
  gain('unhooked.txt', 'x\n');
  const hooks = join(stand.sandbox.root, 'hooks');
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
  for (const [key, value] of set) git(stand.repo, 'config', key, value);
  try {
    expect(await sync(ada, { strategy: 'merge' })).toMatchObject({ outcome: 'synced', strategy: 'merge' });
    git(stand.repo, '-c', 'core.hooksPath=', 'commit', '-q', '--no-gpg-sign', '--allow-empty', '-m', 'On');
    expect(await sync(ada, { strategy: 'rebase' })).toMatchObject({ outcome: 'synced', strategy: 'rebase' });
  } finally {
    for (const [key] of set) git(stand.repo, 'config', '--unset', key);
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
  const other = await stand.serve();
  await expect(sync(ada, {}, other)).rejects.toMatchObject({ code: 'owned_by_another' });
  await other.connection.close();
});

/** A filter holds every checkout of `slow.txt` in the worktree of a worker until a file is there. */
function slowFile(ada: Idle) {
  const [reached, go] = [
    join(stand.sandbox.root, `${ada.branch}-reached`),
    join(stand.sandbox.root, `${ada.branch}-go`),
  ];
  const script = join(stand.sandbox.root, `${ada.branch}.sh`);
  const waits = `case "$PWD" in */${ada.branch}) touch ${reached}; while [ ! -e ${go} ]; do sleep 0.05; done;; esac; cat`;
  writeFileSync(script, waits);
  git(stand.repo, 'config', 'filter.slow.smudge', `sh ${script}`);
  git(stand.repo, 'config', 'filter.slow.clean', 'cat');
  writeFileSync(join(stand.repo, '.gitattributes'), 'slow.txt filter=slow\n');
  gain('slow.txt', `${ada.branch}\n`);
  return { reached: () => existsSync(reached), go: () => writeFileSync(go, '') };
}

it('a message sent meanwhile reaches the worker when its files have changed, and not before', async () => {
  const ada = await author('spoken.txt', 'x\n');
  const slow = slowFile(ada);
  const synced = sync(ada);
  await eventually('its files change', slow.reached);
  let isSent = false;
  const sent = server.message(ada, 'SAY heard').finally(() => {
    isSent = true;
  });
  await server.look(ada.session_id);
  expect(isSent).toBe(false);
  slow.go();
  expect(await synced).toMatchObject({ outcome: 'synced' });
  expect(await sent).toMatchObject({ verdict: 'submitted' });
  await server.wait([ada]);
  expect(await server.lastWords(ada)).toContain('heard');
});

it('a person who begins a turn meanwhile is told of', async () => {
  const ada = await author('typed.txt', 'x\n');
  const slow = slowFile(ada);
  const synced = sync(ada);
  await eventually('its files change', slow.reached);
  stand.keys(ada, 'HOLD typed', 'Enter');
  await server.until(ada.session_id, 'working');
  slow.go();
  expect(await synced).toMatchObject({
    outcome: 'synced',
    hint: expect.stringContaining(`${ada.name} is working by now`),
  });
  stand.release('typed');
  await server.wait([ada]);
});

it('a landing after a killed sync does not take half of it for the work of the worker', async () => {
  const first = await stand.serve();
  const ada = await author('half.txt', 'x\n', first);
  const slow = slowFile(ada);
  const lost = sync(ada, {}, first).catch(() => undefined);
  await eventually('its files change', slow.reached);
  process.kill(first.connection.pid, 'SIGKILL');
  await lost;
  slow.go();
  const landed = await server.call('merge_worker', z.looseObject({}), { session_id: ada.name });
  expect(landed).toMatchObject({ outcome: 'landed', leftovers_committed: 0 });
  expect(git(stand.repo, 'log', '-1', '--format=%s', '--name-only', 'main')).toBe('Write half.txt\n\nhalf.txt');
});

it('a sync killed while files change is mended by the next server, and can be done again', async () => {
  const first = await stand.serve();
  const ada = await author('killed.txt', 'x\n', first);
  const before = tip(ada.branch);
  const slow = slowFile(ada);
  const lost = sync(ada, {}, first).catch(() => undefined);
  await eventually('its files change', slow.reached);
  process.kill(first.connection.pid, 'SIGKILL');
  await lost;
  await expect(sync(ada)).rejects.toMatchObject({
    code: 'would_lose_work',
    message: expect.stringContaining('its git is still at work there'),
  });
  slow.go();
  expect(await sync(ada)).toMatchObject({ success: true, outcome: 'nothing' });
  const { events } = await server.call('poll_worker_changes', z.looseObject({ events: z.array(z.looseObject({})) }));
  expect(events).toContainEqual(
    expect.objectContaining({ type: 'reconciled', data: { what: 'a sync that was cut short', sync: 'finished' } }),
  );
  expect(git(stand.repo, 'merge-base', '--is-ancestor', 'main', ada.branch)).toBe('');
  expect(git(ada.worktree_path, 'status', '--porcelain')).toBe('');
  const kept = git(stand.repo, 'for-each-ref', '--format=%(objectname)', `refs/crewmux/before-sync/${ada.session_id}`);
  expect(kept.split('\n')).toContain(before);
});
