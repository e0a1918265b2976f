import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { pathWithoutGh } from '../../e2e/gh.ts';
import { restingCrewIn } from '../../support/resting-crew.ts';
import { makeSandbox } from '../../support/sandbox.ts';
import { type Hub, openHub, propose } from './resting-hub.ts';

let hub: Hub;
beforeAll(async () => {
  hub = await openHub();
});
afterAll(() => hub.crew.dispose());
beforeEach(() => hub.reset());

it('work that is not committed is not left behind unsaid', async () => {
  const ada = await hub.author('half.txt');
  writeFileSync(join(ada.worktreePath, 'new.txt'), 'x');
  await expect(propose(hub.crew, ada)).rejects.toMatchObject({
    code: 'would_lose_work',
    message: expect.stringContaining('1 file is'),
  });
  expect([hub.tipThere(ada.branch), hub.gh.calls()]).toEqual(['', []]);
});

it('a branch without commits, and one that is its own base, are refused', async () => {
  const ada = await hub.crew.worker();
  await expect(propose(hub.crew, ada)).rejects.toMatchObject({
    message: expect.stringContaining('nothing to propose'),
  });
  hub.git(hub.crew.repo, 'branch', 'existing', 'main');
  const bruno = await hub.author('own.txt', { branch: 'existing' });
  await expect(propose(hub.crew, bruno)).rejects.toMatchObject({ hint: expect.stringContaining('Pass base') });
  expect(await propose(hub.crew, bruno, { base: 'main' })).toMatchObject({ success: true, branch: 'existing' });
});

it.each([
  ['a login', 'gh_login', /not logged in to github\.com/, () => hub.gh.drop('token')],
  [
    'a login that holds',
    'gh_login',
    /HTTP 401/,
    () => hub.gh.put('list.error', 'HTTP 401: Bad credentials\nTry authenticating with:  gh auth login\n'),
  ],
  [
    'a repository',
    'github_remote',
    /does not find acme\/app/,
    () => hub.gh.put('list.error', "GraphQL: Could not resolve to a Repository with the name 'acme/app'.\n"),
  ],
])('without %s nothing is pushed, and the text is kept', async (_, piece, reason, break_) => {
  const ada = await hub.author(`${piece}.txt`);
  break_();
  const told = await propose(hub.crew, ada, { body: 'Kept.' });
  expect(told).toMatchObject({
    success: false,
    pushed: false,
    missing: [piece],
    reason: expect.stringMatching(reason),
  });
  expect(readFileSync(told.body_path, 'utf8')).toBe('Kept.\n');
  expect(hub.tipThere(ada.branch)).toBe('');
});

it('a base that the remote does not have is named before anything is pushed', async () => {
  hub.git(hub.crew.repo, 'branch', '-f', 'here-only', 'main');
  const ada = await hub.author('based.txt');
  expect(await propose(hub.crew, ada, { base: 'here-only' })).toMatchObject({
    success: false,
    missing: ['base'],
    pushed: false,
  });
  expect(hub.tipThere(ada.branch)).toBe('');
});

it('a server without gh and a repository without a remote name both, and keep the text', async () => {
  const sandbox = makeSandbox();
  const other = await restingCrewIn(sandbox, sandbox.repo('project'), { PATH: pathWithoutGh(sandbox) });
  try {
    const worker = await other.author('new.txt', 'x\n');
    const told = await propose(other, worker);
    expect(told).toMatchObject({ success: false, pushed: false, remote: null, missing: ['remote', 'gh'] });
    expect(told.hint).toContain('git remote add origin');
    expect(existsSync(told.body_path)).toBe(true);
    sandbox.git(other.repo, 'remote', 'add', 'origin', 'https://me:secret@gitlab.example/group/sub/app.git');
    const there = await propose(other, worker);
    expect(there.missing).toEqual(['github_remote', 'gh']);
    expect(JSON.stringify(there)).not.toContain('secret');
  } finally {
    await other.dispose();
  }
});
