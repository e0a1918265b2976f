import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type FolderFacts, inspectFolder } from '../../../src/worktree/git/inspect.ts';
import { type AddedWorktree, addWorktree } from '../../../src/worktree/making/add.ts';
import { prepareWorktree } from '../../../src/worktree/making/prepare.ts';
import { removeWorktree } from '../../../src/worktree/removal/remove.ts';
import { restoreSalvage } from '../../../src/worktree/salvage/restore.ts';
import { listSalvages } from '../../../src/worktree/salvage/salvages.ts';
import { layGround, workerTree } from '../../support/ground.ts';
import { eventually } from '../../support/sandbox.ts';

const { box, folder } = await layGround();
const tree = await workerTree(folder);

const git = (...args: string[]) => box.git(tree.path, ...args);
const at = (path: string) => join(tree.path, path);
const write = (path: string, bytes: string | Buffer) => writeFileSync(at(path), bytes);
interface Ground {
  readonly repo: FolderFacts;
  readonly tree: AddedWorktree;
}
const ada = (): Ground => ({ repo: folder, tree });
const remove = ({ repo, tree: { path } } = ada()) => removeWorktree({ repo, path, force: true, workerId: '0a1b2c3d' });
async function restore({ repo } = ada()) {
  const [salvage] = await listSalvages(repo);
  if (salvage === undefined) throw new Error('no salvage');
  return restoreSalvage({ repo, salvage, isOurs: true, root: '.worktrees' });
}
const roundTrip = (...commands: string[][]) => roundTripOf(ada(), ...commands);
/** Removes by force and brings back; the same commands must print the same before and after. */
async function roundTripOf(ground: Ground, ...commands: string[][]) {
  const { path } = ground.tree;
  const all = [['status', '--porcelain=v2', '-z'], ['ls-files', '-s', '-v', '-z'], ...commands];
  const look = () => all.map((args) => box.git(path, ...args));
  const before = look();
  await remove(ground);
  expect(existsSync(path)).toBe(false);
  const restored = await restore(ground);
  expect(restored).toMatchObject({ path, exact: true, notes: [] });
  expect(look()).toEqual(before);
  return restored;
}

test('files, index, marks, HEAD and branch are as they were, with all that git or a filter converts', async () => {
  git('config', 'core.autocrlf', 'true');
  git('config', '--global', 'filter.shout.clean', 'tr a-z A-Z');
  git('config', '--global', 'filter.shout.smudge', 'tr A-Z a-z');
  const kinds = [
    '*.lf text eol=lf',
    '*.crlf text eol=crlf',
    '*.utf16 text working-tree-encoding=UTF-16LE-BOM',
    '*.id ident',
  ];
  write('.gitattributes', [...kinds, '*.shout -text filter=shout', ''].join('\n'));
  const files: Record<string, Buffer> = {
    'a.txt': Buffer.from('one\ntwo\n'),
    'b.txt': Buffer.from('one\r\ntwo\r\n'),
    'a.lf': Buffer.from('x\ny\n'),
    'a.crlf': Buffer.from('x\ny\n'),
    'b.crlf': Buffer.from('x\r\ny\r\n'),
    'w.utf16': Buffer.from('\ufeffhé\r\n', 'utf16le'),
    'same.shout': Buffer.from('quiet\n'),
  };
  for (const [name, bytes] of Object.entries(files)) write(name, bytes);
  for (const name of ['committed', 'overlooked', 'left-out', 'gone', 'changed.shout', 'changed.id']) write(name, name);
  git('add', '-A');
  git('commit', '-q', '-m', 'Work');
  git('update-index', '--assume-unchanged', 'overlooked', 'gone');
  git('update-index', '--skip-worktree', 'left-out');
  Object.assign(files, {
    'changed.shout': Buffer.from('second, As It Is\n'),
    overlooked: Buffer.from('changed all the same'),
    'left-out': Buffer.from('changed as well'),
    'untracked.lf': Buffer.from('u\r\nv\n'),
    'changed.id': Buffer.from('$Id: mine $\n'),
    'README.md': Buffer.from('changed'),
    meant: Buffer.from('m'),
  });
  write('staged', 'as staged');
  git('add', 'staged');
  files.staged = Buffer.from('as on disk');
  mkdirSync(at('new dir'));
  const oddNames = { 'ü "quoted"\n': 'untracked', 'returned\r': 'odd', 'empty\n': '' };
  for (const [name, text] of Object.entries(oddNames)) files[`new dir/${name}`] = Buffer.from(text);
  for (const [name, bytes] of Object.entries(files)) write(name, bytes);
  git('add', '-N', 'meant');
  for (const name of ['committed', 'gone']) rmSync(at(name));
  write('tool', '#!/bin/sh\n');
  chmodSync(at('tool'), 0o755);
  symlinkSync('/nowhere/at all', at('link'));
  const restored = await roundTrip(['log', '--format=%H %s'], ['diff'], ['diff', '--cached']);
  expect(restored.branch).toBe(tree.branch);
  for (const [name, bytes] of Object.entries(files)) expect(readFileSync(at(name)), name).toEqual(bytes);
  expect(readlinkSync(at('link'))).toBe('/nowhere/at all');
  expect(lstatSync(at('tool')).mode & 0o111).toBe(0o111);
  expect(['committed', 'gone'].map((name) => existsSync(at(name)))).toEqual([false, false]);
});

