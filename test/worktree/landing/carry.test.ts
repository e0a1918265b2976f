import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type FolderFacts, inspectFolder } from '../../../src/worktree/git/inspect.ts';
import { type Commits, changesBetween } from '../../../src/worktree/git/path-changes.ts';
import { carry, mendCarry, submodulesLeft } from '../../../src/worktree/landing/carry.ts';
import { inTheWay } from '../../../src/worktree/landing/in-the-way.ts';
import { type AddedWorktree, addWorktree } from '../../../src/worktree/making/add.ts';
import { makeSandbox, type Sandbox } from '../../support/sandbox.ts';

let box: Sandbox;
let repo: string;
let tree: AddedWorktree;
let to: string;
let back: () => void;
beforeAll(async () => {
  box = makeSandbox();
  repo = box.repo('app');
  for (const name of ['kept', 'changed', 'removed', 'becomes-folder']) put(repo, name, `${name} as before\n`);
  put(repo, '.gitignore', '*.secret\n');
  commit('Before');
  tree = await addWorktree({ folder: await at(repo), root: '.worktrees', name: { workerName: 'ada', workerId: 'x' } });
  put(repo, 'changed', 'changed as after\n');
  rmSync(join(repo, 'removed'));
  rmSync(join(repo, 'becomes-folder'));
  put(repo, 'becomes-folder/inner', 'inner\n');
  put(repo, 'new folder/ünew\n', 'new\n');
  put(repo, 'own.secret', 'tracked now\n');
  writeFileSync(join(repo, 'run.sh'), '#!/bin/sh\n');
  chmodSync(join(repo, 'run.sh'), 0o755);
  to = commit('After');
  back = box.keep();
});
afterEach(() => back());
afterAll(() => box.dispose());

function put(top: string, path: string, text: string) {
  mkdirSync(join(top, path, '..'), { recursive: true });
  writeFileSync(join(top, path), text);
}

function commit(subject: string): string {
  box.git(repo, 'add', '-A', '-f', '--', ':!.worktrees');
  box.git(repo, 'commit', '-q', '-m', subject);
  return box.git(repo, 'rev-parse', 'HEAD');
}

async function at(path: string): Promise<FolderFacts> {
  const folder = await inspectFolder({ path, env: box.env });
  if (folder === undefined) throw new Error(`${path} is no repository`);
  return folder;
}

const git = (...args: string[]) => box.git(tree.path, ...args);
const move = () => ({ branch: tree.branch, from: tree.base.sha, to });
const place = () => ({ path: tree.path, env: box.env });
const way = async () => inTheWay(place(), await changesBetween(place(), { from: tree.base.sha, to }));
/** Everything git can tell of the worktree. */
const look = () => [
  git('rev-parse', 'HEAD', tree.branch),
  git('ls-files', '-s'),
  git('status', '--porcelain', '-uall'),
];

it('files, index and branch go along, and no history is written, whose file a worker can make a link', async () => {
  put(tree.path, 'mine', 'untracked\n');
  await carry(await at(tree.path), move());
  expect(look()).toEqual([`${to}\n${to}`, box.git(repo, 'ls-files', '-s'), '?? mine']);
  expect(readFileSync(join(tree.path, 'becomes-folder/inner'), 'utf8')).toBe('inner\n');
  expect(git('reflog', '--format=%gs')).not.toContain('crewmux: sync');
  expect(git('rev-parse', 'HEAD@{0}')).toBe(tree.base.sha);
});

it('a branch that has moved meanwhile is left where it is, and the files with it', async () => {
  const other = git('commit-tree', 'HEAD^{tree}', '-p', 'HEAD', '-m', 'Meanwhile');
  git('update-ref', `refs/heads/${tree.branch}`, other);
  await expect(carry(await at(tree.path), move())).rejects.toThrow('moved while');
  expect(look()).toEqual([`${other}\n${other}`, expect.any(String), '']);
});

it('in the way is what git does not track where something comes, ignored or not', async () => {
  const ways: [string, () => void, readonly string[]][] = [
    ['nothing', () => {}, []],
    ['an untracked file', () => put(tree.path, 'run.sh', 'mine'), ['run.sh']],
    ['an ignored file', () => put(tree.path, 'own.secret', 'mine'), ['own.secret']],
    ['a file in place of a folder', () => put(tree.path, 'new folder', 'mine'), ['new folder']],
    ['a link in place of a folder', () => symlinkSync('/nowhere', join(tree.path, 'new folder')), ['new folder']],
    ['an untracked file beside', () => put(tree.path, 'new folder/mine', 'mine'), []],
    [
      'a folder of ignored files in place of a file',
      () => put(tree.path, 'run.sh/x.secret', 'mine'),
      ['run.sh/x.secret'],
    ],
  ];
  for (const [what, make, found] of ways) {
    make();
    expect(await way(), what).toEqual(found);
    git('clean', '-q', '-ffdx');
  }
});

