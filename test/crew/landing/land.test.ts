import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { checkConflicts } from '../../../src/tools/check-conflicts.ts';
import { diffWorker } from '../../../src/tools/diff-worker.ts';
import { openRestingCrew, type Resting, type RestingCrew } from '../../support/resting-crew.ts';
import { eventually } from '../../support/sandbox.ts';
import { unhurriedMs } from '../../support/unhurried.ts';
import { land } from './landed.ts';

let crew: RestingCrew;
beforeAll(async () => {
  crew = await openRestingCrew();
});
afterAll(() => crew.dispose());
beforeEach(() => void git('checkout', '-q', '-f', 'main'));

const git = (...args: string[]) => crew.git(crew.repo, ...args);
const tip = (ref = 'main') => git('rev-parse', ref);
const file = (name: string) => readFileSync(join(crew.repo, name), 'utf8');

/** Without looking for tests to run. */
const untested = { test_command: '' };

/** A worker that has written a file and committed nothing. */
async function writer(name: string, text: string): Promise<Resting> {
  const worker = await crew.worker();
  writeFileSync(join(worker.worktreePath, name), `${text}\n`);
  return worker;
}

it(
  'what a worker left uncommitted lands as one commit, and a clean checkout comes along',
  async () => {
    const worker = await writer('first.txt', 'one');
    const before = tip();
    const seen = await crew.call(diffWorker, z.looseObject({ diff: z.string() }), { session_id: worker.id });
    expect(seen).toMatchObject({ file_count: 1, additions: 1, uncommitted_files: 1 });
    expect(seen.diff).toContain('+one');
    const dry = await land(crew, worker, { dry_run: true });
    expect(dry).toMatchObject({ success: true, outcome: 'dry_run', from_commit: before });
    expect([tip(), tip(worker.branch)]).toEqual([before, before]);
    expect(await land(crew, worker)).toMatchObject({
      success: true,
      outcome: 'landed',
      from_commit: before,
      checkout: 'updated',
      leftovers_committed: 1,
    });
    expect(file('first.txt')).toBe('one\n');
    expect(git('status', '--porcelain')).toBe('');
    expect(git('rev-list', '--count', `${before}..main`)).toBe('1');
    expect(await land(crew, worker)).toMatchObject({ success: true, outcome: 'nothing' });
  },
  unhurriedMs,
);

it('a checkout with edits of other files comes along, and one with a file in the way refuses the landing by name', async () => {
  const worker = await writer('second.txt', 'two');
  writeFileSync(join(crew.repo, 'README.md'), 'my own words\n');
  writeFileSync(join(crew.repo, 'second.txt'), 'mine\n');
  const before = tip();
  for (const dry_run of [true, false])
    await expect(land(crew, worker, { dry_run, ...untested })).rejects.toMatchObject({
      code: 'checkout_in_the_way',
      message: expect.stringContaining(`${crew.repo}: second.txt`),
    });
  expect([tip(), file('second.txt')]).toEqual([before, 'mine\n']);
  rmSync(join(crew.repo, 'second.txt'));
  const whatLands = { files: ['second.txt'], file_count: 1 };
  expect(await land(crew, worker, { dry_run: true, ...untested })).toMatchObject(whatLands);
  expect(await land(crew, worker, untested)).toMatchObject({ success: true, checkout: 'updated', ...whatLands });
  expect([file('second.txt'), file('README.md')]).toEqual(['two\n', 'my own words\n']);
  expect(git('status', '--porcelain')).toBe(' M README.md');
  git('checkout', '-q', '--', 'README.md');
});

it('of two workers that disagree the second is bounced with the file, its owner, and a prompt', async () => {
  const [a, b] = [await writer('README.md', 'as a says'), await writer('README.md', 'as b says')];
  expect(await land(crew, a, untested)).toMatchObject({ outcome: 'landed' });
  const before = tip();
  const bounced = await land(crew, b, untested);
  expect(bounced).toMatchObject({ success: false, outcome: 'conflict' });
  expect(bounced.conflicts).toEqual([expect.objectContaining({ file: 'README.md' })]);
  expect(bounced.conflicts[0]?.theirs[0]?.owner).toBe(a.name);
  expect(bounced.prompt).toContain('git merge main');
  expect(tip()).toBe(before);
  expect(git('status', '--porcelain')).toBe('');
});

it(
  'a worker that goes on in the same lines lands again by any strategy, and each leaves the history it promises',
  async () => {
    const worker = await writer('again.txt', 'one');
    const foreseen = z.looseObject({ against_base: z.array(z.object({ conflicts: z.array(z.string()) }).loose()) });
    expect(await land(crew, worker, untested)).toMatchObject({ outcome: 'landed' });
    const parents = [];
    for (const [text, strategy] of [
      ['two', 'squash'],
      ['three', 'ff-only'],
      ['four', 'merge'],
    ]) {
      crew.commit(crew.repo, 'else.txt', `moved on before ${text}\n`);
      writeFileSync(join(worker.worktreePath, 'again.txt'), `${text}\n`);
      const told = await crew.call(checkConflicts, foreseen, { session_ids: [worker.id] });
      expect(told.against_base).toEqual([]);
      expect(await land(crew, worker, { strategy, ...untested })).toMatchObject({
        outcome: 'landed',
        checkout: 'updated',
      });
      expect(file('again.txt')).toBe(`${text}\n`);
      parents.push(git('log', '-1', '--format=%p', 'main').split(' ').length);
    }
    expect(parents).toEqual([1, 1, 2]);
    expect(git('log', '-1', '--format=%s')).toContain('Merge branch');
    expect(git('log', '--format=%p', `${worker.base?.sha}..${worker.branch}`).split('\n')).toEqual([
      ...Array(4).fill(expect.stringMatching(/^\w+$/)),
    ]);
  },
  unhurriedMs,
);

