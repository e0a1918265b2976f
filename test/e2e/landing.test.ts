import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { mergeWorker } from '../../src/tools/merge-worker.ts';
import { eventually } from '../support/sandbox.ts';
import { openStand, type Server, type Stand, type Worker } from './crew.ts';

let stand: Stand;
let server: Server;
beforeAll(async () => {
  stand = openStand();
  server = await stand.serve();
});
afterAll(() => stand.dispose());
beforeEach(() => void git('checkout', '-q', '-f', 'main'));

const git = (...args: string[]) => stand.sandbox.git(stand.repo, ...args);
const tip = (ref = 'main') => git('rev-parse', ref);
const file = (name: string) => readFileSync(join(stand.repo, name), 'utf8');

const landing = z.looseObject({
  success: z.boolean(),
  outcome: z.string(),
  from_commit: z.string(),
  to_commit: z.string(),
  checkout: z.string(),
  files: z.array(z.string()),
  reason: z.string().optional(),
  prompt: z.string().optional(),
  conflicts: z.array(z.object({ file: z.string(), theirs: z.array(z.object({ owner: z.string().optional() })) })),
  tests: z.object({ status: z.string(), output: z.string() }),
});
const land = (of: Worker, more = {}) => server.call(mergeWorker.name, landing, { session_id: of.name, ...more });

/** A worker that has written a file, committed or not, and is idle again. */
async function writer(name: string, text: string): Promise<Worker> {
  const worker = await server.one({ prompt: `WRITE ${name} ${text}\nSAY done` });
  await server.wait([worker]);
  return worker;
}

it('what a worker left uncommitted lands as one commit, and a clean checkout comes along', async () => {
  const worker = await writer('first.txt', 'one');
  const before = tip();
  const seen = await server.call('diff_worker', z.looseObject({ diff: z.string() }), { session_id: worker.name });
  expect(seen).toMatchObject({ file_count: 1, additions: 1, uncommitted_files: 1 });
  expect(seen.diff).toContain('+one');
  const dry = await land(worker, { dry_run: true });
  expect(dry).toMatchObject({ success: true, outcome: 'dry_run', from_commit: before });
  expect([tip(), tip(worker.branch)]).toEqual([before, before]);
  expect(await land(worker)).toMatchObject({
    success: true,
    outcome: 'landed',
    from_commit: before,
    checkout: 'updated',
    leftovers_committed: 1,
  });
  expect(file('first.txt').trim()).toBe('one');
  expect(git('status', '--porcelain')).toBe('');
  expect(git('rev-list', '--count', `${before}..main`)).toBe('1');
  expect(await land(worker)).toMatchObject({ success: true, outcome: 'nothing' });
});

it('a checkout with edits of other files comes along, and one with a file in the way refuses the landing by name', async () => {
  const worker = await writer('second.txt', 'two');
  writeFileSync(join(stand.repo, 'README.md'), 'my own words\n');
  writeFileSync(join(stand.repo, 'second.txt'), 'mine\n');
  const before = tip();
  for (const dry_run of [true, false])
    await expect(land(worker, { dry_run })).rejects.toMatchObject({
      code: 'checkout_in_the_way',
      message: expect.stringContaining(`${stand.repo}: second.txt`),
    });
  expect([tip(), file('second.txt')]).toEqual([before, 'mine\n']);
  rmSync(join(stand.repo, 'second.txt'));
  expect(await land(worker, { dry_run: true })).toMatchObject({ files: ['second.txt'], file_count: 1 });
  const told = await land(worker);
  expect(told).toMatchObject({ success: true, checkout: 'updated', files: ['second.txt'], file_count: 1 });
  expect([file('second.txt').trim(), file('README.md')]).toEqual(['two', 'my own words\n']);
  expect(git('status', '--porcelain')).toBe(' M README.md');
});

it('two workers that disagree: the second is bounced with the file, its owner, and a prompt', async () => {
  const [a, b] = [await writer('README.md', 'as a says'), await writer('README.md', 'as b says')];
  expect(await land(a)).toMatchObject({ outcome: 'landed' });
  const before = tip();
  const bounced = await land(b, { send_back: true });
  expect(bounced).toMatchObject({ success: false, outcome: 'conflict', sent_back: { verdict: 'submitted' } });
  expect(bounced.conflicts).toEqual([expect.objectContaining({ file: 'README.md' })]);
  expect(bounced.conflicts[0]?.theirs[0]?.owner).toBe(a.name);
  expect(bounced.prompt).toContain('git merge main');
  expect(tip()).toBe(before);
  expect(git('status', '--porcelain')).toBe('');
});

it('what fails its tests does not land, and everything the tests started is gone', async () => {
  const worker = await writer('third.txt', 'three');
  const before = tip();
  const pidFile = join(stand.sandbox.root, 'pid');
  const failed = await land(worker, { test_command: `sleep 1000 & echo $! >${pidFile}; echo broken; exit 3` });
  expect(failed).toMatchObject({ success: false, outcome: 'checks_failed', tests: { status: 'failed' } });
  expect(failed.tests.output).toContain('broken');
  expect(tip()).toBe(before);
  expect(await land(worker, { test_command: 'test -f third.txt' })).toMatchObject({ tests: { status: 'passed' } });
  expect(git('worktree', 'list')).not.toContain('scratch');
});

