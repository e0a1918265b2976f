// Salvages that say or hold what ours never do. Anybody who can write to the repository can make one.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { prepareWorktree } from '../../../src/worktree/making/prepare.ts';
import { removeWorktree } from '../../../src/worktree/removal/remove.ts';
import { escapes, isState } from '../../../src/worktree/salvage/put-back.ts';
import { restoreSalvage } from '../../../src/worktree/salvage/restore.ts';
import { encodeManifest, type Manifest } from '../../../src/worktree/salvage/salvage-commit.ts';
import { type FoundSalvage, listSalvages } from '../../../src/worktree/salvage/salvages.ts';
import { layGround, workerTree } from '../../support/ground.ts';

const { box, folder: repo } = await layGround();
const ssh = box.dir('home/.ssh');
writeFileSync(join(ssh, 'id'), 'secret\n');
mkdirSync(join(repo.mainRepoPath, 'shared'));
const tree = await workerTree(repo);
const prepared = { copyFiles: [], symlinkDirs: ['shared'], setupCommands: [] };
await prepareWorktree({ repo, worktreePath: tree.path, ...prepared });
writeFileSync(join(tree.path, 'work.txt'), 'w\n');
await removeWorktree({ repo, path: tree.path, force: true, workerId: '0a1b2c3d' });
const saved = savedIn(await listSalvages(repo));
function savedIn([only]: readonly FoundSalvage[]): FoundSalvage {
  if (only === undefined) throw new Error('no salvage');
  return only;
}

const git = (...args: string[]) => box.git(repo.mainRepoPath, ...args);
/** A blob or a tree of these bytes, whatever git thinks of it. */
function store(type: 'blob' | 'tree', bytes: Buffer): string {
  const file = join(box.root, 'bytes');
  writeFileSync(file, bytes);
  return git('hash-object', '-w', '--literally', '-t', type, file);
}
type Entry = readonly [mode: string, name: string, sha: string];
const treeOf = (...entries: Entry[]) =>
  store(
    'tree',
    Buffer.concat(entries.flatMap(([mode, name, sha]) => [Buffer.from(`${mode} ${name}\0`), Buffer.from(sha, 'hex')])),
  );
const blob = (text: string | Buffer) => store('blob', Buffer.from(text));
const commit = (of: string, message = 'x') => git('commit-tree', of, '-m', message);

/** A salvage as somebody else may have made it: with this in place of what the real one has. */
function forged(says: Partial<Manifest>, tree = git('rev-parse', `${saved.sha}^{tree}`)): FoundSalvage {
  const manifest = { ...saved.manifest, ...says };
  return { ...saved, manifest, sha: commit(tree, encodeManifest(manifest)) };
}
/** One whose part of the worktree's git folder is this, beside an index that is as it was. */
function ownForged(entries: readonly Entry[], index = readIndex()): FoundSalvage {
  const parts: Entry[] = [...entries, ['100644', 'index', blob(index)], ['100644', 'filtered', blob('')]];
  parts.sort(([, a], [, b]) => (a < b ? -1 : 1));
  return forged({ own: commit(treeOf(...parts)) });
}
const readIndex = () => raw('cat-file', 'blob', `${saved.manifest.own}:index`);
function raw(...args: string[]): Buffer {
  return execFileSync('git', args, {
    cwd: repo.mainRepoPath,
    env: { ...box.env, GIT_INDEX_FILE: join(box.root, 'draft') },
  });
}
const restore = (salvage: FoundSalvage, isOurs: boolean) =>
  restoreSalvage({ repo, salvage, isOurs, root: '.worktrees' });
const worktrees = () => git('worktree', 'list').split('\n').length;

test('a place outside of the folder of worktrees is never gone to, whoever names it', async () => {
  const root = join(repo.mainRepoPath, '.worktrees');
  for (const path of [
    join(ssh, 'ada'),
    join(ssh, '..', '.ssh', 'bo'),
    `${root}/../../home/.ssh/cleo`,
    repo.gitCommonDir,
  ]) {
    const { path: ours } = await restore(forged({ path }), true);
    const { path: foreign } = await restore(forged({ path }), false);
    for (const one of [ours, foreign]) expect(join(one, '..')).toBe(root);
  }
  expect(readdirSync(ssh)).toEqual(['id']);
});