test('a filter converts a file again that has the size and the second of the file that was saved', async () => {
  git('config', 'core.checkStat', 'minimal');
  git('config', '--global', 'filter.shout.clean', 'tr a-z A-Z');
  git('config', '--global', 'filter.shout.smudge', 'tr A-Z a-z');
  write('.gitattributes', '*.shout -text filter=shout\n');
  write('a.shout', 'quiet\n');
  git('add', '-A');
  git('commit', '-q', '-m', 'Work');
  write('not committed', 'x');
  const second = () => Math.floor(statSync(at('a.shout')).mtimeMs / 1_000);
  for (;;) {
    const wanted = Math.floor(Date.now() / 1_000) + 1;
    utimesSync(at('a.shout'), wanted, wanted);
    git('update-index', '--refresh');
    await remove();
    await eventually('the second of the saved file', () => Date.now() >= wanted * 1_000);
    await restore();
    expect(readFileSync(at('a.shout'), 'utf8')).toBe('quiet\n');
    if (second() === wanted) return;
  }
});

test('a sparse checkout is as sparse as it was, and what we had put there is put there again', async () => {
  for (const dir of ['in', 'out']) {
    mkdirSync(at(dir));
    write(`${dir}/file`, dir);
  }
  git('add', '-A');
  git('commit', '-q', '-m', 'Dirs');
  git('sparse-checkout', 'set', 'in');
  expect(existsSync(at('out'))).toBe(false);
  write('in/file', 'changed');
  writeFileSync(join(folder.mainRepoPath, 'x.local'), 'x');
  mkdirSync(join(folder.mainRepoPath, 'shared'));
  const prepared = { copyFiles: ['*.local'], symlinkDirs: ['shared'], setupCommands: [] };
  await prepareWorktree({ repo: folder, worktreePath: tree.path, ...prepared });
  await roundTrip(['sparse-checkout', 'list']);
  expect(existsSync(at('out'))).toBe(false);
  expect(readFileSync(at('in/file'), 'utf8')).toBe('changed');
  expect(readFileSync(at('x.local'), 'utf8')).toBe('x');
  expect(readlinkSync(at('shared'))).toBe(join(folder.mainRepoPath, 'shared'));
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

test('a HEAD on no branch is as it was, with the reflog and the commits that only that knew', async () => {
  git('checkout', '-q', '--detach');
  git('commit', '-q', '--allow-empty', '-m', 'First try');
  const first = git('rev-parse', 'HEAD');
  git('commit', '-q', '--amend', '--allow-empty', '-m', 'Second try');
  await roundTrip(['log', '--format=%H'], ['reflog', '--format=%H']);
  box.git(folder.mainRepoPath, 'reflog', 'expire', '--expire=now', '--all');
  box.git(folder.mainRepoPath, 'gc', '-q', '--prune=now');
  expect(git('log', '-1', '--format=%s', first)).toBe('First try');
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

test('a branch that another one stands above or below is restored beside it, under a number', async () => {
  const main = folder.mainRepoPath;
  write('untracked', 'u');
  await remove();
  box.git(main, 'branch', '-q', '-D', 'ada-x/work');
  box.git(main, 'branch', 'ada-x/work/below');
  expect((await restore()).branch).toBe('ada-x/work-2');
  box.git(main, 'branch', '-q', '-D', 'ada-x/work/below');
  box.git(tree.path, 'checkout', '-q', '--detach');
  box.git(main, 'branch', '-q', '-D', 'ada-x/work-2');
  box.git(main, 'branch', 'ada-x');
  box.git(main, 'branch', 'ada-x-2');
  const { branch, notes } = await restore();
  expect([branch, notes]).toEqual([
    'ada-x-3/work',
    ['a branch above or below ada-x/work is in its way, so it is on ada-x-3/work'],
  ]);
});

test('a restore runs no hook, and one that fails leaves nothing behind but the salvage', async () => {
  write('untracked', 'u');
  await remove();
  box.git(folder.mainRepoPath, 'branch', '-D', tree.branch);
  mkdirSync(join(folder.gitCommonDir, 'hooks'), { recursive: true });
  const hook = join(folder.gitCommonDir, 'hooks', 'post-checkout');
  writeFileSync(hook, `#!/bin/sh\ntouch ${box.root}/ran\n`, { mode: 0o755 });
  const [salvage] = await listSalvages(folder);
  if (salvage === undefined) throw new Error('no salvage');
  const broken = { ...salvage, manifest: { ...salvage.manifest, own: tree.base.sha } };
  await expect(restoreSalvage({ repo: folder, salvage: broken, isOurs: true, root: '.worktrees' })).rejects.toThrow();
  expect(existsSync(tree.path)).toBe(false);
  expect(box.git(folder.mainRepoPath, 'worktree', 'list').split('\n')).toHaveLength(1);
  expect(box.git(folder.mainRepoPath, 'branch', '--list', tree.branch)).toBe('');
  expect((await restore()).exact).toBe(true);
  expect(existsSync(join(box.root, 'ran'))).toBe(false);
});

test('a HEAD before its first commit is as it was, also where names are of sha256', async () => {
  const path = box.dir('wide');
  box.git(path, 'init', '-q', '--object-format=sha256', '-b', 'main');
  box.git(path, 'commit', '-q', '--allow-empty', '-m', 'Start');
  const found = await inspectFolder({ path, env: box.env });
  if (found === undefined) throw new Error('no repository');
  const name = { workerName: 'ada', workerId: 'y' };
  const wide = await addWorktree({ folder: found, root: '.worktrees', name });
  box.git(wide.path, 'checkout', '-q', '--orphan', 'fresh');
  writeFileSync(join(wide.path, 'new'), 'n');
  await roundTripOf({ repo: found, tree: wide }, ['symbolic-ref', 'HEAD']);
});
