import { lstatSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeSandbox, runs, type Sandbox } from './sandbox.ts';

let box: Sandbox;
beforeEach(() => {
  box = makeSandbox();
});
afterEach(() => box.dispose());

/** Every path below a folder; an object by its first letters only, for its name holds the time. */
const layout = (path: string) =>
  readdirSync(path, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replace(/(?<=objects\/)[0-9a-f]{2}(\/[0-9a-f]+)?$/, (_, rest) => (rest ? 'xx/x' : 'xx')))
    .sort();

it('a repository of the sandbox is what git itself makes, and needs no refresh', () => {
  const ours = box.repo('app');
  const theirs = box.dir('theirs');
  const git = (...args: string[]) => box.git(theirs, ...args);
  git('init', '-q', '-b', 'main', '--template=');
  for (const folder of ['hooks', 'info']) box.dir(`theirs/.git/${folder}`);
  for (const name of ['.git/info/exclude', 'README.md'])
    writeFileSync(join(theirs, name), name === 'README.md' ? '# app\n' : '');
  git('add', '.');
  git('commit', '-q', '-m', 'Start');
  expect(layout(ours)).toEqual(layout(theirs));
  for (const name of ['HEAD', 'config', 'COMMIT_EDITMSG', 'info/exclude'])
    expect(readFileSync(join(ours, '.git', name), 'utf8')).toBe(readFileSync(join(theirs, '.git', name), 'utf8'));
  expect(box.git(ours, 'fsck', '--strict', '--full')).toBe('');
  // Plumbing that compares what the index knows of a file, and does not look into the file where that differs.
  expect([box.git(ours, 'diff-files'), box.git(ours, 'status', '--porcelain')]).toEqual(['', '']);
  const facts = ['log', '-g', '--format=%T %an <%ae> %cn <%ce> %gs|%B|%D'];
  expect(box.git(ours, ...facts)).toBe(git(...facts));
  expect(box.git(ours, 'ls-files', '-s', '-v')).toBe(git('ls-files', '-s', '-v'));
});

it('what was kept comes back whole: changed, removed and added files, links and worktrees', () => {
  const repo = box.repo('app');
  box.git(repo, 'worktree', 'add', '-q', '-b', 'ada', join(box.root, 'ada'));
  symlinkSync('README.md', join(repo, 'link'));
  const before = readdirSync(box.root, { recursive: true, encoding: 'utf8' }).sort();
  writeFileSync(join(box.root, 'ada/README.md'), 'edit');
  const { mtimeMs } = lstatSync(join(repo, 'README.md'));
  const back = box.keep();
  for (const _ of [1, 2]) {
    writeFileSync(join(repo, 'README.md'), 'other\n');
    writeFileSync(join(repo, 'new'), '');
    box.git(repo, 'worktree', 'remove', '--force', join(box.root, 'ada'));
    back();
    expect(readdirSync(box.root, { recursive: true, encoding: 'utf8' }).sort()).toEqual(before);
    expect(lstatSync(join(repo, 'README.md')).mtimeMs).toBeCloseTo(mtimeMs, 0);
    expect(readlinkSync(join(repo, 'link'))).toBe('README.md');
    expect(box.git(repo, 'diff-files')).toBe('');
    expect(box.git(join(box.root, 'ada'), 'status', '--porcelain', '--branch')).toBe('## ada\n M README.md');
  }
});

it('what runs in a pane and takes no gentle signal is ended too', () => {
  const stubborn = "trap '' HUP TERM; tmux wait -S deaf; exec sleep 1000";
  box.tmux('new-session', '-d', '-x', '80', '-y', '24', stubborn);
  box.tmux('wait', 'deaf');
  const pid = Number(box.tmux('list-panes', '-F', '#{pane_pid}'));
  expect(process.kill(pid, 0)).toBe(true);
  box.dispose();
  expect(runs(pid)).toBe(false);
});
