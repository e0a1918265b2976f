import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { gitFoldersOf, pinWorktree, unpinWorktree } from '../../../src/worktree/git/git-link.ts';
import { watchHeld } from '../../../src/worktree/git/held-git.ts';
import { type FolderFacts, inspectFolder } from '../../../src/worktree/git/inspect.ts';
import { type AddedWorktree, addWorktree } from '../../../src/worktree/making/add.ts';
import { listWorktrees } from '../../../src/worktree/removal/list.ts';
import { removeWorktree } from '../../../src/worktree/removal/remove.ts';
import { workState } from '../../../src/worktree/state/work-state.ts';
import { eventually, makeSandbox, type Sandbox } from '../../support/sandbox.ts';

let box: Sandbox;
let repo: string;
let folder: FolderFacts;
let ada: AddedWorktree;
let ben: AddedWorktree;
let back: () => void;
beforeAll(async () => {
  box = makeSandbox();
  repo = box.repo('app');
  mkdirSync(join(repo, 'deep/er'), { recursive: true });
  writeFileSync(join(repo, 'deep/er/file'), 'text\n');
  box.git(repo, 'add', '.');
  box.git(repo, 'commit', '-q', '-m', 'Deep');
  const found = await inspectFolder({ path: repo, env: box.env });
  if (found === undefined) throw new Error('no repository');
  folder = found;
  const add = (workerName: string) => addWorktree({ folder, root: '.worktrees', name: { workerName, workerId: 'x' } });
  ada = await add('ada');
  ben = await add('ben');
  writeFileSync(join(ada.path, 'own.txt'), 'own\n');
  box.git(ada.path, 'add', '.');
  box.git(ada.path, 'commit', '-q', '-m', 'Own');
  writeFileSync(join(ada.path, 'loose.txt'), 'loose\n');
  back = box.keep();
});
afterEach(() => {
  unpinWorktree(ada.path);
  back();
});
afterAll(() => box.dispose());

const branchFile = () => join(folder.gitCommonDir, 'refs/heads', ada.branch);
const places: Readonly<Record<string, () => string>> = {
  '.git': () => join(ada.path, '.git'),
  index: () => join(ada.gitDir, 'index'),
  HEAD: () => join(ada.gitDir, 'HEAD'),
  locked: () => join(ada.gitDir, 'locked'),
  'config.worktree': () => join(ada.gitDir, 'config.worktree'),
  'logs/HEAD': () => join(ada.gitDir, 'logs/HEAD'),
  '.gitattributes': () => join(ada.path, '.gitattributes'),
  '.gitmodules': () => join(ada.path, '.gitmodules'),
  'the file of its branch': branchFile,
};

const kinds: Readonly<Record<string, (path: string) => void>> = {
  'a pipe': (path) => execFileSync('mkfifo', [path]),
  'a file of 4 GB': (path) => {
    writeFileSync(path, '');
    truncateSync(path, 4 * 1024 ** 3);
  },
  'a file of 5 MB': (path) => writeFileSync(path, '#'.repeat(5 * 1024 ** 2)),
  'a link to /dev/zero': (path) => symlinkSync('/dev/zero', path),
};

function plant(place: string, kind: string): string {
  const path = places[place]?.() ?? join(ada.path, place);
  rmSync(path, { force: true });
  mkdirSync(dirname(path), { recursive: true });
  kinds[kind]?.(path);
  return path;
}

async function timed<T>(act: () => Promise<T>): Promise<{ value: T; ms: number }> {
  const begun = performance.now();
  const value = await act();
  return { value, ms: performance.now() - begun };
}

const list = () => listWorktrees({ repo: folder, root: '.worktrees' });
const lookAtBen = () => workState({ worktreePath: ben.path, env: box.env });

/** git follows no link of this name. */
const isHarmless = (place: string, kind: string) => place === '.gitattributes' && kind.startsWith('a link');

const cases = Object.keys(places).flatMap((place) =>
  ['a pipe', 'a file of 4 GB', 'a link to /dev/zero'].flatMap((kind): [string, string][] =>
    isHarmless(place, kind) ? [] : [[kind, place]],
  ),
);

describe('in place of a file that git reads', () => {
  it.each(cases)(
    '%s as %s makes one worktree unreadable by name within a second, and no other',
    async (kind, place) => {
      pinWorktree(ada.path, { gitDir: ada.gitDir, commonDir: folder.gitCommonDir });
      const { ms: usual } = await timed(list);
      const path = plant(place, kind);
      const { value: trees, ms } = await timed(list);
      const told = new Map(trees.map((tree) => [tree.name, tree]));
      expect(told.get('ada-x')?.unreadable).toContain(path);
      expect(told.get('ben-x')).toMatchObject({ dirty: false });
      expect(told.get('ben-x')).not.toHaveProperty('unreadable');
      expect(ms - usual).toBeLessThan(1_000);
    },
  );

  it.each(cases)(
    '%s as %s is looked away from, and all that can be saved is, when it is removed by force',
    async (kind, place) => {
      pinWorktree(ada.path, { gitDir: ada.gitDir, commonDir: folder.gitCommonDir });
      const tip = box.git(ada.path, 'rev-parse', 'HEAD');
      plant(place, kind === 'a file of 4 GB' && place.startsWith('.git') ? 'a file of 5 MB' : kind);
      const removed = await removeWorktree({ repo: folder, path: ada.path, force: true, workerId: 'x' });
      const ref = removed.salvage?.ref ?? '';
      expect(existsSync(ada.path)).toBe(false);
      expect(box.git(repo, 'show', `${ref}:loose.txt`)).toBe('loose');
      expect(box.git(repo, 'show', `${ref}:own.txt`)).toBe('own');
      expect(box.git(repo, 'rev-parse', ada.branch)).toBe(tip);
      expect(box.git(repo, 'worktree', 'list').split('\n')).toHaveLength(2);
    },
    60_000,
  );
});

