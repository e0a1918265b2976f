import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MergeStrategy } from '../../src/model/train.ts';
import { changedFiles, diffText } from '../../src/worktree/diff.ts';
import { type FolderFacts, inspectFolder } from '../../src/worktree/inspect.ts';
import { blockersOf, bringAlong, checkoutsOf } from '../../src/worktree/landing/checkouts.ts';
import { Clashes } from '../../src/worktree/landing/clash.ts';
import { commitLeftovers, draftFor, findLeftovers } from '../../src/worktree/landing/leftovers.ts';
import { moveBranch } from '../../src/worktree/landing/move.ts';
import { presentWork } from '../../src/worktree/landing/present.ts';
import { scratchPath, withScratch } from '../../src/worktree/landing/scratch.ts';
import { stage } from '../../src/worktree/landing/stage.ts';
import { unpublishedPointers } from '../../src/worktree/landing/submodules.ts';
import { type AddedWorktree, addWorktree } from '../../src/worktree/making/add.ts';
import { removeWorktree } from '../../src/worktree/removal/remove.ts';
import { workState } from '../../src/worktree/work-state.ts';
import { failingHook, harmless, manyFiles, oddNames, withoutLfs, withSubmodule } from '../support/odd-repositories.ts';
import { makeSandbox, type Sandbox } from '../support/sandbox.ts';

let box: Sandbox;
beforeAll(() => {
  box = makeSandbox();
});
afterAll(() => box.dispose());

interface Ground {
  readonly path: string;
  readonly checkout: string;
  readonly repo: FolderFacts;
  readonly added: AddedWorktree;
  git(...args: string[]): string;
}

async function spawnIn(path: string, checkout = path): Promise<Ground> {
  const repo = await inspectFolder({ path, env: box.env });
  if (repo === undefined) throw new Error(`${path} is no repository`);
  const added = await addWorktree({
    folder: repo,
    root: '.worktrees',
    name: { workerName: 'ada', workerId: '0a1b2c3d' },
  });
  return { path, checkout, repo, added, git: (...args) => box.git(checkout, ...args) };
}

const write = (folder: string, name: string, text: string) => {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
};

const look = ({ added }: Ground) => workState({ worktreePath: added.path, env: box.env });

/** What merge_worker does, one after the other. */
async function land(ground: Ground, strategy: MergeStrategy): Promise<void> {
  const { repo, added } = ground;
  const found = await findLeftovers({ path: added.path, repo, branch: added.branch });
  if (found.paths.length > 0) await commitLeftovers(found, draftFor(found), 'Leftovers\n');
  const [target, source] = ['main', added.branch].map((name) => ground.git('rev-parse', name));
  if (target === undefined || source === undefined) throw new Error('no branches');
  const folder = box.dir('scratch');
  const { staged, conflicts } = await stage({
    repo,
    target,
    source,
    strategy,
    message: 'Land\n',
    scratchPath: scratchPath(folder),
  });
  expect(conflicts).toEqual([]);
  const to = staged.commit ?? '';
  await withScratch(repo, { path: scratchPath(folder), commit: to }, async ({ path }) =>
    expect(existsSync(path)).toBe(true),
  );
  expect(await checkoutsOf(repo, 'main')).toEqual([ground.checkout]);
  expect(await blockersOf(repo, ground.checkout, { from: target, to })).toEqual({ files: [] });
  expect(await bringAlong(repo, ground.checkout, { from: target, to })).toBeUndefined();
  expect(await moveBranch(repo, { branch: 'main', from: target, to }, 'test')).toBe(true);
}

const names = Object.keys(harmless);

