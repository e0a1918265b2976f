import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inspectFolder } from '../../../src/worktree/git/inspect.ts';
import { type ListedWorktree, listWorktrees } from '../../../src/worktree/removal/list.ts';
import { makeSandbox, type Sandbox } from '../../support/sandbox.ts';

/** One repository with one worktree in each state; `main` goes on after them. */
let box: Sandbox;
let repo: string;
let listed: ReadonlyMap<string, ListedWorktree>;

const root = (name: string) => join(repo, '.worktrees', name);
const git = (name: string, ...args: string[]) => box.git(root(name), ...args);
const fails = (name: string, ...args: string[]) => expect(() => git(name, ...args)).toThrow();

function commit(at: string, file: string, text = `${file}\n`): void {
  writeFileSync(join(at, file), text);
  box.git(at, 'add', '-A');
  box.git(at, 'commit', '-q', '-m', `Write ${file}`);
}

const make: Readonly<Record<string, (name: string) => void>> = {
  clean: () => {},
  edited: (name) => writeFileSync(join(root(name), 'README.md'), 'edited'),
  untracked: (name) => writeFileSync(join(root(name), 'new ü'), ''),
  overlooked: (name) => {
    git(name, 'update-index', '--assume-unchanged', 'README.md');
    writeFileSync(join(root(name), 'README.md'), 'overlooked');
  },
  ahead: (name) => commit(root(name), name),
  merged: (name) => {
    commit(root(name), name);
    box.git(repo, 'merge', '-q', '--no-ff', name);
  },
  squashed: (name) => {
    commit(root(name), name);
    commit(root(name), name, 'again\n');
    box.git(repo, 'merge', '-q', '--squash', name);
    box.git(repo, 'commit', '-q', '-m', 'Squash');
  },
  picked: (name) => {
    commit(root(name), name);
    box.git(repo, 'cherry-pick', name);
    commit(repo, name, 'main goes on\n');
  },
  locked: (name) => void box.git(repo, 'worktree', 'lock', '--reason', 'on a stick\nof mine', root(name)),
  bolted: (name) => void box.git(repo, 'worktree', 'lock', root(name)),
  gone: (name) => {
    commit(root(name), name);
    rmSync(root(name), { recursive: true });
  },
  unlinked: (name) => rmSync(join(root(name), '.git')),
  detached: (name) => void git(name, 'checkout', '-q', '--detach'),
  adrift: (name) => {
    git(name, 'checkout', '-q', '--detach');
    commit(root(name), name);
  },
  merging: (name) => {
    commit(root(name), 'shared', `${name}\n`);
    fails(name, 'merge', 'theirs');
  },
  rebasing: (name) => {
    commit(root(name), 'shared', `${name}\n`);
    fails(name, 'rebase', 'theirs');
  },
  picking: (name) => {
    commit(root(name), 'shared', `${name}\n`);
    fails(name, 'cherry-pick', 'theirs');
  },
  reverting: (name) => {
    commit(root(name), 'shared', 'first\n');
    commit(root(name), 'shared', 'second\n');
    fails(name, 'revert', 'HEAD~1');
  },
  bisecting: (name) => void git(name, 'bisect', 'start'),
  beheaded: (name) => void box.git(repo, 'update-ref', '-d', `refs/heads/${name}`),
  damaged: (name) => writeFileSync(join(repo, '.git/worktrees', name, 'index'), 'damaged'),
  replaced: (name) => {
    renameSync(root(name), join(box.root, 'moved away'));
    symlinkSync(join(box.root, 'moved away'), root(name));
  },
};

beforeAll(async () => {
  box = makeSandbox();
  repo = box.repo('app');
  mkdirSync(join(repo, '.worktrees'));
  writeFileSync(join(repo, '.git/info/exclude'), '/.worktrees/\n');
  box.git(repo, 'checkout', '-q', '-b', 'theirs');
  commit(repo, 'shared', 'theirs\n');
  box.git(repo, 'checkout', '-q', 'main');
  for (const name of Object.keys(make)) box.git(repo, 'worktree', 'add', '-q', '-b', name, root(name));
  for (const [name, act] of Object.entries(make)) act(name);
  box.git(repo, 'worktree', 'add', '-q', '-b', 'lost', root('lost'));
  rmSync(join(repo, '.git/worktrees/lost'), { recursive: true });
  mkdirSync(root('hollow'));
  box.git(repo, 'init', '-q', root('clone'));
  symlinkSync(box.dir('anywhere'), root('link'));
  commit(repo, 'last');
  const folder = await inspectFolder({ path: repo, env: box.env });
  if (folder === undefined) throw new Error('no repository');
  listed = new Map((await listWorktrees({ repo: folder, root: '.worktrees' })).map((one) => [one.name, one]));
});
afterAll(() => box.dispose());

type Expected = Partial<ListedWorktree>;
const registered = { registered: true, orphan: false } as const;

describe('the state of a worktree', () => {
  it.each<[string, Expected]>([
    ['clean', { ...registered, dirty: false, ahead: 0, merged: true, detached: false, base: 'main', branch: 'clean' }],
    ['edited', { dirty: true, merged: true }],
    ['untracked', { dirty: true }],
    ['overlooked', { dirty: true }],
    ['ahead', { dirty: false, ahead: 1, merged: false }],
    ['merged', { ahead: 0, merged: true }],
    ['squashed', { ahead: 2, merged: true }],
    ['picked', { ahead: 1, merged: true }],
    ['locked', { locked: true, lockReason: 'on a stick\nof mine', dirty: false }],
    ['bolted', { locked: true }],
    ['gone', { prunable: true, pruneReason: expect.stringContaining('non-existent'), ahead: 1, dirty: false }],
    ['unlinked', { prunable: true, dirty: true, unreadable: expect.stringContaining('not the top of a worktree') }],
    ['detached', { detached: true, dirty: false, merged: true }],
    ['adrift', { detached: true, unreachable: true, ahead: 1, merged: false }],
    ['merging', { operation: 'merge', dirty: true }],
    ['rebasing', { operation: 'rebase', dirty: true }],
    ['picking', { operation: 'cherry-pick', dirty: true }],
    ['reverting', { operation: 'revert', dirty: true }],
    ['bisecting', { operation: 'bisect', dirty: false }],
    ['beheaded', { dirty: true, branch: 'beheaded' }],
    ['damaged', { dirty: true, merged: false, unreadable: expect.stringContaining('index') }],
    ['replaced', { ...registered, dirty: true, symlinkTo: expect.stringContaining('moved away') }],
    ['lost', { registered: false, orphan: true, dirty: true }],
    ['hollow', { registered: false, orphan: true, dirty: false }],
    ['clone', { registered: false, orphan: false, elsewhere: true, dirty: true }],
    ['link', { registered: false, orphan: false, dirty: true, symlinkTo: expect.stringContaining('anywhere') }],
  ])('%s is told', (name, expected) => expect(listed.get(name)).toMatchObject(expected));

  it('is told of every one that there is, and of nothing else', () =>
    expect([...listed.keys()].sort()).toEqual([...Object.keys(make), 'lost', 'hollow', 'clone', 'link'].sort()));

  it('has no reason, operation or trouble where there is none', () => {
    const calm = listed.get('clean');
    for (const key of ['lockReason', 'pruneReason', 'operation', 'unreachable', 'symlinkTo', 'unreadable'])
      expect(calm).not.toHaveProperty(key);
    expect(listed.get('bolted')).not.toHaveProperty('lockReason');
  });

  it('is only looked at: what a symlink leads to is still there', () =>
    expect(existsSync(join(box.root, 'moved away/README.md'))).toBe(true));
});
