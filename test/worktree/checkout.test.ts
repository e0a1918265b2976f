import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { isStepThere, lookAtCheckout, movesSince } from '../../src/worktree/checkout.ts';
import { type FolderFacts, inspectFolder } from '../../src/worktree/inspect.ts';
import { moveBranch } from '../../src/worktree/landing/move.ts';
import { makeSandbox, type Sandbox } from '../support/sandbox.ts';

let box: Sandbox;
let path: string;
let repo: FolderFacts;
let back: () => void;
beforeAll(async () => {
  box = makeSandbox();
  path = box.repo('app');
  const found = await inspectFolder({ path, env: box.env });
  if (found === undefined) throw new Error('no repository');
  repo = found;
  back = box.keep();
});
afterEach(() => back());
afterAll(() => box.dispose());

const at = (name: string) => join(path, name);
const look = (except: readonly string[] = []) => lookAtCheckout({ repo, at: Date.now(), except });
const commit = (name: string) => {
  writeFileSync(at(name), `${name}\n`);
  box.git(path, 'add', name);
  box.git(path, 'commit', '-q', '-m', `Add ${name}`);
  return box.git(path, 'rev-parse', 'HEAD');
};

it('a clean checkout shows its commit and no mark', async () => {
  expect(await look()).toMatchObject({ branch: 'main', head: box.git(path, 'rev-parse', 'HEAD'), marks: {} });
});

it('every kind of change has a mark of now, whatever its file claims of its age', async () => {
  const from = Date.now() - 50;
  writeFileSync(at('ä b\n.txt'), 'x');
  utimesSync(at('ä b\n.txt'), 1, 1);
  writeFileSync(at('README.md'), 'changed\n');
  symlinkSync('/nowhere', at('link'));
  mkdirSync(at('a/b'), { recursive: true });
  writeFileSync(at('a/b/c'), '');
  const { marks } = await look();
  expect(Object.keys(marks).sort()).toEqual(['README.md', 'a/b/c', 'link', 'ä b\n.txt']);
  for (const { at: changed } of Object.values(marks)) expect(changed).toBeGreaterThan(from);
});

it('a file that is gone has the time of its folder, and of the next above where that is gone too', async () => {
  mkdirSync(at('deep/er'), { recursive: true });
  writeFileSync(at('deep/er/file'), '');
  box.git(path, 'add', '.');
  box.git(path, 'commit', '-q', '-m', 'Deep');
  const from = Date.now() - 50;
  rmSync(at('deep'), { recursive: true });
  const { marks } = await look();
  expect(marks['deep/er/file']).toMatchObject({ print: 'gone' });
  expect(marks['deep/er/file']?.at).toBeGreaterThan(from);
});

it('a mark changes with content, mode and kind, and with nothing else', async () => {
  const print = async () => (await look()).marks.file?.print;
  writeFileSync(at('file'), 'one');
  const first = await print();
  expect(await print()).toBe(first);
  box.git(path, 'add', 'file');
  expect(await print()).toBe(first);
  chmodSync(at('file'), 0o755);
  const second = await print();
  expect(second).not.toBe(first);
  rmSync(at('file'));
  symlinkSync('one', at('file'));
  expect(await print()).not.toBe(second);
});

it('a file that was moved here is as young as the move', async () => {
  const elsewhere = join(box.dir('elsewhere'), 'file');
  writeFileSync(elsewhere, '');
  utimesSync(elsewhere, 1, 1);
  const from = Date.now() - 50;
  renameSync(elsewhere, at('file'));
  expect((await look()).marks.file?.at).toBeGreaterThan(from);
});

it('worktrees in the checkout are no part of it', async () => {
  box.git(path, 'worktree', 'add', '-q', '-b', 'ada', at('trees/ada'));
  expect(Object.keys((await look()).marks)).toEqual(['trees/ada/']);
  expect((await look([at('trees')])).marks).toEqual({});
  expect((await look([at('trees/ada')])).marks).toEqual({});
});

