import { execFile } from 'node:child_process';
import { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { type RemoveRequest, removeWorktree } from '../../../src/worktree/removal/remove.ts';
import { restoreSalvage } from '../../../src/worktree/salvage/restore.ts';
import { listSalvages } from '../../../src/worktree/salvage/salvages.ts';
import { layGround, workerTree } from '../../support/ground.ts';

const { box, folder } = await layGround();
const tree = await workerTree(folder);

const git = (...args: string[]) => box.git(tree.path, ...args);
const write = (path: string, text: string) => writeFileSync(join(tree.path, path), text);
const remove = (request: Partial<RemoveRequest> = {}) =>
  removeWorktree({ repo: folder, path: tree.path, force: false, workerId: 'x', ...request });
async function restore(repo = folder) {
  const [salvage] = await listSalvages(repo);
  if (salvage === undefined) throw new Error('no salvage');
  return restoreSalvage({ repo, salvage, isOurs: true, root: '.worktrees' });
}
const expireReflogs = () => {
  box.git(folder.mainRepoPath, 'reflog', 'expire', '--expire=now', '--all');
  box.git(folder.mainRepoPath, 'gc', '-q', '--prune=now');
};

describe('what git would let go without a word is saved first, unasked', () => {
  test('commits that were amended or reset away', async () => {
    git('commit', '-q', '--allow-empty', '-m', 'First');
    const first = git('rev-parse', 'HEAD');
    git('commit', '-q', '--allow-empty', '--amend', '-m', 'Second');
    git('commit', '-q', '--allow-empty', '-m', 'Third');
    const third = git('rev-parse', 'HEAD');
    git('reset', '-q', '--hard', 'HEAD~1');
    expect((await remove()).salvage?.ref).toMatch(/^refs/);
    expireReflogs();
    const types = [first, third].map((sha) => box.git(folder.mainRepoPath, 'cat-file', '-t', sha));
    expect(types).toEqual(['commit', 'commit']);
  });
});

describe('what no salvage brings back exactly keeps the worktree, even from force, and is named', () => {
  const commit = () => git('add', '-A') + git('commit', '-q', '-m', 'All');
  const setUp = (attributes: string, name: string, text: string) => {
    write('.gitattributes', `${attributes}\n`);
    write(name, text);
    commit();
    expect(git('status', '--porcelain')).toBe('');
  };
  const noText = (name: string) => Buffer.concat([Buffer.from(`${tree.path}/${name}`), Buffer.from([0xe9])]);

  test.each<[string, () => unknown, string]>([
    ['an untracked file', () => writeFileSync(noText('new'), 'u'), 'not UTF-8: new\ufffd'],
    [
      'a changed file',
      () => [writeFileSync(noText('a'), '1'), commit(), writeFileSync(noText('a'), '2')],
      'not UTF-8: a\ufffd',
    ],
    [
      'a branch',
      () => writeFileSync(join(tree.gitDir, 'HEAD'), Buffer.from('ref: refs/heads/b\xe9\n', 'latin1')),
      'not UTF-8: b\ufffd',
    ],
    [
      'line ends',
      () => setUp('* text=auto', 'returns.txt', 'one\r\ntwo\r\n'),
      'other bytes, such as line ends, to: returns.txt',
    ],
    ['mixed line ends', () => setUp('* text eol=crlf', 'mixed', 'one\r\ntwo\n'), 'to: mixed'],
    ['an ident', () => setUp('*.id ident', 'v.id', '$Id: mine $\n'), 'to: v.id'],
  ])('%s', async (_, make, words) => {
    make();
    write('untracked', 'u');
    await expect(remove({ force: true })).rejects.toMatchObject({
      code: 'would_lose_work',
      message: expect.stringContaining(words),
    });
    expect(readFileSync(join(tree.path, 'untracked'), 'utf8')).toBe('u');
    expect(await listSalvages(folder)).toEqual([]);
  });

  test('other line ends, also where nothing else is in the way', async () => {
    setUp('* text=auto', 'returns.txt', 'one\r\n');
    await expect(remove()).rejects.toMatchObject({ message: expect.stringContaining('returns.txt') });
    expect(readFileSync(join(tree.path, 'returns.txt'), 'utf8')).toBe('one\r\n');
  });

  test.each<[string, () => unknown, RegExp]>([
    ['what was staged', () => [write('staged', 's'), git('add', 'staged')], /what was staged in it is in no commit/],
    [
      'a commit that only its reflog knows',
      () => [git('commit', '-q', '--allow-empty', '-m', 'Lost'), git('reset', '-q', '--hard', 'HEAD~1')],
      /no branch has the commits [0-9a-f]{40}/,
    ],
  ])('%s, in a folder that is gone', async (_, make, words) => {
    make();
    rmSync(tree.path, { recursive: true });
    await expect(remove({ force: true })).rejects.toMatchObject({
      code: 'would_lose_work',
      message: expect.stringMatching(words),
    });
    expect(box.git(folder.mainRepoPath, 'worktree', 'list')).toContain('prunable');
  });
});

test('line ends that git writes by itself need no salvage', async () => {
  write('.gitattributes', '* text=auto\n*.bat text eol=crlf\n*.id ident\n');
  write('run.bat', 'one\r\n');
  write('plain.txt', 'one\n');
  write('v.id', '$Id$\n');
  git('add', '-A');
  git('commit', '-q', '-m', 'As git has it');
  rmSync(join(tree.path, 'v.id'));
  git('checkout', '-q', '--', 'v.id');
  expect(await remove()).toEqual({ removed: true });
});

test.each(['update-index', 'write-tree', 'commit-tree', 'update-ref'])(
  'a salvage that cannot be written for the disk is full at %s leaves the worktree as it was',
  async (command) => {
    const bin = box.dir('bin');
    const real = process.env.PATH?.split(':').find((dir) => existsSync(join(dir, 'git')));
    // Nothing can be written to a file any more: what git makes of that is real.
    const full = `#!/bin/sh\nfor a; do [ "$a" = ${command} ] && ulimit -f 0; done\nexec ${real}/git "$@"\n`;
    writeFileSync(join(bin, 'git'), full);
    chmodSync(join(bin, 'git'), 0o755);
    write('precious', 'x'.repeat(10_000));
    git('add', 'precious');
    appendFileSync(join(tree.path, 'precious'), 'more');
    const before = git('status', '--porcelain=v2');
    const repo = { ...folder, env: { ...box.env, PATH: `${bin}:${box.env.PATH}` } };
    await expect(remove({ repo, force: true })).rejects.toThrow();
    expect(readFileSync(join(tree.path, 'precious'), 'utf8')).toHaveLength(10_004);
    expect(git('status', '--porcelain=v2')).toBe(before);
    expect(box.git(folder.mainRepoPath, 'for-each-ref', 'refs/crewmux')).toBe('');
    if (command !== 'update-ref') return;
    expect((await remove({ force: true })).removed).toBe(true);
    expect((await restore()).exact).toBe(true);
  },
);

test('a server killed between salvage and removal loses nothing, and its successor finishes', async () => {
  write('precious', 'p');
  const src = join(import.meta.dirname, '../../../src/worktree');
  const script = join(box.root, 'killed.ts');
  writeFileSync(
    script,
    `import { inspectFolder } from '${src}/git/inspect.ts';
     import { removeWorktree } from '${src}/removal/remove.ts';
     const repo = await inspectFolder({ path: process.argv[2], env: { ...process.env } });
     const onSaved = async () => { process.kill(process.pid, 'SIGKILL'); };
     await removeWorktree({ repo, path: process.argv[3], force: true, workerId: 'x', onSaved });`,
  );
  const loader = join(import.meta.dirname, '../../../scripts/ts.mjs');
  const run = promisify(execFile)(process.execPath, ['--import', loader, script, folder.mainRepoPath, tree.path], {
    env: box.env,
  });
  await expect(run).rejects.toMatchObject({ signal: 'SIGKILL' });
  expect(readFileSync(join(tree.path, 'precious'), 'utf8')).toBe('p');
  expect(await listSalvages(folder)).toHaveLength(1);
  await remove({ force: true });
  expect(existsSync(tree.path)).toBe(false);
  for (const salvage of await listSalvages(folder)) {
    expect(await restoreSalvage({ repo: folder, salvage, isOurs: true, root: '.worktrees' })).toMatchObject({
      exact: true,
    });
  }
});

test('what is written while it is saved is saved as well', async () => {
  write('precious', 'first');
  let writes = 0;
  const onSaved = async () => {
    writes += 1;
    if (writes === 1) write('late', 'second');
  };
  await remove({ force: true, onSaved });
  await restore();
  expect(readFileSync(join(tree.path, 'late'), 'utf8')).toBe('second');
});

test('a worktree that never rests is kept', async () => {
  write('precious', 'first');
  const onSaved = async () => appendFileSync(join(tree.path, 'precious'), 'more');
  await expect(remove({ force: true, onSaved })).rejects.toMatchObject({ code: 'would_lose_work' });
  expect(existsSync(join(tree.path, 'precious'))).toBe(true);
});

test('a removal that git does not finish names the salvage', async () => {
  write('precious', 'p');
  const onSaved = async () => git('worktree', 'lock', tree.path);
  await expect(remove({ force: true, onSaved: async () => void (await onSaved()) })).rejects.toMatchObject({
    hint: expect.stringContaining('refs/crewmux/salvage/'),
  });
  expect(existsSync(join(tree.path, 'precious'))).toBe(true);
});

test.each([
  (other: string) => `fatal: Invalid path '${other}': No such file or directory`,
  (other: string) => `fatal: failed to read ${other}/commondir: Success`,
])('a removal during which git finds another worktree half there is made again (%#)', async (wordsOf) => {
  write('own', 'work');
  const bin = box.dir('bin');
  const words = wordsOf(join(folder.mainRepoPath, '.git/worktrees/other'));
  const first = `case "$*" in *'worktree remove'*) [ -e '${bin}/was' ] || { touch '${bin}/was'; echo "${words}" >&2; exit 128; };; esac`;
  writeFileSync(join(bin, 'git'), `#!/bin/sh\n${first}\nPATH=\${PATH#*:} exec git "$@"\n`, { mode: 0o755 });
  const env = { ...folder.env, PATH: `${bin}:${box.env.PATH}` };
  await remove({ repo: { ...folder, env }, force: true });
  expect(existsSync(join(bin, 'was'))).toBe(true);
  expect(existsSync(tree.path)).toBe(false);
});

test('a repository of its own in an ignored folder keeps the worktree, even from force', async () => {
  write('.gitignore', 'tmp\n');
  git('add', '-A');
  git('commit', '-q', '-m', 'Ignore');
  mkdirSync(join(tree.path, 'tmp/deep/clone'), { recursive: true });
  box.git(join(tree.path, 'tmp/deep/clone'), 'init', '-q');
  expect(git('status', '--porcelain')).toBe('');
  for (const force of [false, true]) {
    await expect(remove({ force })).rejects.toMatchObject({
      code: 'would_lose_work',
      message: expect.stringContaining('tmp/deep/clone'),
    });
  }
});
