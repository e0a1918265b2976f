import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decodeSettings, overrules, type Setting } from '../../../src/worktree/git/distrust.ts';
import { movedLink } from '../../../src/worktree/git/git-link.ts';
import { withHooks } from '../../../src/worktree/git/hooks.ts';
import { inspectFolder, type Repo } from '../../../src/worktree/git/inspect.ts';
import { git } from '../../../src/worktree/git/repo.ts';
import { type AddedWorktree, addWorktree } from '../../../src/worktree/making/add.ts';
import { readStatus } from '../../../src/worktree/state/status.ts';
import { makeSandbox, type Sandbox } from '../../support/sandbox.ts';

const own = (key: string, value = 'evil'): Setting => ({ scope: 'local', origin: 'file:.git/config', key, value });
const users = (key: string, value: string): Setting => ({ scope: 'global', origin: 'file:/home/u', key, value });
const ruledAs = (settings: readonly Setting[], key: string) =>
  overrules(settings, '/hooks').findLast(([name]) => name.toLowerCase() === key.toLowerCase())?.[1];

it.each([
  ['filter.x.clean', ''],
  ['filter.x.smudge', ''],
  ['filter.x.process', ''],
  ['filter.x.required', 'false'],
  ['filter.with.dots.clean', ''],
  ['merge.x.driver', 'git merge-file -q --marker-size=%L %A %O %B'],
  ['diff.x.textconv', 'false'],
  ['diff.x.command', 'false'],
  ['diff.external', 'false'],
  ['remote.origin.vcs', ''],
  ['lfs.customtransfer.x.path', 'false'],
  ['lfs.extension.x.clean', 'false'],
  ['lfs.standalonetransferagent', ''],
  ['core.sshcommand', 'ssh'],
  ['core.fsmonitor', 'false'],
  ['core.hookspath', '/hooks'],
  ['core.askpass', ''],
  ['commit.gpgsign', 'false'],
  ['credential.helper', ''],
])('%s of a repository becomes %j', (key, value) => {
  expect(ruledAs([own(key)], key)).toBe(value);
  expect(ruledAs([{ ...own(key), scope: 'worktree' }], key)).toBe(value);
});

it('what the user has set stands, and comes before what the repository says of the same', () => {
  expect(ruledAs([users('filter.lfs.clean', 'git-lfs clean'), own('filter.lfs.clean')], 'filter.lfs.clean')).toBe(
    'git-lfs clean',
  );
  expect(ruledAs([users('filter.lfs.clean', 'git-lfs clean')], 'filter.lfs.clean')).toBeUndefined();
  expect(ruledAs([users('core.sshcommand', 'ssh -i key'), own('core.sshcommand')], 'core.sshcommand')).toBe(
    'ssh -i key',
  );
  const helpers = [
    own('credential.helper'),
    users('credential.https://x.helper', 'store'),
    own('credential.https://x.helper'),
  ];
  expect(overrules(helpers, '/hooks').slice(-2)).toEqual([
    ['credential.helper', ''],
    ['credential.https://x.helper', 'store'],
  ]);
});

it('a listing is decoded with values of several lines and keys without any', () => {
  const text = 'global\0file:/g\0core.editor\nvi\nx\0local\0file:.git/config\0core.bare\0';
  expect(decodeSettings(text)).toEqual([
    { scope: 'global', origin: 'file:/g', key: 'core.editor', value: 'vi\nx' },
    { scope: 'local', origin: 'file:.git/config', key: 'core.bare', value: '' },
  ]);
  expect(() => decodeSettings('global\0file:/g\0')).toThrow(/half/);
});

