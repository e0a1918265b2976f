import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { openPullRequest } from '../../src/tools/open-pull-request.ts';
import { submitReport } from '../../src/worker-tools/submit-report.ts';
import { openStand, type Server, type Stand, type Worker } from './crew.ts';
import { addGithub, type FakeGh, fakeGh, pathWithoutGh, url } from './gh.ts';

let stand: Stand;
let server: Server;
let gh: FakeGh;
let hub: string;
beforeAll(async () => {
  stand = openStand();
  gh = fakeGh(stand.sandbox);
  hub = addGithub(stand.sandbox, stand.repo);
  server = await stand.serve({ PATH: gh.path, GH_REPO: 'somebody/else' });
});
afterAll(() => stand.dispose());
beforeEach(() => {
  gh.calls();
  gh.put('token', 'gho_x\n');
  gh.put('list.json', '[]');
  gh.drop('create.error');
  gh.drop('list.error');
});

const git = (cwd: string, ...args: string[]) => stand.sandbox.git(cwd, ...args);
const hubTip = (branch: string) => git(hub, 'for-each-ref', '--format=%(objectname)', `refs/heads/${branch}`);

interface Idle extends Worker {
  readonly branch: string;
  readonly worktree_path: string;
}

function write(ada: Idle, file: string, text: string): string {
  writeFileSync(join(ada.worktree_path, file), text);
  git(ada.worktree_path, 'add', '-A');
  git(ada.worktree_path, 'commit', '-q', '-m', `Write ${file}`);
  return git(ada.worktree_path, 'rev-parse', 'HEAD');
}

/** A worker at rest, with one commit of its own. */
async function author(file: string, more = {}, at = server): Promise<Idle> {
  const worker = await at.one({ prompt: 'SAY ready', ...more });
  await at.wait([worker]);
  const { branch, worktree_path } = worker;
  if (branch === undefined || worktree_path === undefined) throw new Error('no worktree');
  const ada = { ...worker, branch, worktree_path };
  write(ada, file, 'x\n');
  return ada;
}

const answered = z.looseObject({
  success: z.boolean(),
  url: z.string().optional(),
  pushed: z.boolean(),
  missing: z.array(z.string()),
  body_path: z.string(),
  reason: z.string().optional(),
  hint: z.string().optional(),
});
const propose = (of: Worker, more = {}, at = server) =>
  at.call(openPullRequest.name, answered, { session_id: of.name, ...more });

const report = {
  files_changed: [],
  what_done: 'The cart.',
  what_open: '',
  what_tested: 'npm test',
  what_untested: '',
  next_steps: '',
  errors_encountered: '',
};

it('a branch is pushed and proposed from the name of its worker alone', async () => {
  const ada = await author('cart.txt');
  await (await stand.toolsOf(ada)).call(submitReport.name, report);
  const told = await propose(ada);
  expect(told).toMatchObject({
    ...{ success: true, url, pushed: true, existing: false, missing: [], commits: 1 },
    ...{ branch: ada.branch, remote: 'origin', base: 'main', title: 'Write cart.txt' },
  });
  expect(hubTip(ada.branch)).toBe(git(stand.repo, 'rev-parse', ada.branch));
  expect(gh.calls().at(-1)).toEqual([
    ...['pr', 'create', '--repo', 'acme/app', '--head', ada.branch, '--base', 'main'],
    ...['--title', 'Write cart.txt', '--body-file', told.body_path],
  ]);
  expect(gh.read('body')).toBe(readFileSync(told.body_path, 'utf8'));
  expect(gh.read('body')).toContain(`${ada.name} reports:\n\n> **Done**\n>\n> The cart.`);
  expect(gh.read('body')).toContain('- Write cart.txt');
  expect(statSync(told.body_path).mode & 0o777).toBe(0o600);
  expect(gh.read('surroundings').trim()).toBe('1 0  not a tty');
  const { events } = await server.call('poll_worker_changes', z.looseObject({ events: z.array(z.looseObject({})) }));
  expect(events).toContainEqual(
    expect.objectContaining({
      type: 'proposed',
      data: { url, branch: ada.branch, base: 'main', remote: 'origin', is_new: true },
    }),
  );
});

it('title, text, base and draft are those that were asked for', async () => {
  git(stand.repo, 'branch', '-f', 'release', 'main');
  git(stand.repo, 'push', '-q', 'origin', 'release');
  const ada = await author('asked.txt');
  const more = { title: '--repo x $(touch bad) "q"', body: 'Mine.', base: 'origin/release', draft: true };
  expect(await propose(ada, more)).toMatchObject({ success: true, base: 'release', title: more.title });
  const call = gh.calls().at(-1) ?? [];
  expect(call.slice(call.indexOf('--base'), call.indexOf('--body-file'))).toEqual([
    '--base',
    'release',
    '--title',
    more.title,
  ]);
  expect(call.at(-1)).toBe('--draft');
  expect(gh.read('body')).toBe('Mine.\n');
});