it('a submodule that is checked out and would stay behind is named, one that is not is none', async () => {
  const source = box.repo('source');
  const add = (sha: string) => {
    box.git(repo, 'update-index', '--add', '--cacheinfo', `160000,${sha},s ub`);
    box.git(repo, 'commit', '-q', '-m', 'Submodule');
    return box.git(repo, 'rev-parse', 'HEAD');
  };
  const from = add(box.git(source, 'rev-parse', 'HEAD'));
  const newer = add(box.git(source, 'commit-tree', 'HEAD^{tree}', '-m', 'Newer'));
  const folder = await at(tree.path);
  const left = async (commits: Commits) => submodulesLeft(folder, await changesBetween(place(), commits));
  expect(await left({ from, to: newer })).toEqual([]);
  put(tree.path, 's ub/.git', 'gitdir: elsewhere');
  expect(await left({ from, to: newer })).toEqual(['s ub']);
  expect(await left({ from: newer, to: newer })).toEqual([]);
});

/** What a carry does to the files, in an order of its own. */
const strokes = [
  () => rmSync(join(tree.path, 'changed')),
  () => put(tree.path, 'changed', 'changed as after\n'),
  () => rmSync(join(tree.path, 'removed')),
  () => rmSync(join(tree.path, 'becomes-folder')),
  () => put(tree.path, 'becomes-folder/inner', 'inner\n'),
  () => put(tree.path, 'new folder/ünew\n', 'new\n'),
  () => put(tree.path, 'own.secret', 'tracked now\n'),
];

it.each(strokes.map((_, done) => done + 1))(
  'a carry killed after %i strokes is undone, and then done',
  async (done) => {
    const before = look();
    for (const stroke of strokes.slice(0, done)) stroke();
    expect(await mendCarry(await at(tree.path), move())).toBe('undone');
    expect(look()).toEqual(before);
    expect([existsSync(join(tree.path, 'new folder')), existsSync(join(tree.path, 'own.secret'))]).toEqual([
      false,
      false,
    ]);
    await carry(await at(tree.path), move());
    expect(git('status', '--porcelain')).toBe('');
  },
);

it.each(['', 'changed as a'])('a file that was torn while it was written is put back: %j', async (start) => {
  const before = look();
  strokes[1]?.();
  put(tree.path, 'changed', start);
  put(tree.path, 'own.secret', `mine${start}`);
  await expect(mendCarry(await at(tree.path), move())).rejects.toThrow('own.secret is as neither side has it');
  put(tree.path, 'own.secret', 'tracked n');
  expect(await mendCarry(await at(tree.path), move())).toBe('undone');
  expect([look(), readFileSync(join(tree.path, 'changed'), 'utf8')]).toEqual([before, 'changed as before\n']);
  expect(existsSync(join(tree.path, 'own.secret'))).toBe(false);
});

it('a carry killed before its last step is finished', async () => {
  git('read-tree', '-m', '-u', tree.base.sha, to);
  expect(await mendCarry(await at(tree.path), move())).toBe('finished');
  expect(look()).toEqual([`${to}\n${to}`, expect.any(String), '']);
  expect(await mendCarry(await at(tree.path), move())).toBe('finished');
});

it.each([
  ['changed', 'neither\n'],
  ['removed', 'neither\n'],
  ['own.secret', 'neither\n'],
])('a file %s that is as neither side has it stops the mending, and nothing is touched', async (path, text) => {
  for (const stroke of strokes) stroke();
  put(tree.path, path, text);
  const before = look();
  await expect(mendCarry(await at(tree.path), move())).rejects.toMatchObject({
    code: 'would_lose_work',
    message: expect.stringContaining(`${path} is as neither side has it`),
  });
  expect(look()).toEqual(before);
  expect(readFileSync(join(tree.path, path), 'utf8')).toBe(text);
});

it('nothing is mended while another git is at work there', async () => {
  strokes[1]?.();
  writeFileSync(git('rev-parse', '--git-path', 'index.lock'), '');
  await expect(mendCarry(await at(tree.path), move())).rejects.toThrow('index.lock');
});

it('what a person did since is not taken for a carry', async () => {
  expect(await mendCarry(await at(tree.path), move())).toBe('untouched');
  git('commit', '-q', '--allow-empty', '-m', 'Since');
  put(tree.path, 'changed', 'changed as after\n');
  expect(await mendCarry(await at(tree.path), move())).toBe('untouched');
  expect(git('status', '--porcelain')).toBe('M changed'.padStart(10));
});
