import { randomBytes } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { knowOwnRefs } from '../../../src/worktree/git/own-refs.ts';
import { recordPrepared } from '../../../src/worktree/git/prepared.ts';
import { strayCommits } from '../../../src/worktree/salvage/git-folder.ts';
import { saveWork } from '../../../src/worktree/salvage/salvage.ts';
import { salvageBytes } from '../../../src/worktree/salvage/salvages.ts';
import { layGround, workerTree } from '../../support/ground.ts';

const { box, folder } = await layGround();
const tree = await workerTree(folder);

const at = Date.UTC(2030, 0, 2, 3, 4, 5, 678);
const save = () => saveWork({ worktreePath: tree.path, repo: folder, workerId: '0a1b2c3d', reason: 'test', at });
const git = (...args: string[]) => box.git(tree.path, ...args);
const write = (path: string, bytes: string | Buffer) => writeFileSync(join(tree.path, path), bytes);
const saved = (sha: string, path: string) => git('cat-file', 'blob', `${sha}:${path}`);
const listing = (treeish: string) => git('-c', 'core.quotePath=false', 'ls-tree', '-r', treeish).split('\n');

test('one ref holds commits, index and files, and the worktree does not notice', async () => {
  write('committed', 'c');
  git('add', '-A');
  git('commit', '-q', '-m', 'Work');
  write('staged', 'as staged');
  git('add', 'staged');
  write('staged', 'as on disk');
  appendFileSync(join(tree.path, 'README.md'), 'changed');
  mkdirSync(join(tree.path, 'new dir'));
  write('new dir/ü "quoted"\n', 'untracked');
  rmSync(join(tree.path, 'committed'));
  const before = {
    status: git('status', '--porcelain=v2'),
    index: git('ls-files', '-s'),
    files: readdirSync(tree.path),
  };

  const { ref, sha } = await save();

  expect(ref).toBe('refs/crewmux/salvage/20300102T030405Z-0a1b2c3d');
  expect(git('rev-parse', ref)).toBe(sha);
  expect(git('rev-parse', `${sha}^1`)).toBe(git('rev-parse', 'HEAD'));
  expect(saved(`${sha}^2`, 'staged')).toBe('as staged');
  expect(saved(`${sha}^2`, 'README.md')).toBe('# app');
  expect(saved(sha, 'staged')).toBe('as on disk');
  expect(saved(sha, 'README.md')).toBe('# app\nchanged');
  expect(saved(sha, 'new dir/ü "quoted"\n')).toBe('untracked');
  expect(() => saved(sha, 'committed')).toThrow();
  expect({
    status: git('status', '--porcelain=v2'),
    index: git('ls-files', '-s'),
    files: readdirSync(tree.path),
  }).toEqual(before);
  expect(
    readdirSync(join(folder.gitCommonDir, 'worktrees', 'ada-x')).filter((name) => name.endsWith('.index')),
  ).toEqual([]);
});

test('executable bits and symlinks are kept, also of links that lead nowhere', async () => {
  write('tool', '#!/bin/sh\n');
  chmodSync(join(tree.path, 'tool'), 0o755);
  symlinkSync('/nowhere/at all', join(tree.path, 'link'));
  rmSync(join(tree.path, 'README.md'));
  symlinkSync('tool', join(tree.path, 'README.md'));
  const { sha } = await save();
  expect(listing(sha).map((line) => line.replace(/ [0-9a-f]{40}/, ''))).toEqual([
    '120000 blob\tREADME.md',
    '120000 blob\tlink',
    '100755 blob\ttool',
  ]);
  expect(saved(sha, 'link')).toBe('/nowhere/at all');
});

