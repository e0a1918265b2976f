import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type FolderFacts, inspectFolder } from '../../../src/worktree/git/inspect.ts';
import { Clashes, type Pair } from '../../../src/worktree/landing/clash.ts';
import { countGitStarts, type GitStarts } from '../../support/git-starts.ts';
import { makeSandbox, type Sandbox } from '../../support/sandbox.ts';

let box: Sandbox;
let path: string;
let repo: FolderFacts;
let starts: GitStarts;
beforeAll(async () => {
  box = makeSandbox();
  path = box.repo('project');
  starts = countGitStarts(box);
  const found = await inspectFolder({ path, env: { ...box.env, PATH: starts.path } });
  if (found === undefined) throw new Error('no repository');
  repo = found;
  for (const name of ['a.txt', 'b.txt', 'old/one.txt', 'old/two.txt']) put(name, `${name}\n1\n2\n3\n4\n5\n6\n`);
  commit();
  git('branch', 'start');
});
afterAll(() => box.dispose());
beforeEach(() => {
  git('checkout', '-q', '-f', 'start');
  git('clean', '-qfdx');
  starts.taken();
});

const git = (...args: string[]) => box.git(path, ...args);
function put(name: string, text: string): void {
  mkdirSync(dirname(join(path, name)), { recursive: true });
  writeFileSync(join(path, name), text);
}
function commit(): string {
  git('add', '-A');
  git('commit', '-q', '--allow-empty', '-m', 'More');
  return git('rev-parse', 'HEAD');
}
/** A commit made of another, or of the start. */
function work(act: () => void, of = 'start'): string {
  git('checkout', '-q', '-f', '--detach', of);
  act();
  return commit();
}
const pairsOf = (commits: readonly string[]) =>
  commits.flatMap((ours, at) => commits.slice(at + 1).map((theirs) => ({ repo, ours, theirs })));
const words = () => starts.taken().map((line) => line.replace(/^--\S+ /, '').split(' ')[0]);

describe('many pairs at once', () => {
  it('are merged by one git, and none starts while nothing has changed', async () => {
    const clashes = new Clashes();
    const works = ['x\n', 'y\n', 'z\n', 'v\n'].map((text) => work(() => put('a.txt', text)));
    const found = await clashes.among(pairsOf(works));
    expect(found.map(({ conflicts, bothEdited }) => [...conflicts, ...bothEdited])).toEqual(
      found.map(() => ['a.txt', 'a.txt']),
    );
    expect(words()).toEqual(['merge-base', 'rev-list', 'diff-tree', 'merge-tree', 'diff-tree']);
    expect(await clashes.among(pairsOf(works))).toEqual(found);
    expect(words()).toEqual([]);
  });

  it('are merged only where one of the two has moved and both have touched the same file', async () => {
    const clashes = new Clashes();
    const works = ['one.txt', 'two.txt', 'three.txt'].map((name) => work(() => put(name, 'new\n')));
    const moved = work(() => put('one.txt', 'other\n'), works[2]);
    await clashes.among(pairsOf(works));
    expect(words()).not.toContain('merge-tree');
    const found = await clashes.among(pairsOf([...works.slice(0, 2), moved]));
    expect(found.map(({ conflicts }) => conflicts)).toEqual([[], ['one.txt'], []]);
    expect(words()).toEqual(['merge-base', 'rev-list', 'diff-tree', 'merge-tree', 'diff-tree']);
  });
});

/** What a merge of these two says, with no other in sight. */
const alone = (ours: string, theirs: string): string => {
  try {
    return git('merge-tree', '--write-tree', '--name-only', '--no-messages', ours, theirs);
  } catch (error) {
    return String(error instanceof Error && 'stdout' in error ? error.stdout : error);
  }
};

it('no pair that a merge would stop on is passed over, whatever the branches have done', async () => {
  const renamed = () => renameSync(join(path, 'old'), join(path, 'new'));
  const edit = (name: string, text: string) => () => put(name, text);
  const back = (name: string) => () => put(name, `${name}\n1\n2\n3\n4\n5\n6\n`);
  const main = work(edit('a.txt', 'main\n'));
  const works = [
    main,
    work(renamed),
    work(edit('old/three.txt', 'three\n')),
    work(edit('old/one.txt', 'edited\n')),
    work(() => rmSync(join(path, 'a.txt'))),
    work(() => {
      rmSync(join(path, 'b.txt'));
      put('b.txt/inside', 'x\n');
    }),
    work(edit('b.txt', 'b.txt\n1\n2\nchanged\n4\n5\n6\n')),
    work(back('a.txt'), main),
    work(edit('a.txt', 'later\n'), work(edit('c.txt', 'c\n'), main)),
    work(() => git('merge', '-q', '-s', 'ours', '--no-edit', main)),
    work(() => git('merge', '-q', '--no-edit', main), work(edit('d.txt', 'd\n'))),
  ];
  const found = await new Clashes().among(pairsOf(works));
  const stops = (text: string) => text.split('\n').slice(1).join('\n').trim() !== '';
  expect(found.map(({ conflicts }) => conflicts.length > 0)).toEqual(
    found.map(({ ours, theirs }) => stops(alone(ours, theirs))),
  );
  expect(found.filter(({ conflicts }) => conflicts.length > 0).length).toBeGreaterThan(5);
});