it('each strategy leaves the history it promises, and the branch as it was', async () => {
  const merged = await writer('fourth.txt', 'four');
  expect(await land(merged, { strategy: 'merge' })).toMatchObject({ outcome: 'landed' });
  expect(git('rev-list', '--parents', '-n', '1', 'main').split(' ')).toHaveLength(3);
  const rebased = await writer('fifth.txt', 'five');
  writeFileSync(join(stand.repo, 'else.txt'), 'moved on\n');
  git('add', '.');
  git('commit', '-q', '-m', 'Move on');
  expect(await land(rebased, { strategy: 'ff-only' })).toMatchObject({ outcome: 'landed', checkout: 'updated' });
  expect(git('rev-list', '--merges', 'main^..main')).toBe('');
  expect(file('fifth.txt').trim()).toBe('five');
  expect(git('rev-list', '--count', `main..${rebased.branch}`)).toBe('1');
});

it('a worker that goes on in the same lines after it has landed lands again, by any strategy', async () => {
  const worker = await writer('again.txt', 'one');
  const foreseen = z.looseObject({ against_base: z.array(z.object({ conflicts: z.array(z.string()) }).loose()) });
  expect(await land(worker)).toMatchObject({ outcome: 'landed' });
  for (const [text, strategy] of [
    ['two', 'squash'],
    ['three', 'ff-only'],
    ['four', 'merge'],
  ]) {
    await server.message(worker, `WRITE again.txt ${text}\nSAY done`, { wait_mode: 'all' });
    const told = await server.call('check_conflicts', foreseen, { session_ids: [worker.name] });
    expect(told.against_base.flatMap(({ conflicts }) => conflicts)).toEqual([]);
    expect(await land(worker, { strategy })).toMatchObject({ outcome: 'landed', checkout: 'updated' });
    expect(file('again.txt').trim()).toBe(text);
  }
  expect(git('log', '--format=%s', 'main')).toContain('Merge branch');
}, 60_000);

it('workers that land at the same moment all land, one after the other', async () => {
  const writers = await Promise.all([1, 2, 3, 4, 5].map((n) => writer(`many-${n}.txt`, String(n))));
  const results = await Promise.all(writers.map((worker) => land(worker)));
  expect(results.map(({ outcome }) => outcome)).toEqual(writers.map(() => 'landed'));
  for (const n of [1, 2, 3, 4, 5]) expect(file(`many-${n}.txt`).trim()).toBe(String(n));
  expect(git('status', '--porcelain')).toBe('');
}, 60_000);

it('a landing that is killed in its tests lands the next time, and its scratch worktree is gone', async () => {
  const other = openStand();
  try {
    const first = await other.serve();
    const worker = await first.one({ prompt: 'WRITE late.txt late\nSAY done' });
    await first.wait([worker]);
    const started = join(other.sandbox.root, 'started');
    const lost = first
      .call(mergeWorker.name, landing, {
        session_id: worker.name,
        test_command: `touch ${started}; while [ -d ${other.sandbox.root} ]; do sleep 0.1; done`,
      })
      .catch(() => undefined);
    await eventually('its tests run', () => existsSync(started));
    process.kill(first.connection.pid, 'SIGKILL');
    await lost;
    const second = await other.serve();
    const told = await second.call(mergeWorker.name, landing, { session_id: worker.name });
    expect(told).toMatchObject({ outcome: 'landed', checkout: 'updated' });
    expect(other.sandbox.git(other.repo, 'worktree', 'list')).not.toContain('scratch');
    expect(readFileSync(join(other.repo, 'late.txt'), 'utf8').trim()).toBe('late');
  } finally {
    await other.dispose();
  }
});

it('a server that died between files and branch has landed nothing, and the next takes the files back', async () => {
  const worker = await writer('sixth.txt', 'six');
  writeFileSync(join(stand.repo, 'README.md'), 'my own words\n');
  await land(worker);
  const journal = { from: tip(), to: git('commit-tree', `${worker.branch}^{tree}`, '-p', 'main', '-m', 'Killed') };
  writeFileSync(join(worker.worktree_path ?? '', 'sixth.txt'), 'six again\n');
  stand.sandbox.git(worker.worktree_path ?? '', 'commit', '-q', '-a', '-m', 'Again');
  journal.to = git('commit-tree', `${worker.branch}^{tree}`, '-p', 'main', '-m', 'Killed');
  await leaveJournal(worker, journal);
  git('read-tree', '-m', '-u', journal.from, journal.to);
  expect(file('sixth.txt')).toBe('six again\n');
  await stand.serve();
  await eventually('the journal is done with', () => !existsSync(journalPath()));
  expect([tip(), file('sixth.txt').trim(), git('status', '--porcelain')]).toEqual([
    journal.from,
    'six',
    ' M README.md',
  ]);
});

it('a landing whose branch had moved when its server died is told, and its checkout catches up', async () => {
  const worker = await writer('seventh.txt', 'seven');
  await land(worker);
  const from = tip();
  const to = git('commit-tree', 'main^^{tree}', '-p', 'main', '-m', 'Landed and killed');
  await leaveJournal(worker, { from, to });
  git('update-ref', 'refs/heads/main', to);
  expect(git('status', '--porcelain')).not.toBe('');
  await stand.serve();
  await eventually('the journal is done with', () => !existsSync(journalPath()));
  expect(git('status', '--porcelain')).toBe('');
});

function journalPath(): string {
  const root = join(stand.sandbox.root, 'crewmux', 'landings');
  return join(root, readdirSync(root)[0] ?? '', 'landing.json');
}

async function leaveJournal(worker: Worker, { from, to }: { from: string; to: string }): Promise<void> {
  const move = { from, to, source: tip(worker.branch), checkouts: [stand.repo], tests: 'none' };
  const entry = { v: 1, mark: 'm1', workerId: worker.session_id, repo: stand.repo, target: 'main', strategy: 'squash' };
  writeFileSync(journalPath(), JSON.stringify({ ...entry, move }));
}
