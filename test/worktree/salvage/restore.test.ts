import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FolderFacts, inspectFolder } from '../../../src/worktree/inspect.ts';
import { type AddedWorktree, addWorktree } from '../../../src/worktree/making/add.ts';
import { prepareWorktree } from '../../../src/worktree/making/prepare.ts';
import { removeWorktree } from '../../../src/worktree/removal/remove.ts';
import { restoreSalvage } from '../../../src/worktree/salvage/restore.ts';
import { listSalvages } from '../../../src/worktree/salvage/salvages.ts';
import { makeSandbox, type Sandbox } from '../../support/sandbox.ts';

let box: Sandbox;
let folder: FolderFacts;
let tree: AddedWorktree;
beforeEach(async () => {
  box = makeSandbox();
  const found = await inspectFolder({ path: box.repo('app'), env: box.env });
  if (found === undefined) throw new Error('no repository');
  folder = found;
  tree = await addWorktree({ folder, root: '.worktrees', name: { workerName: 'ada', workerId: 'x' } });
});
afterEach(() => box.dispose());

const git = (...args: string[]) => box.git(tree.path, ...args);
const at = (path: string) => join(tree.path, path);
const write = (path: string, bytes: string | Buffer) => writeFileSync(at(path), bytes);
const remove = (saves: 'needed' | 'always' = 'needed') =>
  removeWorktree({ repo: folder, path: tree.path, force: true, workerId: '0a1b2c3d', base: tree.base, saves });
async function restore(which = 0) {
  const salvage = (await listSalvages(folder))[which];
  if (salvage === undefined) throw new Error('no salvage');
  return restoreSalvage({ repo: folder, salvage, root: '.worktrees' });
}
/** Removes by force and brings back; the same commands must print the same before and after. */
async function roundTrip(...commands: string[][]) {
  const look = () =>
    [['status', '--porcelain=v2', '-z'], ['ls-files', '-s', '-v', '-z'], ...commands].map((args) => git(...args));
  const before = look();
  await remove();
  expect(existsSync(tree.path)).toBe(false);
  const restored = await restore();
  expect(restored).toMatchObject({ path: tree.path, exact: true, notes: [] });
  expect(look()).toEqual(before);
  return restored;
}

test('files, index, HEAD and branch are as they were', async () => {
  write('committed', 'c');
  git('add', '-A');
  git('commit', '-q', '-m', 'Work');
  write('staged', 'as staged');
  git('add', 'staged');
  write('staged', 'as on disk');
  appendFileSync(at('README.md'), 'changed');
  mkdirSync(at('new dir'));
  write('new dir/ü "quoted"\n', 'untracked');
  write('new dir/returned\r', 'odd');
  write('new dir/empty\n', '');
  rmSync(at('committed'));
  write('tool', '#!/bin/sh\n');
  chmodSync(at('tool'), 0o755);
  symlinkSync('/nowhere/at all', at('link'));
  const restored = await roundTrip(['log', '--format=%H %s'], ['diff'], ['diff', '--cached']);
  expect(restored.branch).toBe(tree.branch);
  expect(readFileSync(at('new dir/ü "quoted"\n'), 'utf8')).toBe('untracked');
  expect(readlinkSync(at('link'))).toBe('/nowhere/at all');
  expect(lstatSync(at('tool')).mode & 0o111).toBe(0o111);
  expect(existsSync(at('committed'))).toBe(false);
});

test('names that are no text come back as they were', async () => {
  const name = Buffer.concat([Buffer.from(`${tree.path}/`), Buffer.from([0x66, 0xe9, 0x0a, 0xff])]);
  writeFileSync(name, 'x');
  const tracked = Buffer.concat([Buffer.from(`${tree.path}/`), Buffer.from([0xe9])]);
  writeFileSync(tracked, 'y');
  git('add', '-A');
  writeFileSync(tracked, 'z');
  await roundTrip();
  expect([readFileSync(name, 'utf8'), readFileSync(tracked, 'utf8')]).toEqual(['x', 'z']);
});