describe('on a repository', () => {
  let box: Sandbox;
  let repo: Repo;
  let tree: AddedWorktree;
  beforeEach(async () => {
    box = makeSandbox();
    const folder = await inspectFolder({ path: box.repo('app'), env: box.env });
    if (folder === undefined) throw new Error('no repository');
    repo = folder;
    tree = await addWorktree({ folder, root: '.worktrees', name: { workerName: 'ada', workerId: '0a1b2c3d' } });
  });
  afterEach(() => box.dispose());

  const head = (path: string) => git({ path, env: box.env }, ['rev-parse', 'HEAD']);

  it.each([
    ['a link to another repository', () => writeFileSync(join(tree.path, '.git'), `gitdir: ${evil()}\n`)],
    ['a repository in its place', () => becomes(() => box.git(tree.path, 'init', '-q'))],
    ['a symlink in its place', () => becomes(() => symlinkSync(evil(), join(tree.path, '.git')))],
    ['nothing in its place', () => becomes(() => undefined)],
    ['a way back that leads elsewhere', () => writeFileSync(join(tree.gitDir, 'gitdir'), '/elsewhere/.git\n')],
  ])('git stays where the worktree was made, whatever is planted: %s', async (_, plant) => {
    const before = await head(tree.path);
    evil();
    plant();
    expect(await head(tree.path)).toBe(before);
    expect(movedLink(tree.path)).toContain(tree.gitDir);
    await expect(inspectFolder({ path: tree.path, env: box.env })).rejects.toMatchObject({ code: 'worktree_failed' });
    expect(await inspectFolder({ path: tree.path, env: box.env }, { alsoMoved: true })).toMatchObject({
      gitDir: tree.gitDir,
      gitCommonDir: repo.gitCommonDir,
    });
  });

  it('another common folder is named, and what its branches say is not taken for ours', async () => {
    evil();
    writeFileSync(join(tree.gitDir, 'commondir'), `${join(box.root, 'evil/.git')}\n`);
    expect(movedLink(tree.path)).toContain('commondir names');
    await expect(inspectFolder({ path: tree.path, env: box.env })).rejects.toMatchObject({ code: 'worktree_failed' });
    await expect(head(tree.path)).rejects.toMatchObject({ code: 'git_failed' });
  });

  /** Of a worktree of a repository that is not ours; made with the first call. */
  function evil(): string {
    const path = join(box.root, 'evil');
    if (!existsSync(path)) {
      box.repo('evil');
      box.git(path, 'commit', '-q', '--allow-empty', '-m', 'Evil');
      box.git(path, 'worktree', 'add', '-q', join(box.root, 'evil-tree'));
    }
    return join(path, '.git/worktrees/evil-tree');
  }

  function becomes(make: () => unknown): void {
    rmSync(join(tree.path, '.git'));
    make();
  }

  it('a setting that is written between two calls holds for neither', async () => {
    const ran = join(box.root, 'ran');
    writeFileSync(join(tree.path, '.gitattributes'), '* filter=late\n');
    // Of the same size, so that git has to read it.
    writeFileSync(join(tree.path, 'README.md'), '# App\n');
    const look = () => readStatus({ path: tree.path, env: box.env });
    const before = await look();
    box.git(repo.mainRepoPath, 'config', 'filter.late.clean', `touch ${ran}; cat`);
    expect(await look()).toEqual(before);
    expect(existsSync(ran)).toBe(false);
  });

  it('changes in a repository inside are seen, and nothing that it names runs', async () => {
    const inner = join(tree.path, 'inner');
    const ran = join(box.root, 'ran');
    box.git(tree.path, 'init', '-q', inner);
    writeFileSync(join(inner, 'file'), 'one\n');
    box.git(inner, 'add', '.');
    box.git(inner, 'commit', '-q', '-m', 'Inner');
    box.git(tree.path, 'add', 'inner');
    box.git(tree.path, 'commit', '-q', '-m', 'Point');
    const look = async () => (await readStatus({ path: tree.path, env: box.env })).changes;
    expect(await look()).toEqual([]);
    writeFileSync(join(inner, '.gitattributes'), '* filter=inner\n');
    writeFileSync(join(inner, 'file'), 'two\n');
    box.git(inner, 'config', 'filter.inner.clean', `touch ${ran}; cat`);
    box.git(inner, 'config', 'core.fsmonitor', `touch ${ran}`);
    expect(await look()).toEqual([expect.objectContaining({ path: 'inner', submodule: true, changedInside: true })]);
    expect(existsSync(ran)).toBe(false);
  });

  it('hooks that lie in the work tree are those of the commit, and those of git lie where they lie', async () => {
    const { mainRepoPath: path } = repo;
    const folder = (base: string) =>
      withHooks(repo, base, async (hooks) => [hooks, existsSync(join(hooks, 'pre-commit'))]);
    expect(await folder('HEAD')).toEqual([join(path, '.git/hooks'), false]);
    box.git(path, 'config', 'core.hooksPath', '.husky');
    mkdirSync(join(path, '.husky'));
    writeFileSync(join(path, '.husky/pre-commit'), '#!/bin/sh\n', { mode: 0o755 });
    const [before, isThere] = await folder('HEAD');
    expect([isThere, existsSync(`${before}`)]).toEqual([false, false]);
    box.git(path, 'add', '.husky');
    box.git(path, '-c', 'core.hooksPath=/dev/null', 'commit', '-q', '-m', 'Hooks');
    expect((await folder('HEAD'))[1]).toBe(true);
  });
});