test('one that is not ours comes into a new folder and on no branch, and says what it claims', async () => {
  const restored = await restore(forged({ branch: 'main\ndelete refs/heads/main' }), false);
  expect(restored.branch).toBeUndefined();
  expect(restored.path).toMatch(/\/\.worktrees\/restored-[^/]+$/);
  expect(readFileSync(join(restored.path, 'work.txt'), 'utf8')).toBe('w\n');
  expect(restored.notes[0]).toContain('no record');
  expect(restored.notes[0]).toContain(JSON.stringify(tree.path));
  await expect(restore(forged({ branch: 'x\ndelete refs/heads/main' }), true)).rejects.toThrow('not a name git takes');
  expect(git('rev-parse', '--verify', 'main')).toBe(tree.base.sha);
});

test('a link in the place of the folder of worktrees is not followed', async () => {
  renameSync(join(repo.mainRepoPath, '.worktrees'), join(box.root, 'moved'));
  for (const target of [ssh, join(repo.mainRepoPath, 'shared')]) {
    symlinkSync(target, join(repo.mainRepoPath, '.worktrees'));
    await expect(restore(saved, true)).rejects.toMatchObject({ message: expect.stringContaining(`really ${target}`) });
    renameSync(join(repo.mainRepoPath, '.worktrees'), join(box.root, `was-${readdirSync(box.root).length}`));
  }
  expect([readdirSync(ssh), readdirSync(join(repo.mainRepoPath, 'shared'))]).toEqual([['id'], []]);
});

test.each<[string, () => string]>([
  ['..', () => treeOf(['40000', '..', treeOf(['100644', 'out', blob('x')])])],
  ["git's own folder", () => treeOf(['40000', '.git', treeOf(['100644', 'config', blob('x')])])],
  ["git's own folder in other letters", () => treeOf(['40000', '.GiT', treeOf(['100644', 'config', blob('x')])])],
])('files that lead out by %s are not written, and nothing is left', async (_, tree) => {
  const before = worktrees();
  await expect(restore(forged({}, tree()), true)).rejects.toThrow();
  expect(readdirSync(ssh)).toEqual(['id']);
  expect(existsSync(join(repo.mainRepoPath, '.worktrees', 'out'))).toBe(false);
  expect(worktrees()).toBe(before);
});

test('no file is written through a link', async () => {
  const tree = treeOf(['120000', 'a', blob(ssh)], ['40000', 'a', treeOf(['100644', 'out', blob('x')])]);
  const restored = await restore(forged({}, tree), true).catch(() => undefined);
  expect(restored?.exact ?? false).toBe(false);
  expect(readdirSync(ssh)).toEqual(['id']);
});

test('of the git folder only what tells where work stands is put back', async () => {
  const config = '[core]\n\tfsmonitor = touch ran\n\tsparseCheckout = --edit\n[index]\n\tsparse = true\n';
  const salvage = ownForged([
    [
      '40000',
      'git',
      treeOf(
        ['100644', 'CommonDir', blob(ssh)],
        ['100644', 'GITDIR', blob(ssh)],
        ['100644', 'MERGE_MSG', blob('merge\n')],
        ['100644', 'commondir', blob(ssh)],
        ['100644', 'config', blob(config)],
        ['100644', 'config.worktree', blob(config)],
        ['40000', 'hooks', treeOf(['100755', 'post-checkout', blob('#!/bin/sh\n')])],
        ['40000', 'info', treeOf(['100644', 'attributes', blob('* filter=x\n')])],
        ['40000', 'logs', treeOf(['100644', 'HEAD', blob('')], ['120000', 'link', blob(join(ssh, 'id'))])],
      ),
    ],
  ]);
  git('config', 'extensions.worktreeConfig', 'true');
  const { path } = await restore(salvage, true);
  const dir = box.git(path, 'rev-parse', '--absolute-git-dir');
  expect(readFileSync(join(dir, 'MERGE_MSG'), 'utf8')).toBe('merge\n');
  expect(readFileSync(join(dir, 'commondir'), 'utf8').trim()).toBe('../..');
  const made = readdirSync(dir);
  for (const name of ['CommonDir', 'GITDIR', 'config', 'hooks', 'info']) expect(made).not.toContain(name);
  expect(readdirSync(join(dir, 'logs'))).toEqual(['HEAD']);
  expect(box.git(path, 'config', '--worktree', '--list')).toBe('index.sparse=true');
});