test('line ends are what they were on disk, whatever git would make of them', async () => {
  git('config', 'core.autocrlf', 'true');
  write(
    '.gitattributes',
    '*.lf text eol=lf\n*.crlf text eol=crlf\n*.utf16 text working-tree-encoding=UTF-16\n*.id ident\n',
  );
  const files: Record<string, Buffer> = {
    'a.txt': Buffer.from('one\ntwo\n'),
    'b.txt': Buffer.from('one\r\ntwo\r\n'),
    'mixed.txt': Buffer.from('one\r\ntwo\n'),
    'a.lf': Buffer.from('x\r\ny\r\n'),
    'a.crlf': Buffer.from('x\ny\n'),
    'w.utf16': Buffer.from('\ufeffhé\n', 'utf16le'),
    'v.id': Buffer.from('$Id: mine $\n'),
  };
  for (const [name, bytes] of Object.entries(files)) write(name, bytes);
  git('add', '-A');
  git('commit', '-q', '-m', 'All');
  write('untracked.lf', 'u\r\n');
  await roundTrip();
  for (const [name, bytes] of Object.entries(files)) expect(readFileSync(at(name)), name).toEqual(bytes);
  expect(readFileSync(at('untracked.lf'), 'utf8')).toBe('u\r\n');
});

test('a filter is run again for what it had made, and what was changed comes back past it', async () => {
  git('config', 'filter.shout.clean', 'tr a-z A-Z');
  git('config', 'filter.shout.smudge', 'tr A-Z a-z');
  write('.gitattributes', '*.shout filter=shout\n');
  write('same.shout', 'quiet\n');
  write('changed.shout', 'first\n');
  git('add', '-A');
  git('commit', '-q', '-m', 'Quiet');
  write('changed.shout', 'second, As It Is\n');
  await roundTrip();
  expect(readFileSync(at('same.shout'), 'utf8')).toBe('quiet\n');
  expect(readFileSync(at('changed.shout'), 'utf8')).toBe('second, As It Is\n');
});

test('marks in the index come back: overlooked, left out, meant to be added', async () => {
  for (const name of ['overlooked', 'left-out', 'gone']) write(name, name);
  git('add', '-A');
  git('commit', '-q', '-m', 'Three');
  git('update-index', '--assume-unchanged', 'overlooked', 'gone');
  git('update-index', '--skip-worktree', 'left-out');
  write('overlooked', 'changed all the same');
  write('left-out', 'changed as well');
  rmSync(at('gone'));
  write('meant', 'm');
  git('add', '-N', 'meant');
  await roundTrip();
  expect(readFileSync(at('overlooked'), 'utf8')).toBe('changed all the same');
  expect(readFileSync(at('left-out'), 'utf8')).toBe('changed as well');
  expect(existsSync(at('gone'))).toBe(false);
});

test('a sparse checkout is as sparse as it was', async () => {
  for (const dir of ['in', 'out']) {
    mkdirSync(at(dir));
    write(`${dir}/file`, dir);
  }
  git('add', '-A');
  git('commit', '-q', '-m', 'Dirs');
  git('sparse-checkout', 'set', 'in');
  expect(existsSync(at('out'))).toBe(false);
  write('in/file', 'changed');
  await roundTrip(['sparse-checkout', 'list']);
  expect(existsSync(at('out'))).toBe(false);
  expect(readFileSync(at('in/file'), 'utf8')).toBe('changed');
});

test('a conflict and an unfinished merge can be gone on with', async () => {
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
  await roundTrip(['ls-files', '-u'], ['rev-parse', 'MERGE_HEAD']);
  write('a', 'both');
  git('add', 'a');
  git('commit', '-q', '--no-edit');
  expect(git('rev-list', '--parents', '-n', '1', 'HEAD').split(' ')).toHaveLength(3);
});

test('a rebase that stopped can be continued', async () => {
  write('a', 'base');
  git('add', '-A');
  git('commit', '-q', '-m', 'Base');
  git('branch', 'onto');
  write('a', 'mine');
  git('commit', '-q', '-am', 'Mine');
  git('checkout', '-q', 'onto');
  write('a', 'other');
  git('commit', '-q', '-am', 'Other');
  git('checkout', '-q', tree.branch);
  expect(() => git('rebase', 'onto')).toThrow();
  await roundTrip();
  write('a', 'solved');
  git('add', 'a');
  git('-c', 'core.editor=true', 'rebase', '--continue');
  expect(git('rev-parse', '--abbrev-ref', 'HEAD')).toBe(tree.branch);
  expect(git('log', '--format=%s')).toBe('Mine\nOther\nBase\nStart');
});

test('a HEAD on no branch, and one before its first commit, are as they were', async () => {
  git('checkout', '-q', '--detach');
  git('commit', '-q', '--allow-empty', '-m', 'Loose');
  await roundTrip(['log', '--format=%H']);
  git('checkout', '-q', '--orphan', 'fresh');
  write('new', 'n');
  await roundTrip(['symbolic-ref', 'HEAD']);
});