describe('worked in, looked at, landed from and cleaned as any other is', () => {
  it.each(Object.entries(harmless))('%s', async (title, build) => {
    const odd = build(box, `r${names.indexOf(title)}`);
    const ground = await spawnIn(odd.path, odd.checkout);
    const { added, repo } = ground;
    expect(await look(ground)).toMatchObject({
      dirtyFiles: 0,
      untrackedFiles: 0,
      ahead: 0,
      behind: 0,
      nestedRepos: [],
    });
    const turn = names.indexOf(title);
    const strategies = [(['ff-only', 'squash', 'merge'] as const)[turn % 3] ?? 'merge'];
    for (const [at, strategy] of strategies.entries()) {
      const oddName = oddNames[turn % oddNames.length] ?? '';
      write(ground.checkout, `main ${at}.txt`, 'main\n');
      ground.git('add', '.');
      ground.git('-c', 'commit.gpgSign=false', 'commit', '-q', '-m', `Main ${at}`);
      write(added.path, `sub dir/${strategy}.txt`, `${strategy}\n`);
      write(added.path, oddName, 'odd\n');
      const present = await presentWork(added.path, repo);
      const head = box.git(added.path, 'rev-parse', 'HEAD');
      const diff = { repo, from: head, to: present?.commit ?? '', paths: [] };
      expect((await changedFiles(diff)).map(({ path }) => path).sort()).toEqual(
        [`sub dir/${strategy}.txt`, oddName].sort(),
      );
      expect(await diffText(diff)).toContain(`+${strategy}`);
      const clash = await new Clashes().between(repo, ground.git('rev-parse', 'main'), present?.commit ?? '');
      expect(clash.conflicts).toEqual([]);
      await land(ground, strategy);
      expect(readFileSync(join(ground.checkout, `sub dir/${strategy}.txt`), 'utf8').trim()).toBe(strategy);
      expect(existsSync(join(ground.checkout, oddName))).toBe(true);
      expect(ground.git('status', '--porcelain', '--untracked-files=all')).toBe('');
      expect(await look(ground)).toMatchObject({ dirtyFiles: 0, untrackedFiles: 0, merged: true });
    }
    write(added.path, 'last.txt', 'last\n');
    const { salvage } = await removeWorktree({ repo, path: added.path, force: true, workerId: 'w' });
    expect(existsSync(added.path)).toBe(false);
    expect(ground.git('show', `${salvage?.ref}:last.txt`)).toBe('last');
  });
});

/** The worktree, its index and the branch, byte for byte. */
const stateOf = ({ added }: Ground) => [
  box.git(added.path, 'status', '--porcelain'),
  box.git(added.path, 'rev-parse', 'HEAD'),
  box.git(added.path, 'ls-files', '--stage'),
];