test('a link in the place of what git kept is not read through', async () => {
  writeFileSync(join(ssh, 'MERGE_MSG'), 'secret\n');
  const { path } = await restore(ownForged([['120000', 'git', blob(ssh)]]), true);
  expect(existsSync(join(box.git(path, 'rev-parse', '--absolute-git-dir'), 'MERGE_MSG'))).toBe(false);
  const linked: Entry[] = [
    ['100644', 'filtered', blob('')],
    ['120000', 'index', blob(join(ssh, 'id'))],
  ];
  await expect(restore(forged({ own: commit(treeOf(...linked)) }), true)).rejects.toThrow('its index is no file');
});

test('one of an earlier release, with what would be refused today, comes back as far as it goes and says so', async () => {
  const entry = (mode: string, name: Buffer, sha: string) =>
    Buffer.concat([Buffer.from(`${mode} `), name, Buffer.from('\0'), Buffer.from(sha, 'hex')]);
  const odd = Buffer.from([0xe9]);
  const files = [
    entry('100644', Buffer.from('README.md'), blob('# app\r\n')),
    entry('100644', Buffer.from('work.txt'), blob('w\n')),
    entry('100644', odd, blob('odd\n')),
  ];
  const { path, exact, notes } = await restore(forged({}, store('tree', Buffer.concat(files))), true);
  expect(readFileSync(join(path, 'README.md'), 'utf8')).toBe('# app\r\n');
  expect(readFileSync(Buffer.concat([Buffer.from(`${path}/`), odd]), 'utf8')).toBe('odd\n');
  expect(exact).toBe(false);
  expect(notes).toEqual([expect.stringContaining('it holds file names that are not UTF-8')]);
});

test("an index that names git's own files is refused", async () => {
  raw('update-index', '--add', '--cacheinfo', `100644,${blob('[core]\n')},_git/config`);
  const bytes = readFileSync(join(box.root, 'draft'));
  bytes.write('.', bytes.indexOf('_git/config'));
  createHash('sha1')
    .update(bytes.subarray(0, -20))
    .digest()
    .copy(bytes, bytes.length - 20);
  await expect(restore(ownForged([], bytes), true)).rejects.toThrow('its index has ".git/config"');
});

test('what we had put into the worktree is put there again only as we would, and nothing is made behind a link', async () => {
  const items = [
    { path: 'shared', kind: 'link', target: join(repo.mainRepoPath, 'shared') },
    { path: 'keys', kind: 'link', target: ssh },
    { path: '../out', kind: 'link', target: ssh },
    { path: '.git/hooks', kind: 'link', target: ssh },
    { path: 'away/new/file', kind: 'link', target: join(repo.mainRepoPath, 'away/new/file') },
  ];
  const list = blob(JSON.stringify({ version: 1, items }));
  const base = ownForged([['40000', 'git', treeOf(['100644', 'crewmux-prepared.json', list])]]);
  const salvage = forged(base.manifest, treeOf(['120000', 'away', blob(ssh)]));
  const { path, notes } = await restore(salvage, true);
  expect(readdirSync(path).sort()).toEqual(['.git', 'away', 'shared']);
  expect(readdirSync(ssh)).toEqual(['id']);
  expect(notes).toEqual([expect.stringContaining('keys was a link')]);
});

test.each([
  ['a/b.txt', false],
  ['.gitignore', false],
  ['a/.github/x', false],
  ['..a/b', false],
  ['../a', true],
  ['a/../b', true],
  ['a/./b', true],
  ['/etc/passwd', true],
  ['.git', true],
  ['.GIT/config', true],
  ['a/.git/config', true],
  ['.g\u{200c}it/config', true],
])('%j leads out of a worktree or to the files of git: %s', (name, leads) => {
  expect(escapes(name)).toBe(leads);
});

test.each([
  ['logs/HEAD', true],
  ['MERGE_HEAD', true],
  ['BISECT_LOG', true],
  ['rebase-merge/git-rebase-todo', true],
  ['refs/bisect/bad', true],
  ['info/sparse-checkout', true],
  ['crewmux-prepared.json', true],
  ['HEAD', false],
  ['gitdir', false],
  ['commondir', false],
  ['config', false],
  ['config.worktree', false],
  ['hooks/post-checkout', false],
  ['info/attributes', false],
  ['refs/heads/main', false],
  ['objects/info/alternates', false],
  ['modules/x/config', false],
])('%s of a git folder is put back: %s', (path, is) => {
  expect(isState(path)).toBe(is);
});