it('one that is open already gets the new commits, and its address is told', async () => {
  const ada = await author('open.txt');
  gh.put(
    'list.json',
    JSON.stringify([
      { url: `${url}0`, headRepositoryOwner: { login: 'stranger' } },
      { url, headRepositoryOwner: { login: 'Acme' } },
    ]),
  );
  expect(await propose(ada)).toMatchObject({ success: true, url, existing: true, pushed: true });
  const tip = write(ada, 'more.txt', 'y\n');
  expect(await propose(ada)).toMatchObject({ success: true, url, existing: true });
  expect(hubTip(ada.branch)).toBe(tip);
  expect(gh.calls().filter(([, verb]) => verb === 'create')).toEqual([]);
});

it('one that somebody opens meanwhile is told by its address', async () => {
  const ada = await author('race.txt');
  gh.put('create.error', `a pull request for branch "x" into branch "main" already exists:\n${url}\n`);
  expect(await propose(ada)).toMatchObject({ success: true, url });
});

it("the project's template is filled in", async () => {
  const template = '## Description\n\n## Checklist\n- [ ] tests\n';
  writeFileSync(join(stand.repo, 'pull_request_template.md'), template);
  git(stand.repo, 'add', '-A');
  git(stand.repo, 'commit', '-q', '-m', 'Template');
  git(stand.repo, 'push', '-q', 'origin', 'main');
  const ada = await author('templated.txt');
  const { body_path } = await propose(ada);
  expect(readFileSync(body_path, 'utf8')).toBe(
    '## Description\n\nCommits:\n\n- Write templated.txt\n\n\n## Checklist\n- [ ] tests\n',
  );
});

it('commits that the remote has and the branch lacks are not pushed over', async () => {
  const ada = await author('mine.txt');
  const theirs = git(stand.repo, 'commit-tree', 'main^{tree}', '-p', 'main', '-m', 'Theirs');
  git(stand.repo, 'push', '-q', 'origin', `${theirs}:refs/heads/${ada.branch}`);
  git(stand.repo, 'config', 'remote.origin.push', '+refs/heads/*:refs/heads/*');
  const told = await propose(ada);
  git(stand.repo, 'config', '--unset', 'remote.origin.push');
  expect(told).toMatchObject({ success: false, pushed: false, reason: expect.stringContaining('non-fast-forward') });
  expect(told.hint).toContain(`from: "origin/${ada.branch}"`);
  expect(hubTip(ada.branch)).toBe(theirs);
  git(stand.repo, 'fetch', '-q', 'origin');
  await server.call('sync_worker', z.looseObject({ success: z.literal(true) }), {
    ...{ session_id: ada.name, from: `origin/${ada.branch}`, strategy: 'merge' },
  });
  expect(await propose(ada)).toMatchObject({ success: true, url });
});

it('a push that a hook refuses is told in its words, and nothing is proposed', async () => {
  const ada = await author('hooked.txt');
  const hook = join(stand.repo, '.git/hooks/pre-push');
  writeFileSync(hook, '#!/bin/sh\necho not on a friday >&2\nexit 1\n', { mode: 0o755 });
  const told = await propose(ada);
  writeFileSync(hook, '#!/bin/sh\nexit 0\n');
  expect(told).toMatchObject({ success: false, pushed: false, reason: expect.stringContaining('not on a friday') });
  expect([hubTip(ada.branch), gh.calls().some(([, verb]) => verb === 'create')]).toEqual(['', false]);
});

it('when gh refuses after the push, the answer says how to go on by hand', async () => {
  const ada = await author('refused.txt');
  gh.put('create.error', "pull request create failed: GraphQL: it's archived (createPullRequest)\n");
  const told = await propose(ada, { title: "Ada's" });
  expect(told).toMatchObject({
    success: false,
    pushed: true,
    missing: [],
    reason: expect.stringContaining("it's archived"),
  });
  expect(told.hint).toContain(
    `gh pr create --repo acme/app --head ${ada.branch} --base main --title 'Ada'\\''s' --body-file`,
  );
});

it('work that is not committed is not left behind unsaid', async () => {
  const ada = await author('half.txt');
  writeFileSync(join(ada.worktree_path, 'new.txt'), 'x');
  await expect(propose(ada)).rejects.toMatchObject({
    code: 'would_lose_work',
    message: expect.stringContaining('1 files'),
  });
  await server.message(ada, 'HOLD half\nSAY done');
  await expect(propose(ada)).rejects.toMatchObject({ code: 'worker_busy' });
  stand.release('half');
  expect([hubTip(ada.branch), gh.calls()]).toEqual(['', []]);
});