it('a pipe in a folder of the work tree is named too, and nobody else waits for it', async () => {
  const path = join(ada.path, 'deep/er/.gitignore');
  execFileSync('mkfifo', [path]);
  const { value, ms } = await timed(list);
  expect(value.find(({ name }) => name === 'ada-x')?.unreadable).toContain(path);
  expect(ms).toBeLessThan(2_000);
  expect(await removeWorktree({ repo: folder, path: ada.path, force: true })).toMatchObject({ removed: true });
});

it('a pipe in place of an object is waited for by nobody', async () => {
  writeFileSync(join(ada.path, 'another'), 'another\n');
  box.git(ada.path, 'add', '.');
  box.git(ada.path, 'commit', '-q', '-m', 'Another');
  const tip = box.git(ada.path, 'rev-parse', 'HEAD');
  const object = join(folder.gitCommonDir, 'objects', tip.slice(0, 2), tip.slice(2));
  rmSync(object, { force: true });
  execFileSync('mkfifo', [object]);
  const { value, ms } = await timed(list);
  expect(value.find(({ name }) => name === 'ada-x')).toHaveProperty('unreadable');
  expect(ms).toBeLessThan(2_000);
});

it.each([
  ['HEAD', 'a pipe'],
  ['the file of its branch', 'a pipe'],
  ['index', 'a pipe'],
])('a call about another worker is not held by %s that is %s', async (place, kind) => {
  const { ms: usual } = await timed(lookAtBen);
  plant(place, kind);
  const { ms } = await timed(lookAtBen);
  expect(ms - usual).toBeLessThan(300);
  const spawn = () => addWorktree({ folder, root: '.worktrees', name: { workerName: 'cyn', workerId: 'x' } });
  expect((await timed(spawn)).ms).toBeLessThan(2_000);
});

it.each([
  ['a link to a folder', false, (path: string) => symlinkSync(box.root, path)],
  ['a link to a plain file', false, (path: string) => symlinkSync(join(repo, '.git/config'), path)],
  [
    'a link to a pipe',
    true,
    (path: string) => {
      execFileSync('mkfifo', [join(ada.gitDir, 'aside')]);
      symlinkSync(join(ada.gitDir, 'aside'), path);
    },
  ],
  ['a pipe', true, (path: string) => void execFileSync('mkfifo', [path])],
])('%s of another worktree is set aside, and ends a git that runs: %s', async (_, holds, make) => {
  const path = join(ada.gitDir, 'rebase-merge');
  make(path);
  const held = watchHeld(gitFoldersOf(ben.path));
  await eventually('it is set aside', () => lstatSync(path, { throwIfNoEntry: false }) === undefined);
  // Whoever sets it aside aborts in the same step.
  await new Promise(setImmediate);
  expect(held.signal.aborted).toBe(holds);
  held.stop();
});

it.each([
  ['gone', () => unlinkSync(join(ada.gitDir, 'index'))],
  ['broken', () => writeFileSync(join(ada.gitDir, 'index'), 'damaged')],
  ['empty', () => writeFileSync(join(ada.gitDir, 'index'), '')],
])('an index that is %s keeps nothing from being saved and removed by force', async (_, spoil) => {
  spoil();
  const { salvage } = await removeWorktree({ repo: folder, path: ada.path, force: true });
  expect(box.git(repo, 'ls-tree', '--name-only', salvage?.ref ?? '').split('\n')).toEqual(
    expect.arrayContaining(['loose.txt', 'own.txt', 'README.md']),
  );
  expect(existsSync(ada.path)).toBe(false);
});

it('a git that is slow for another reason moves nothing', async () => {
  const all = () =>
    readdirSync(folder.gitCommonDir, { recursive: true }).filter((name) => /crewmux-(odd|aside)/.test(String(name)));
  symlinkSync('refs/heads/main', join(folder.gitCommonDir, 'refs/heads/alias'));
  const slow = box.dir('slow');
  const script = `#!/bin/sh\nsleep 0.4\nPATH='${box.env.PATH}'\nexec git "$@"\n`;
  writeFileSync(join(slow, 'git'), script, { mode: 0o700 });
  await workState({ worktreePath: ben.path, env: { ...box.env, PATH: `${slow}:${box.env.PATH}` } });
  expect(all()).toEqual([]);
  expect(readFileSync(branchFile(), 'utf8')).toMatch(/^[0-9a-f]{40}\n$/);
});
