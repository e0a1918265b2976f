import { appendFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { branchAt, endOfLog, foreignCheckouts, newEntries, unread } from '../../../src/worktree/git/head-log.ts';
import { makeSandbox, type Sandbox } from '../../support/sandbox.ts';

let sandbox: Sandbox;
let repo: string;
let gitDir: string;
beforeEach(() => {
  sandbox = makeSandbox();
  repo = sandbox.repo('project');
  gitDir = join(repo, '.git');
});
afterEach(() => sandbox.dispose());

const commit = (words: string) => sandbox.git(repo, 'commit', '-q', '--allow-empty', '-m', words);
const log = () => join(gitDir, 'logs/HEAD');
const messages = async (known: { bytes: number; last: string }) =>
  (await newEntries(gitDir, known)).entries.map(({ message }) => message);

it('tells what came since, and nothing twice', async () => {
  const before = await endOfLog(gitDir);
  commit('one');
  commit('zwei äöü');
  const first = await newEntries(gitDir, before);
  expect(first.entries.map(({ message }) => message)).toEqual(['commit: one', 'commit: zwei äöü']);
  expect(first.entries.at(-1)?.to).toBe(sandbox.git(repo, 'rev-parse', 'HEAD'));
  expect(await messages(first)).toEqual([]);
  commit('three');
  expect(await messages(first)).toEqual(['commit: three']);
});

it('tells only what is new where git has written the history anew without its old lines', async () => {
  commit('old');
  commit('last');
  const before = await endOfLog(gitDir);
  const last = readFileSync(log(), 'utf8').trimEnd().split('\n').at(-1);
  writeFileSync(log(), `${last}\n`);
  expect(await messages(before)).toEqual([]);
  commit('new');
  expect(await messages(before)).toEqual(['commit: new']);
});

it('leaves a line that is being written for the next time', async () => {
  const before = await endOfLog(gitDir);
  const [a, b] = ['a'.repeat(40), 'b'.repeat(40)];
  appendFileSync(log(), `${a} ${b} me <me@x> 1 +0000\tcommit: he`);
  const read = await newEntries(gitDir, before);
  expect(read.entries).toEqual([]);
  appendFileSync(log(), 're\n');
  expect(await messages(read)).toEqual(['commit: here']);
});

it('takes a history that is no plain file for none', async () => {
  rmSync(log());
  symlinkSync(join(gitDir, 'logs/refs/heads/main'), log());
  expect(await endOfLog(gitDir)).toEqual(unread);
  expect(await messages(unread)).toEqual([]);
});

it('names the branch of a checkout, and none on no branch', async () => {
  expect(await branchAt(gitDir)).toBe('main');
  sandbox.git(repo, 'checkout', '-q', '--detach');
  expect(await branchAt(gitDir)).toBeUndefined();
});

it('counts the checkouts that crewmux has not made', async () => {
  sandbox.git(repo, 'worktree', 'add', '-q', join(sandbox.root, 'mine'), '-b', 'mine');
  sandbox.git(repo, 'worktree', 'add', '-q', join(sandbox.root, 'ours'), '-b', 'ours');
  writeFileSync(join(gitDir, 'worktrees/ours/crewmux-worktree.json'), '{}');
  mkdirSync(join(sandbox.root, 'other'));
  expect(await foreignCheckouts(gitDir)).toEqual([gitDir, join(gitDir, 'worktrees/mine')]);
});
