import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readTipBook, writeTipBook } from '../../src/store/tip-book.ts';
import { between } from '../../src/worktree/state/between.ts';
import { makeSandbox, type Sandbox } from '../support/sandbox.ts';
import { type } from './typed-line.ts';

let sandbox: Sandbox;
let repo: string;
let from: string;
let to: string;
beforeEach(async () => {
  sandbox = makeSandbox();
  repo = sandbox.repo('project');
  from = sandbox.git(repo, 'rev-parse', 'HEAD');
  const tree = sandbox.git(repo, 'rev-parse', 'HEAD^{tree}');
  to = sandbox.git(repo, 'commit-tree', tree, '-p', from, '-m', 'Fix\u001b[2J it\u202e');
  const moved = { main: { to, at: 5, workers: ['12345678'] } };
  await writeTipBook(home(), { v: 1, repo, seq: 0, lookedAt: 5, kept: { main: [from] }, moved, heads: {} });
});
afterEach(() => sandbox.dispose());

const home = () => join(sandbox.root, 'state');
const book = async () => {
  const { kept, moved } = (await readTipBook(home(), repo, () => undefined)) ?? {};
  return { kept, moved };
};
const waits = () => ({ kept: { main: [from] }, moved: { main: { to, at: 5, workers: ['12345678'] } } });
const agreed = () => ({ kept: { main: [from, to] }, moved: {} });

const run = (args: readonly string[], more: { says?: boolean; env?: Readonly<Record<string, string>> } = {}) =>
  type(['trust', ...args], {
    env: { CREWMUX_HOME: home(), ...more.env },
    userHome: sandbox.home,
    cwd: repo,
    between: (path, commits) => between(path, sandbox.env, commits),
    ...(more.says === undefined ? {} : { ask: async () => more.says === true }),
  });

it('shows the commits with each odd character as a number, and agrees where a person says yes', async () => {
  const { code, out } = await run(['--branch', 'main'], { says: true });
  expect(code).toBe(0);
  expect(out).toBe(`The branch main of ${repo} was moved from ${from} to ${to}.
Commits that it gained:
  ${to.slice(0, 7)} Test: Fix\\u{1b}[2J it\\u{202e}

Agreed: main may be used at ${to}.
`);
  expect(await book()).toEqual(agreed());
});

it('shows what was taken away, and the files', async () => {
  const other = sandbox.git(repo, 'commit-tree', '4b825dc642cb6eb9a060e54bf8d69288fbee4904', '-m', 'Else');
  const moved = { main: { to: other, at: 5, workers: [] } };
  await writeTipBook(home(), { v: 1, repo, seq: 0, lookedAt: 5, kept: { main: [from] }, moved, heads: {} });
  const { out } = await run(['--branch', 'main'], { says: false });
  expect(out).toContain('Commits that it gained:\n');
  expect(out).toContain('Commits that it lost:\n');
  expect(out).toContain('Files:\n  D ');
});

it('agrees to nothing where the person says no', async () => {
  expect(await run(['--branch', 'main'], { says: false })).toMatchObject({ code: 1 });
  expect(await book()).toEqual(waits());
});

it('without a terminal it shows the same, needs --yes, and ends badly without', async () => {
  const refused = { code: 2, out: expect.stringContaining('was moved'), err: expect.stringContaining('--yes') };
  expect(await run(['--branch', 'main'])).toMatchObject(refused);
  expect(await book()).toEqual(waits());
  expect(await run(['--branch', 'main', '--yes'])).toMatchObject({ code: 0 });
  expect(await book()).toEqual(agreed());
});

it('refuses in the environment of a worker, also with --yes', async () => {
  const env = { CREWMUX_WORKER: '12345678' };
  expect(await run(['--branch', 'main', '--yes'], { env })).toMatchObject({ code: 2, out: '' });
  expect(await book()).toEqual(waits());
});

it('names the branches that wait where another is asked for, and agrees to none', async () => {
  expect(await run(['--branch', 'release', '--yes'])).toMatchObject({
    code: 0,
    out: `The branch release of ${repo} does not wait for you. These do: main.\n`,
  });
  expect(await book()).toEqual(waits());
});