test('commits that only the reflog knew are kept, and so is the reflog', async () => {
  git('commit', '-q', '--allow-empty', '-m', 'First try');
  const first = git('rev-parse', 'HEAD');
  git('commit', '-q', '--amend', '--allow-empty', '-m', 'Second try');
  write('untracked', 'u');
  await roundTrip(['reflog', '--format=%H']);
  box.git(folder.mainRepoPath, 'reflog', 'expire', '--expire=now', '--all');
  box.git(folder.mainRepoPath, 'gc', '-q', '--prune=now');
  expect(git('log', '-1', '--format=%s', first)).toBe('First try');
});

test('what we had put there is put there again', async () => {
  writeFileSync(join(folder.mainRepoPath, 'x.local'), 'x');
  mkdirSync(join(folder.mainRepoPath, 'shared'));
  await prepareWorktree({
    repo: folder,
    worktreePath: tree.path,
    copyFiles: ['*.local'],
    symlinkDirs: ['shared'],
    setupCommands: [],
  });
  write('untracked', 'u');
  await roundTrip();
  expect(readFileSync(at('x.local'), 'utf8')).toBe('x');
  expect(readlinkSync(at('shared'))).toBe(join(folder.mainRepoPath, 'shared'));
});

test('nothing is overwritten: a path and a branch that are taken are left, and each restore is one more worktree', async () => {
  write('untracked', 'u');
  await remove();
  box.git(folder.mainRepoPath, 'commit', '-q', '--allow-empty', '-m', 'On');
  box.git(folder.mainRepoPath, 'branch', '-f', tree.branch, 'main');
  mkdirSync(tree.path);
  write('somebody', 'else');
  const first = await restore();
  expect(first).toMatchObject({ path: `${tree.path}-2`, branch: `${tree.branch}-2`, exact: true });
  expect(first.notes).toEqual([expect.stringContaining(`${tree.branch} has moved on since`)]);
  const second = await restore();
  expect(second).toMatchObject({ path: `${tree.path}-3`, branch: `${tree.branch}-3`, exact: true });
  expect(readFileSync(at('somebody'), 'utf8')).toBe('else');
  expect(box.git(folder.mainRepoPath, 'rev-parse', tree.branch)).toBe(
    box.git(folder.mainRepoPath, 'rev-parse', 'main'),
  );
});

test('hooks of the repository are not run', async () => {
  const hook = join(folder.gitCommonDir, 'hooks', 'post-checkout');
  mkdirSync(join(folder.gitCommonDir, 'hooks'), { recursive: true });
  write('untracked', 'u');
  await remove();
  writeFileSync(hook, `#!/bin/sh\ntouch ${box.root}/ran\n`);
  chmodSync(hook, 0o755);
  await restore();
  expect(existsSync(join(box.root, 'ran'))).toBe(false);
});

test('a restore that fails leaves nothing behind but the salvage', async () => {
  write('untracked', 'u');
  await remove();
  box.git(folder.mainRepoPath, 'branch', '-D', tree.branch);
  const [salvage] = await listSalvages(folder);
  if (salvage === undefined) throw new Error('no salvage');
  const broken = { ...salvage, manifest: { ...salvage.manifest, own: '0'.repeat(40) } };
  await expect(restoreSalvage({ repo: folder, salvage: broken, root: '.worktrees' })).rejects.toThrow();
  expect(existsSync(tree.path)).toBe(false);
  expect(box.git(folder.mainRepoPath, 'worktree', 'list').split('\n')).toHaveLength(1);
  expect(box.git(folder.mainRepoPath, 'branch', '--list', tree.branch)).toBe('');
  expect((await restore()).exact).toBe(true);
});

test('a repository with sha256 names is saved and restored as well', async () => {
  const path = box.dir('wide');
  execFileSync('git', ['init', '-q', '--object-format=sha256', '-b', 'main'], { cwd: path, env: box.env });
  box.git(path, 'commit', '-q', '--allow-empty', '-m', 'Start');
  const found = await inspectFolder({ path, env: box.env });
  if (found === undefined) throw new Error('no repository');
  folder = found;
  tree = await addWorktree({ folder, root: '.worktrees', name: { workerName: 'ada', workerId: 'y' } });
  write('untracked', 'u');
  await roundTrip();
});