test('bytes are stored as they are, past filters and line-end conversion', async () => {
  git('config', 'core.autocrlf', 'input');
  git('config', '--global', 'filter.shout.clean', 'tr a-z A-Z');
  write('.gitattributes', '*.shout filter=shout\n');
  const bytes = Buffer.from([0x61, 0x0d, 0x0a, 0x00, 0xff, 0xfe]);
  write('data.bin', bytes);
  write('text.shout', 'quiet\r\n');
  write('empty', '');
  const { sha } = await save();
  const hash = (path: string) => git('hash-object', '--no-filters', path);
  for (const path of ['data.bin', 'text.shout', 'empty']) expect(git('rev-parse', `${sha}:${path}`)).toBe(hash(path));
});

test('a conflict is kept with all its sides and the file as it lies on disk', async () => {
  write('a', 'base');
  git('add', '-A');
  git('commit', '-q', '-m', 'Base');
  git('checkout', '-q', '-b', 'other');
  write('a', 'theirs');
  git('commit', '-q', '-am', 'Theirs');
  git('checkout', '-q', tree.branch);
  write('a', 'ours');
  git('commit', '-q', '-am', 'Ours');
  expect(() => git('merge', 'other')).toThrow();
  const onDisk = readFileSync(join(tree.path, 'a'), 'utf8');
  const { sha } = await save();
  const sides = [1, 2, 3].map((stage) => saved(`${sha}^2`, `.crewmux-conflict/${stage}/a`));
  expect(sides).toEqual(['base', 'ours', 'theirs']);
  expect(`${saved(sha, 'a')}\n`).toBe(onDisk);
  expect(git('ls-files', '-u')).not.toBe('');
});

test('commits on no branch are kept', async () => {
  git('checkout', '-q', '--detach');
  git('commit', '-q', '--allow-empty', '-m', 'Loose');
  const loose = git('rev-parse', 'HEAD');
  const { ref } = await save();
  git('checkout', '-q', tree.branch);
  expect(git('merge-base', ref, loose)).toBe(loose);
});

test('a file in the place of a folder, and a folder in the place of a file, are kept', async () => {
  mkdirSync(join(tree.path, 'dir'));
  write('dir/inner', 'i');
  write('file', 'f');
  git('add', '-A');
  git('commit', '-q', '-m', 'Both');
  rmSync(join(tree.path, 'dir'), { recursive: true });
  rmSync(join(tree.path, 'file'));
  write('dir', 'now a file');
  mkdirSync(join(tree.path, 'file'));
  write('file/inner', 'now a folder');
  const { sha } = await save();
  expect([saved(sha, 'dir'), saved(sha, 'file/inner')]).toEqual(['now a file', 'now a folder']);
});

test('a link in the place of a folder is kept as one, and no file behind it is taken for one of the folder', async () => {
  for (const dir of ['dir', 'other']) {
    mkdirSync(join(tree.path, dir));
    write(`${dir}/inner`, dir);
  }
  git('add', '-A');
  git('commit', '-q', '-m', 'Dirs');
  rmSync(join(tree.path, 'dir'), { recursive: true });
  symlinkSync('other', join(tree.path, 'dir'));
  const { sha } = await save();
  expect(saved(sha, 'dir')).toBe('other');
  expect(listing(sha).map((line) => line.split('\t')[1])).toEqual(['README.md', 'dir', 'other/inner']);
});

test('changes to files git was told to overlook are kept', async () => {
  git('update-index', '--assume-unchanged', 'README.md');
  write('README.md', 'overlooked');
  const { sha } = await save();
  expect(saved(sha, 'README.md')).toBe('overlooked');
});

test('a branch without a commit can be saved', async () => {
  git('checkout', '-q', '--orphan', 'empty');
  write('new', 'n');
  const { sha } = await save();
  expect([saved(sha, 'new'), git('rev-list', '--count', sha)]).toEqual(['n', '3']);
});