it('a branch without commits, and one that is its own base, are refused', async () => {
  const ada = await server.one({ prompt: 'SAY ready' });
  await server.wait([ada]);
  await expect(propose(ada)).rejects.toMatchObject({ message: expect.stringContaining('nothing to propose') });
  git(stand.repo, 'branch', 'existing', 'main');
  const bruno = await author('own.txt', { worktree: { branch: 'existing' } });
  await expect(propose(bruno)).rejects.toMatchObject({ hint: expect.stringContaining('Pass base') });
  expect(await propose(bruno, { base: 'main' })).toMatchObject({ success: true, branch: 'existing' });
});

it.each([
  ['a login', 'gh_login', /not logged in to github\.com/, () => gh.drop('token')],
  [
    'a login that holds',
    'gh_login',
    /HTTP 401/,
    () => gh.put('list.error', 'HTTP 401: Bad credentials\nTry authenticating with:  gh auth login\n'),
  ],
  [
    'a repository',
    'github_remote',
    /does not find acme\/app/,
    () => gh.put('list.error', "GraphQL: Could not resolve to a Repository with the name 'acme/app'.\n"),
  ],
])('without %s nothing is pushed, and the text is kept', async (_, piece, reason, break_) => {
  const ada = await author(`${piece}.txt`);
  break_();
  const told = await propose(ada, { body: 'Kept.' });
  expect(told).toMatchObject({
    success: false,
    pushed: false,
    missing: [piece],
    reason: expect.stringMatching(reason),
  });
  expect(readFileSync(told.body_path, 'utf8')).toBe('Kept.\n');
  expect(hubTip(ada.branch)).toBe('');
});

it('a base that the remote does not have is named before anything is pushed', async () => {
  git(stand.repo, 'branch', '-f', 'here-only', 'main');
  const ada = await author('based.txt');
  expect(await propose(ada, { base: 'here-only' })).toMatchObject({ success: false, missing: ['base'], pushed: false });
  expect(hubTip(ada.branch)).toBe('');
});

it('commits of the base that were never pushed go along, and that is said', async () => {
  git(stand.repo, 'commit', '-q', '--allow-empty', '-m', 'Not pushed yet');
  const ada = await author('carried.txt');
  expect(await propose(ada)).toMatchObject({
    success: true,
    commits: 2,
    hint: expect.stringContaining('1 commits of main'),
  });
  git(stand.repo, 'push', '-q', 'origin', 'main');
});

it('from a fork it goes to the repository that gh was told of, with the commits that are new there', async () => {
  const fork = addGithub(stand.sandbox, stand.repo, 'fork');
  git(stand.repo, 'push', '-q', '--force', 'fork', `${git(stand.repo, 'rev-list', '--max-parents=0', 'main')}:main`);
  git(stand.repo, 'config', 'remote.origin.gh-resolved', 'base');
  const ada = await author('forked.txt');
  const told = await propose(ada, { remote: 'fork' });
  git(stand.repo, 'config', '--unset', 'remote.origin.gh-resolved');
  expect(told).toMatchObject({ success: true, remote: 'fork', base: 'main', commits: 1 });
  expect(gh.calls().at(-1)?.slice(2, 6)).toEqual(['--repo', 'acme/app', '--head', `fork:${ada.branch}`]);
  expect([hubTip(ada.branch), git(fork, 'rev-parse', ada.branch)]).toEqual([
    '',
    git(stand.repo, 'rev-parse', ada.branch),
  ]);
});

it('two who propose the same worker at once open one pull request', async () => {
  const ada = await author('twice.txt');
  const told = await Promise.all([propose(ada), propose(ada)]);
  expect(told.map(({ url: at, existing }) => [at, existing]).sort()).toEqual([
    [url, false],
    [url, true],
  ]);
  expect(gh.calls().filter(([, verb]) => verb === 'create')).toHaveLength(1);
});

it('a server without gh and a repository without a remote name both, and keep the text', async () => {
  const other = openStand();
  try {
    const bare = await other.serve({ PATH: pathWithoutGh(other.sandbox) });
    const worker = await bare.one({ prompt: 'SAY ready' });
    await bare.wait([worker]);
    const at = worker.worktree_path ?? '';
    other.sandbox.git(at, 'commit', '-q', '--allow-empty', '-m', 'Say nothing');
    const told = await propose(worker, {}, bare);
    expect(told).toMatchObject({ success: false, pushed: false, remote: null, missing: ['remote', 'gh'] });
    expect(told.hint).toContain('git remote add origin');
    expect(existsSync(told.body_path)).toBe(true);
    other.sandbox.git(other.repo, 'remote', 'add', 'origin', 'https://me:secret@gitlab.example/group/sub/app.git');
    const there = await propose(worker, {}, bare);
    expect(there.missing).toEqual(['github_remote', 'gh']);
    expect(JSON.stringify(there)).not.toContain('secret');
  } finally {
    await other.dispose();
  }
});