it('workers of two servers that land at the same moment both land, one after the other', async () => {
  const other = await crew.open();
  const writers = await Promise.all([writer('many-1.txt', '1'), writer('many-2.txt', '2')]);
  const before = tip();
  const told = await Promise.all(writers.map((worker, at) => land(at === 0 ? crew : other, worker, untested)));
  expect(told.map(({ outcome }) => outcome)).toEqual(['landed', 'landed']);
  const next = new Map(told.map(({ from_commit, to_commit }) => [from_commit, to_commit]));
  expect(next.get(next.get(before) ?? '')).toBe(tip());
  expect([file('many-1.txt'), file('many-2.txt')]).toEqual(['1\n', '2\n']);
  expect(git('status', '--porcelain')).toBe('');
});

it('a target in the worktree of another worker comes along, and that worker is named where a file is in the way', async () => {
  const lead = await crew.worker({ branch: 'lead' });
  await crew.note(lead, { phase: 'live' });
  const helper = await crew.worker({ base: 'lead' });
  const inLead = (name: string) => join(lead.worktreePath, name);
  writeFileSync(join(helper.worktreePath, 'help.txt'), 'help\n');
  writeFileSync(inLead('README.md'), 'half a thought\n');
  expect(await land(crew, helper, { into: 'lead', ...untested })).toMatchObject({
    outcome: 'landed',
    checkout: 'updated',
  });
  const inPlace = () => ['help.txt', 'README.md'].map((name) => readFileSync(inLead(name), 'utf8'));
  expect(inPlace()).toEqual(['help\n', 'half a thought\n']);
  writeFileSync(join(helper.worktreePath, 'more.txt'), 'more\n');
  writeFileSync(inLead('more.txt'), 'mine\n');
  await expect(land(crew, helper, untested)).rejects.toMatchObject({
    code: 'checkout_in_the_way',
    message: expect.stringContaining(`(${lead.name} works there): more.txt`),
  });
  expect([...inPlace(), readFileSync(inLead('more.txt'), 'utf8')]).toEqual(['help\n', 'half a thought\n', 'mine\n']);
});

it('close: true takes the worktree of what has landed, and keeps one that has something else by then', async () => {
  const [done, busy] = [await writer('done.txt', 'done'), await writer('busy.txt', 'busy')];
  expect(await land(crew, done, { close: true, ...untested })).toMatchObject({
    outcome: 'landed',
    closed: { worktree: 'removed' },
  });
  expect([existsSync(done.worktreePath), git('branch', '--list', done.branch)]).toEqual([false, `  ${done.branch}`]);
  const late = join(busy.worktreePath, 'late.txt');
  const tell = (line: string) => void (line.startsWith('testing') && writeFileSync(late, 'late\n'));
  const told = await land(crew, busy, { close: true, test_command: 'true' }, { tell });
  expect(told).toMatchObject({ outcome: 'landed', closed: { worktree: 'kept' } });
  expect(readFileSync(late, 'utf8')).toBe('late\n');
});

/** What a server leaves on disk that dies in its landing. */
function leaveJournal(worker: Resting, { from, to }: { from: string; to: string }): string {
  const folder = createHash('sha256').update(join(crew.repo, '.git')).digest('hex').slice(0, 16);
  const path = join(crew.sandbox.dir(`crewmux/landings/${folder}`), 'landing.json');
  const move = { from, to, source: tip(worker.branch), checkouts: [crew.repo], tests: 'none' };
  const journal = { v: 1, mark: 'm1', workerId: worker.id, repo: crew.repo, target: 'main', strategy: 'squash' };
  writeFileSync(path, JSON.stringify({ ...journal, move }));
  return path;
}

it('a server that died between files and branch has landed nothing, and the next takes the files back', async () => {
  const worker = await crew.author('fifth.txt', 'five\n');
  const from = tip();
  const to = git('commit-tree', `${worker.branch}^{tree}`, '-p', 'main', '-m', 'Killed');
  writeFileSync(join(crew.repo, 'README.md'), 'my own words\n');
  const path = leaveJournal(worker, { from, to });
  git('read-tree', '-m', '-u', from, to);
  expect(file('fifth.txt')).toBe('five\n');
  await crew.open();
  await eventually('the journal is done with', () => !existsSync(path));
  expect([tip(), existsSync(join(crew.repo, 'fifth.txt')), git('status', '--porcelain')]).toEqual([
    from,
    false,
    ' M README.md',
  ]);
  git('checkout', '-q', '--', 'README.md');
});

it('a landing whose branch had moved when its server died is told, and its checkout catches up', async () => {
  const worker = await crew.author('sixth.txt', 'six\n');
  const from = tip();
  const to = git('commit-tree', `${worker.branch}^{tree}`, '-p', 'main', '-m', 'Landed and killed');
  const path = leaveJournal(worker, { from, to });
  git('update-ref', 'refs/heads/main', to);
  expect(git('status', '--porcelain')).not.toBe('');
  await crew.open();
  await eventually('the journal is done with', () => !existsSync(path));
  expect(git('status', '--porcelain')).toBe('');
  expect((await crew.events(worker)).at(-1)).toMatchObject({
    type: 'landed',
    data: { from, to, after: 'the server that began it was killed' },
  });
});
