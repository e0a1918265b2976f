import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { repoPlace } from '../../../src/worktree/git/branch.ts';
import { type FolderFacts, inspectFolder } from '../../../src/worktree/git/inspect.ts';
import { changesBetween } from '../../../src/worktree/git/path-changes.ts';
import { blockersOf, bringAlong, checkoutAt, checkoutsOf, takeBack } from '../../../src/worktree/landing/checkouts.ts';
import { moveBranch } from '../../../src/worktree/landing/move.ts';
import { makeSandbox, type Sandbox } from '../../support/sandbox.ts';

let box: Sandbox;
let path: string;
let repo: FolderFacts;
let from: string;
let to: string;
beforeEach(async () => {
  box = makeSandbox();
  path = box.repo('project');
  for (const name of ['mine.txt', 'changed.txt', 'removed.txt', 'folder']) put(name, `${name} as before\n`);
  git('add', '.');
  git('commit', '-q', '-m', 'Before');
  from = git('rev-parse', 'main');
  put('changed.txt', 'as it landed\n');
  put('new.txt', 'new\n');
  rmSync(join(path, 'removed.txt'));
  rmSync(join(path, 'folder'));
  put('folder/inner.txt', 'inner\n');
  git('add', '-A');
  to = git('commit-tree', git('write-tree'), '-p', from, '-m', 'Land');
  git('reset', '-q', '--hard', from);
  const found = await inspectFolder({ path, env: box.env });
  if (found === undefined) throw new Error('no repository');
  repo = found;
});
afterEach(() => box.dispose());

const git = (...args: string[]) => box.git(path, ...args);
function put(name: string, text: string) {
  mkdirSync(join(path, name, '..'), { recursive: true });
  writeFileSync(join(path, name), text);
}
const read = (name: string) => readFileSync(join(path, name), 'utf8');
const there = () => checkoutAt(repo, path);
const blockers = async () => blockersOf(await there(), await changesBetween(repoPlace(repo), { from, to }));
const bring = async () => bringAlong(await there(), { from, to });
const moveOn = () => moveBranch(repo, { branch: 'main', from, to }, 'test');

it('the checkouts of a branch are those git knows, and no other branch counts', async () => {
  git('worktree', 'add', '-q', '-b', 'side', join(box.root, 'side'));
  expect(await checkoutsOf(repo, 'main')).toEqual([path]);
  expect(await checkoutsOf(repo, 'side')).toEqual([join(box.root, 'side')]);
});

/** What a person has under way that no landed file meets. */
function editElsewhere() {
  put('mine.txt', 'staged words\n');
  git('add', 'mine.txt');
  put('mine.txt', 'unstaged words\n');
  git('rm', '-q', '--cached', 'README.md');
  put('untracked.txt', 'untracked\n');
  put('staged-new.txt', 'staged and new\n');
  git('add', 'staged-new.txt');
}

it('what landed comes along, and staged, unstaged and untracked edits of other files stay as they are', async () => {
  editElsewhere();
  const mine = () => git('status', '--porcelain', '--', 'mine.txt', 'README.md', 'untracked.txt', 'staged-new.txt');
  const before = mine();
  expect(await blockers()).toEqual({ files: [] });
  expect(await bring()).toBeUndefined();
  expect(await moveOn()).toBe(true);
  expect(git('status', '--porcelain')).toBe(before);
  expect(mine()).toBe(before);
  expect([
    read('changed.txt'),
    read('new.txt'),
    read('folder/inner.txt'),
    existsSync(join(path, 'removed.txt')),
  ]).toEqual(['as it landed\n', 'new\n', 'inner\n', false]);
  expect([git('show', ':mine.txt'), read('mine.txt')]).toEqual(['staged words', 'unstaged words\n']);
});

describe('in the way is', () => {
  it.each<[string, () => void, string[]]>([
    ['an unstaged edit of a file that landed', () => put('changed.txt', 'mine\n'), ['changed.txt']],
    [
      'a staged edit of it',
      () => {
        put('changed.txt', 'mine\n');
        git('add', 'changed.txt');
      },
      ['changed.txt'],
    ],
    ['an edit of a file that landed removed', () => put('removed.txt', 'mine\n'), ['removed.txt']],
    ['its removal', () => rmSync(join(path, 'changed.txt')), ['changed.txt']],
    ['a changed mode', () => chmodSync(join(path, 'changed.txt'), 0o755), ['changed.txt']],
    ['an untracked file where one landed', () => put('new.txt', 'mine\n'), ['new.txt']],
    [
      'an ignored one',
      () => {
        put('.git/info/exclude', 'new.txt\n');
        put('new.txt', 'mine\n');
      },
      ['new.txt'],
    ],
    ['an edit of a file in whose place a folder landed', () => put('folder', 'mine\n'), ['folder']],
    ['a link in place of a file that landed', () => symlinkSync('/nowhere', join(path, 'new.txt')), ['new.txt']],
    [
      'an edit that git was told to overlook',
      () => {
        git('update-index', '--assume-unchanged', 'changed.txt');
        put('changed.txt', 'mine\n');
      },
      ['changed.txt'],
    ],
    [
      'a staged file below the place of one that landed',
      () => {
        put('new.txt/inner', 'mine\n');
        git('add', 'new.txt');
      },
      ['new.txt/inner'],
    ],
  ])('%s', async (_, act, files) => {
    editElsewhere();
    act();
    expect(await blockers()).toEqual({ files });
  });

  it('a merge that is not finished, whatever the files say', async () => {
    put('.git/MERGE_HEAD', `${to}\n`);
    expect(await blockers()).toEqual({ files: [], operation: 'merge' });
  });
});

it('where git would not, its words are told and nothing has changed', async () => {
  editElsewhere();
  put('changed.txt', 'written after the look\n');
  const before = git('status', '--porcelain');
  expect(await bring()).toContain('changed.txt');
  expect([git('status', '--porcelain'), git('ls-files', '-s', 'new.txt'), existsSync(join(path, 'new.txt'))]).toEqual([
    before,
    '',
    false,
  ]);
});

it('a branch that did not move takes its files back, and a person’s own edits stay', async () => {
  editElsewhere();
  const before = git('status', '--porcelain');
  await bring();
  expect(await takeBack(await there(), { from, to, tip: from })).toBe(true);
  expect([git('status', '--porcelain'), read('changed.txt')]).toEqual([before, 'changed.txt as before\n']);
  expect(await takeBack(await there(), { from, to, tip: from })).toBe(true);
  expect(git('status', '--porcelain')).toBe(before);
});

it('what a person has committed between files and branch is left as it is', async () => {
  editElsewhere();
  await bring();
  git('commit', '-q', '-m', 'Mine');
  expect(await moveOn()).toBe(false);
  expect(await takeBack(await there(), { from, to, tip: git('rev-parse', 'main') })).toBe(true);
  expect([git('show', 'main:changed.txt'), read('changed.txt')]).toEqual(['as it landed', 'as it landed\n']);
  expect(git('diff', '--cached', '--name-only')).toBe('');
});

it('an edit made between files and branch is kept, and told', async () => {
  await bring();
  put('changed.txt', 'at this very moment\n');
  expect(await takeBack(await there(), { from, to, tip: from })).toBe(false);
  expect(read('changed.txt')).toBe('at this very moment\n');
});