describe('refused in words of its own, with nothing changed, is', () => {
  it.each(['pre-commit', 'prepare-commit-msg', 'commit-msg'])('a commit that the hook %s forbids', async (name) => {
    const ground = await spawnIn(failingHook(name)(box, name).path);
    write(ground.added.path, 'new.txt', 'new\n');
    const before = stateOf(ground);
    const found = await findLeftovers({ ...ground.added, repo: ground.repo });
    await expect(commitLeftovers(found, draftFor(found), 'Left\n')).rejects.toMatchObject({
      code: 'checks_failed',
      message: expect.stringContaining(`${name} says no`),
    });
    expect(stateOf(ground)).toEqual(before);
    expect(
      readdirSync(found.folder.gitDir).filter((file) => file.startsWith('crewmux-') && /index/.test(file)),
    ).toEqual([]);
  });

  it.each([
    ['a hook that fails after a checkout', failingHook('post-checkout'), 'post-checkout says no'],
    ['a hook that lets no branch be made', failingHook('reference-transaction'), 'reference-transaction says no'],
    ['a filter that is not installed', withoutLfs, 'no-such-git-lfs'],
  ])('a worktree because of %s', async (why, build, words) => {
    const { path } = build(box, why.replaceAll(' ', '-'));
    await expect(spawnIn(path)).rejects.toMatchObject({ message: expect.stringContaining(words) });
    expect(box.git(path, 'worktree', 'list').split('\n')).toHaveLength(1);
    expect(box.git(path, 'for-each-ref', '--format=%(refname)')).toBe('refs/heads/main');
    expect(readdirSync(join(path, '.worktrees'))).toEqual([]);
  });

  it('what is uncommitted in a submodule, and a pointer that nobody else could follow', async () => {
    const ground = await spawnIn(withSubmodule(box, 'pointing').path);
    const { added, repo } = ground;
    const inside = (...args: string[]) => box.git(join(added.path, 'lib'), ...args);
    box.git(added.path, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'update', '--init');
    write(added.path, 'lib/new.txt', 'new\n');
    await expect(findLeftovers({ ...added, repo })).rejects.toMatchObject({
      code: 'would_lose_work',
      message: expect.stringContaining('lib'),
    });
    inside('add', '.');
    inside('commit', '-q', '-m', 'Inside');
    const found = await findLeftovers({ ...added, repo });
    await commitLeftovers(found, draftFor(found), 'Point\n');
    const range = { worktree: added.path, from: added.base.sha, to: box.git(added.path, 'rev-parse', 'HEAD') };
    const alone = [{ path: 'lib', commit: inside('rev-parse', 'HEAD') }];
    expect(await unpublishedPointers(repo, range)).toEqual(alone);
    inside('push', '-q', 'origin', 'HEAD:refs/heads/new');
    expect(await unpublishedPointers(repo, range)).toEqual([]);
    await expect(removeWorktree({ repo, path: added.path, force: true, workerId: 'w' })).rejects.toMatchObject({
      code: 'would_lose_work',
    });
  });

  it('a repository whose path git would print as two', async () => {
    const path = box.repo('two\nlines');
    box.repo('two');
    await expect(spawnIn(path)).rejects.toMatchObject({ code: 'invalid_argument' });
    expect(existsSync(join(box.root, 'two', '.worktrees'))).toBe(false);
  });
});

it('a checkout whose filter is missing is left whole when its branch moves', async () => {
  const path = box.repo('filtered');
  const git = (...args: string[]) => box.git(path, ...args);
  write(path, '.gitattributes', '*.bin filter=lfs -text\n');
  const files = ['a.txt', 'm.bin', 'z.txt'];
  const commits = ['1\n', '2\n'].map((text) => {
    for (const file of files) write(path, file, text);
    git('add', '.');
    git('commit', '-q', '-m', text);
    return git('rev-parse', 'HEAD');
  });
  const [from = '', to = ''] = commits;
  git('reset', '-q', '--hard', from);
  for (const [key, value] of [
    ['smudge', 'no-such-git-lfs'],
    ['required', 'true'],
  ])
    git('config', `filter.lfs.${key}`, value ?? '');
  const repo = await inspectFolder({ path, env: box.env });
  if (repo === undefined) throw new Error('no repository');
  expect(await bringAlong(repo, path, { from, to })).toContain("clean filter 'lfs' failed");
  expect(files.map((file) => readFileSync(join(path, file), 'utf8'))).toEqual(['1\n', '1\n', '1\n']);
});

it('ten thousand files are checked out, looked at and taken away again', async () => {
  const { path } = manyFiles(box, 'many');
  const folder = await inspectFolder({ path, env: box.env });
  if (folder === undefined) throw new Error('no repository');
  const name = { workerName: 'ada', workerId: '0a1b2c3d' };
  const added = await addWorktree({ folder, root: '.worktrees', name, base: 'many' });
  write(added.path, 'd7/7.txt', 'changed\n');
  const state = await workState({ worktreePath: added.path, env: box.env });
  expect(state).toMatchObject({ dirtyFiles: 1, untrackedFiles: 0 });
  const { salvage } = await removeWorktree({ repo: folder, path: added.path, force: true, workerId: 'w' });
  expect(box.git(path, 'show', `${salvage?.ref}:d7/7.txt`)).toBe('changed');
});