test('no name and mail need be set, and two of one second do not collide', async () => {
  const env = Object.fromEntries(Object.entries(box.env).filter(([name]) => !name.startsWith('GIT_AUTHOR')));
  const repo = { ...folder, env };
  const first = await saveWork({ worktreePath: tree.path, repo, workerId: 'w/../1', reason: 'test', at });
  const second = await saveWork({ worktreePath: tree.path, repo, workerId: 'w/../1', reason: 'test', at });
  expect([first.ref, second.ref]).toEqual([
    'refs/crewmux/salvage/20300102T030405Z-w-1',
    'refs/crewmux/salvage/20300102T030405Z-w-1-2',
  ]);
});

test('the message says in JSON what was saved and from where', async () => {
  write('new', 'n');
  const { sha } = await save();
  const [subject, ...rest] = git('log', '-1', '--format=%B', sha).split('\n');
  expect(subject).toBe('crewmux salvage: test');
  expect(JSON.parse(rest.join('\n'))).toEqual({
    version: 1,
    worker_id: '0a1b2c3d',
    reason: 'test',
    saved_at: '2030-01-02T03:04:05.678Z',
    path: tree.path,
    main_repo_path: folder.mainRepoPath,
    branch: tree.branch,
    head: tree.base.sha,
    index: git('rev-parse', `${sha}^2`),
    own: git('rev-parse', `${sha}^3`),
    counts: { changed: 0, deleted: 0, untracked: 1, conflicts: 0 },
  });
});

test('ignored files, and copies we made that nobody touched, are not saved', async () => {
  write('.gitignore', '.env\n');
  write('.env', 'SECRET=1');
  symlinkSync('/somewhere', join(tree.path, 'linked'));
  const gitDir = join(folder.gitCommonDir, 'worktrees/ada-x');
  await recordPrepared(gitDir, [{ path: 'linked', kind: 'link', target: '/somewhere' }]);
  const { sha } = await save();
  expect(listing(sha).map((line) => line.split('\t')[1])).toEqual(['.gitignore', 'README.md']);
});

describe('what cannot be saved whole is refused, and no ref is made', () => {
  afterEach(() => expect(git('for-each-ref', 'refs/crewmux')).toBe(''));

  test('a repository inside the worktree', async () => {
    mkdirSync(join(tree.path, 'lib'));
    box.git(join(tree.path, 'lib'), 'init', '-q');
    await expect(save()).rejects.toMatchObject({ code: 'would_lose_work', message: expect.stringContaining('lib/') });
  });

  test('a damaged index', async () => {
    writeFileSync(join(folder.gitCommonDir, 'worktrees/ada-x/index'), 'damaged');
    await expect(save()).rejects.toMatchObject({ code: 'git_failed' });
  });
});

test('a stash of the worker’s own is work that only this worktree knows of, and is saved with it', async () => {
  write('README.md', 'stashed');
  const stash = git('stash', 'create');
  git('reset', '-q', '--hard');
  expect(await strayCommits(folder, tree.gitDir)).not.toContain(stash);
  const own = join(box.root, 'own');
  mkdirSync(join(own, 'logs/refs'), { recursive: true });
  const line = `${'0'.repeat(40)} ${stash} Test <test@example.invalid> 1 +0000\tWIP on ada\n`;
  writeFileSync(join(own, 'logs/refs/stash'), line);
  knowOwnRefs(tree.gitDir, own);

  expect(await strayCommits(folder, tree.gitDir)).toContain(stash);
  const { sha } = await save();

  expect(git('rev-list', sha).split('\n')).toContain(stash);
  expect(git('cat-file', 'blob', `${sha}^3:stash`)).toBe(line.trim());
});

test('salvages take as much of the disk as their files, and nothing of what branches hold', async () => {
  write('committed', randomBytes(300_000).toString('base64'));
  git('add', '-A');
  git('commit', '-q', '-m', 'Work');
  write('left', randomBytes(100_000).toString('base64'));
  await save();
  const bytes = await salvageBytes(folder);
  expect(bytes).toBeGreaterThan(100_000);
  expect(bytes).toBeLessThan(200_000);
});