describe('a base that moved between two branches', () => {
  const found = async (...pairs: readonly Omit<Pair, 'repo'>[]) => {
    const told = await new Clashes().among(pairs.map((pair) => ({ repo, ...pair })));
    return told.map(({ conflicts, bothEdited }) => ({ conflicts, bothEdited }));
  };
  const none = { conflicts: [], bothEdited: [] };
  const both = (path: string) => ({ conflicts: [path], bothEdited: [path] });
  const edit = (name: string, text: string) => () => put(name, text);

  it('is no work of the one that began on it, and of nobody who changed nothing', async () => {
    const start = git('rev-parse', 'start');
    const moved = work(edit('a.txt', 'moved\n'));
    const early = work(edit('a.txt', 'early\n'));
    const late = work(edit('b.txt', 'late\n'), moved);
    const alike = work(edit('a.txt', 'late\n'), moved);
    const [old, fresh] = [{ oursFrom: [moved, start] }, { theirsFrom: [moved] }];
    expect(
      await found(
        { ours: early, theirs: moved, ...old, ...fresh },
        { ours: early, theirs: late, ...old, ...fresh },
        { ours: early, theirs: alike, ...old, ...fresh },
        { ours: moved, theirs: early, theirsFrom: [moved, start] },
        { ours: moved, theirs: start, theirsFrom: [moved, start] },
      ),
    ).toEqual([none, none, both('a.txt'), both('a.txt'), none]);
  });

  it('and was written anew is no work of the branch that began on the old one', async () => {
    const old = work(edit('a.txt', 'old\n'));
    const anew = work(edit('a.txt', 'anew\n'));
    const branch = work(edit('b.txt', 'branch\n'), old);
    const later = work(edit('a.txt', 'old\nlater\n'), old);
    const of = (theirs: string) => ({ ours: anew, theirs, theirsFrom: [anew, old] });
    expect(await found(of(old), of(branch), of(later))).toEqual([none, none, both('a.txt')]);
  });

  it('counts a file that a branch took from its base for nobody, and a rename for both', async () => {
    const start = git('rev-parse', 'start');
    const moved = work(edit('a.txt', 'moved\n'));
    const taken = work(() => git('merge', '-q', '--no-edit', moved), work(edit('b.txt', 'b.txt\n1\n2\nx\n4\n5\n6\n')));
    const other = work(edit('b.txt', 'b.txt\ny\n2\n3\n4\n5\n6\n'));
    const renamed = work(() => {
      renameSync(join(path, 'old/one.txt'), join(path, 'one.txt'));
      put('one.txt', 'old/one.txt\n1\n2\nx\n4\n5\n6\n');
    }, moved);
    const edited = work(edit('old/one.txt', 'old/one.txt\n1\n2\ny\n4\n5\n6\n'));
    const from = [moved, start];
    const [apart, near] = await found(
      { ours: taken, theirs: other, oursFrom: from, theirsFrom: from },
      { ours: renamed, theirs: edited, oursFrom: [moved], theirsFrom: from },
    );
    expect(apart).toEqual({ conflicts: [], bothEdited: ['b.txt'] });
    expect(near?.conflicts).toEqual(['one.txt']);
  });

  it('is told apart in a long history too', async () => {
    const start = git('rev-parse', 'start');
    const early = work(edit('a.txt', 'early\n'));
    const tree = git('rev-parse', `${work(edit('a.txt', 'moved\n'))}^{tree}`);
    const stream = Array.from({ length: 2_001 }, (_, n) =>
      [`commit refs/heads/long`, 'committer A <a@b.c> 1 +0000', 'data 1', 'x', n === 0 ? `from ${start}` : ''].join(
        '\n',
      ),
    );
    execFileSync('git', ['fast-import', '--quiet'], { cwd: path, env: box.env, input: `${stream.join('\n')}\n` });
    const moved = git('commit-tree', tree, '-p', 'long', '-m', 'Move');
    const late = work(edit('b.txt', 'late\n'), moved);
    const [old, fresh] = [{ oursFrom: [moved, start] }, { theirsFrom: [moved] }];
    expect(
      await found(
        { ours: early, theirs: moved, ...old, ...fresh },
        { ours: early, theirs: late, ...old, ...fresh },
        { ours: moved, theirs: early, theirsFrom: [moved, start] },
      ),
    ).toEqual([none, none, both('a.txt')]);
  });
});