it('commits since are told with their times, those of landings are not', async () => {
  const before = await look();
  const first = commit('one');
  const landed = box.git(path, 'commit-tree', `${first}^{tree}`, '-p', first, '-m', 'Landed');
  await moveBranch(repo, { branch: 'main', from: first, to: landed }, 'crewmux: land ada');
  const last = commit('two');
  const { steps, paths } = await movesSince(repo, before, await look());
  expect(steps.map(({ commit: sha, subject }) => [sha, subject])).toEqual([
    [last, 'commit: Add two'],
    [first, 'commit: Add one'],
  ]);
  for (const { at: when } of steps) expect(Math.abs(Date.now() - (when ?? 0))).toBeLessThan(10_000);
  expect([...paths].sort()).toEqual(['one', 'two']);
});

it('what was pulled is nobody’s commit, and a pushed commit is no longer one', async () => {
  const other = join(box.root, 'other');
  box.git(box.root, 'clone', '-q', path, other);
  const before = await lookAtCheckout({ repo: { ...repo, mainRepoPath: other }, at: 0, except: [] });
  const made = commit('one');
  box.git(other, 'pull', '-q');
  const found = await inspectFolder({ path: other, env: box.env });
  if (found === undefined) throw new Error('no clone');
  const now = await lookAtCheckout({ repo: found, at: 0, except: [] });
  expect((await movesSince(found, before, now)).steps).toEqual([]);
  const step = { commit: made, subject: 'commit: x' };
  expect(await isStepThere(found, now, step)).toBe(false);
  expect(await isStepThere(repo, now, step)).toBe(true);
  box.git(path, 'reset', '-q', '--hard', 'HEAD~1');
  expect(await isStepThere(repo, now, step)).toBe(false);
});

it('a switch of branches is one doubtful step, and stands until it is switched back', async () => {
  const before = await look();
  box.git(path, 'checkout', '-q', '-b', 'topic');
  const now = await look();
  const { steps, paths } = await movesSince(repo, before, now);
  expect(steps).toMatchObject([{ subject: 'checkout: moving from main to topic', isDoubtful: true }]);
  expect(paths.size).toBe(0);
  const [step] = steps;
  if (step === undefined) throw new Error('no step');
  expect(await isStepThere(repo, now, step)).toBe(true);
  box.git(path, 'checkout', '-q', 'main');
  expect(await isStepThere(repo, await look(), step)).toBe(false);
});

it('what was not committed and is gone is told with the time it went', async () => {
  mkdirSync(at('notes'));
  for (const name of ['README.md', 'notes/mine', 'kept']) writeFileSync(at(name), 'mine\n');
  const before = await look();
  const from = Date.now() - 50;
  box.git(path, 'checkout', '-q', '--', 'README.md');
  rmSync(at('notes'), { recursive: true });
  const { undone } = await movesSince(repo, before, await look());
  expect(undone.map((one) => one.path).sort()).toEqual(['README.md', 'notes/mine']);
  for (const one of undone) expect(one.at).toBeGreaterThan(from);
});

it('the commits of another branch are no steps of this one, and a repository that notes no steps has none', async () => {
  const before = await look();
  box.git(path, 'checkout', '-q', '-b', 'topic');
  commit('one');
  expect((await movesSince(repo, before, await look())).steps.map(({ subject }) => subject)).toEqual([
    'checkout: moving from main to topic',
  ]);
  rmSync(join(repo.gitCommonDir, 'logs'), { recursive: true });
  box.git(path, 'config', 'core.logAllRefUpdates', 'false');
  const then = await look();
  commit('two');
  expect((await movesSince(repo, then, await look())).steps).toEqual([]);
});

it('a repository without a commit can be looked at, and its first commit is a step', async () => {
  const fresh = box.dir('fresh');
  box.git(fresh, 'init', '-q', '-b', 'main');
  const found = await inspectFolder({ path: fresh, env: box.env });
  if (found === undefined) throw new Error('no repository');
  const before = await lookAtCheckout({ repo: found, at: 0, except: [] });
  expect(before).toMatchObject({ branch: 'main', marks: {} });
  writeFileSync(join(fresh, 'file'), '');
  box.git(fresh, 'add', '.');
  box.git(fresh, 'commit', '-q', '-m', 'First');
  const now = await lookAtCheckout({ repo: found, at: 0, except: [] });
  expect((await movesSince(found, before, now)).steps).toMatchObject([{ subject: 'commit (initial): First' }]);
});
