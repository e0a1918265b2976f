import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { syncWorker } from '../../../src/tools/sync-worker.ts';
import { findBubblewrap } from '../../../src/worktree/landing/sandbox-probe.ts';
import { addGithub, url } from '../../e2e/gh.ts';
import { eventually } from '../../support/sandbox.ts';
import { type Hub, openHub, propose } from './resting-hub.ts';

let hub: Hub;
beforeAll(async () => {
  hub = await openHub();
});
afterAll(() => hub.crew.dispose());
beforeEach(() => hub.reset());

it('title, text, base and draft are those that were asked for', async () => {
  hub.git(hub.crew.repo, 'branch', '-f', 'release', 'main');
  hub.git(hub.crew.repo, 'push', '-q', 'origin', 'release');
  const ada = await hub.author('asked.txt');
  const more = { title: '--repo x $(touch bad) "q"', body: 'Mine.', base: 'origin/release', draft: true };
  expect(await propose(hub.crew, ada, more)).toMatchObject({ success: true, base: 'release', title: more.title });
  const call = hub.gh.calls().at(-1) ?? [];
  expect(call.slice(call.indexOf('--base'), call.indexOf('--body-file'))).toEqual([
    '--base',
    'release',
    '--title',
    more.title,
  ]);
  expect(call.at(-1)).toBe('--draft');
  expect(hub.gh.read('body')).toBe('Mine.\n');
});

it('one that is open already gets the new commits, and its address is told', async () => {
  const ada = await hub.author('open.txt');
  hub.gh.put(
    'list.json',
    JSON.stringify([
      { url: `${url}0`, headRepositoryOwner: { login: 'stranger' } },
      { url, headRepositoryOwner: { login: 'Acme' } },
    ]),
  );
  expect(await propose(hub.crew, ada)).toMatchObject({ success: true, url, existing: true, pushed: true });
  const tip = hub.crew.commit(ada.worktreePath, 'more.txt', 'y\n');
  expect(await propose(hub.crew, ada)).toMatchObject({ success: true, url, existing: true });
  expect(hub.tipThere(ada.branch)).toBe(tip);
  expect(hub.gh.calls().filter(([, verb]) => verb === 'create')).toEqual([]);
});

it('one that somebody opens meanwhile is told by its address', async () => {
  const ada = await hub.author('race.txt');
  hub.gh.put('create.error', `a pull request for branch "x" into branch "main" already exists:\n${url}\n`);
  expect(await propose(hub.crew, ada)).toMatchObject({ success: true, url });
});

it("the project's template is filled in", async () => {
  const template = '## Description\n\n## Checklist\n- [ ] tests\n';
  writeFileSync(join(hub.crew.repo, 'pull_request_template.md'), template);
  hub.git(hub.crew.repo, 'add', '-A');
  hub.git(hub.crew.repo, 'commit', '-q', '-m', 'Template');
  hub.git(hub.crew.repo, 'push', '-q', 'origin', 'main');
  const ada = await hub.author('templated.txt');
  const { body_path } = await propose(hub.crew, ada);
  expect(readFileSync(body_path, 'utf8')).toBe(
    '## Description\n\nCommits:\n\n- Write templated.txt\n\n\n## Checklist\n- [ ] tests\n',
  );
});

it('commits that the remote has and the branch lacks are not pushed over', async () => {
  const ada = await hub.author('mine.txt');
  const theirs = hub.git(hub.crew.repo, 'commit-tree', 'main^{tree}', '-p', 'main', '-m', 'Theirs');
  hub.git(hub.crew.repo, 'push', '-q', 'origin', `${theirs}:refs/heads/${ada.branch}`);
  hub.git(hub.crew.repo, 'config', 'remote.origin.push', '+refs/heads/*:refs/heads/*');
  const told = await propose(hub.crew, ada);
  hub.git(hub.crew.repo, 'config', '--unset', 'remote.origin.push');
  expect(told).toMatchObject({ success: false, pushed: false, reason: expect.stringContaining('non-fast-forward') });
  expect(told.hint).toContain(`from: "origin/${ada.branch}"`);
  expect(hub.tipThere(ada.branch)).toBe(theirs);
  hub.git(hub.crew.repo, 'fetch', '-q', 'origin');
  await hub.crew.call(syncWorker, z.looseObject({ success: z.literal(true) }), {
    ...{ session_id: ada.id, from: `origin/${ada.branch}`, strategy: 'merge' },
  });
  expect(await propose(hub.crew, ada)).toMatchObject({ success: true, url });
});

it('a push that a hook refuses is told in its words, and nothing is proposed', async () => {
  const ada = await hub.author('hooked.txt');
  const hook = join(hub.crew.repo, '.git/hooks/pre-push');
  writeFileSync(hook, '#!/bin/sh\necho not on a friday >&2\nexit 1\n', { mode: 0o755 });
  const told = await propose(hub.crew, ada);
  writeFileSync(hook, '#!/bin/sh\nexit 0\n');
  expect(told).toMatchObject({ success: false, pushed: false, reason: expect.stringContaining('not on a friday') });
  expect([hub.tipThere(ada.branch), hub.gh.calls().some(([, verb]) => verb === 'create')]).toEqual(['', false]);
});

const running = () => execFileSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8' }).split('\n');

it('a hook of a push writes the worktree alone, and has no token', async () => {
  const ada = await hub.author('kept.txt');
  const out = join(hub.crew.sandbox.root, 'home/out');
  const hook = join(hub.crew.repo, '.git/hooks/pre-push');
  const script = `echo x >${out}; { echo "$GH_TOKEN$GITHUB_TOKEN none"; test -w .git; } >.git-told 2>&1; exit 0`;
  writeFileSync(hook, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const by = await hub.crew.open({ GH_TOKEN: 'secret', GITHUB_TOKEN: 'secret' });
  expect(await propose(by, ada)).toMatchObject({ success: true });
  writeFileSync(hook, '#!/bin/sh\nexit 0\n');
  expect(readFileSync(join(ada.worktreePath, '.git-told'), 'utf8')).toBe(' none\n');
  const works = 'program' in (await findBubblewrap(hub.crew.sandbox.env));
  expect(existsSync(out)).toBe(!works);
});

it('Git LFS uploads before the push, with what lets it reach the remote, and its hook does nothing', async () => {
  const ada = await hub.author('large.txt');
  const hook = join(hub.crew.repo, '.git/hooks/pre-push');
  writeFileSync(
    hook,
    '#!/bin/sh\necho "$GIT_LFS_SKIP_PUSH" >.git-told\ncommand -v none || exit 0\ngit lfs pre-push "$@"\n',
  );
  const bin = hub.crew.sandbox.dir('lfs-bin');
  const said = join(hub.crew.sandbox.root, 'lfs-said');
  writeFileSync(join(bin, 'git-lfs'), `#!/bin/sh\necho "$GITHUB_TOKEN $*" >>${said}\n`, { mode: 0o755 });
  const by = await hub.crew.open({ GITHUB_TOKEN: 'secret', PATH: `${bin}:${hub.gh.path}` });
  expect(await propose(by, ada)).toMatchObject({ success: true });
  writeFileSync(hook, '#!/bin/sh\nexit 0\n');
  expect(readFileSync(said, 'utf8')).toBe(`secret push -- origin ${ada.branch}\n`);
  expect(readFileSync(join(ada.worktreePath, '.git-told'), 'utf8')).toBe('1\n');
});

it('a call that is taken back while a hook runs ends the push and the hook, and nothing is proposed', async () => {
  const ada = await hub.author('slow.txt');
  const hook = join(hub.crew.repo, '.git/hooks/pre-push');
  // Inside of its sandbox it writes nowhere but here.
  const began = join(ada.worktreePath, 'began');
  writeFileSync(hook, '#!/bin/sh\n: >began\nwhile [ ! -e go ]; do sleep 0.05; done\n', { mode: 0o755 });
  const taken = new AbortController();
  const ended = propose(hub.crew, ada, {}, { signal: taken.signal }).catch((error: unknown) => error);
  await eventually('the hook runs', () => existsSync(began));
  taken.abort();
  expect(await ended).toMatchObject({ success: false, pushed: false });
  await eventually('the hook is gone', () => !running().some((line) => line.includes(hook)));
  rmSync(began);
  writeFileSync(hook, '#!/bin/sh\nexit 0\n');
  expect([hub.tipThere(ada.branch), hub.gh.calls().some(([, verb]) => verb === 'create')]).toEqual(['', false]);
  expect(await propose(hub.crew, ada)).toMatchObject({ success: true });
});

it('when gh refuses after the push, the answer says how to go on by hand', async () => {
  const ada = await hub.author('refused.txt');
  hub.gh.put('create.error', "pull request create failed: GraphQL: it's archived (createPullRequest)\n");
  const told = await propose(hub.crew, ada, { title: "Ada's" });
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

it('commits of the base that were never pushed go along, and that is said', async () => {
  hub.git(hub.crew.repo, 'commit', '-q', '--allow-empty', '-m', 'Not pushed yet');
  const ada = await hub.author('carried.txt');
  expect(await propose(hub.crew, ada)).toMatchObject({
    success: true,
    commits: 2,
    hint: expect.stringContaining('1 commit of main'),
  });
  hub.git(hub.crew.repo, 'push', '-q', 'origin', 'main');
});

it('from a fork it goes to the repository that gh was told of, with the commits that are new there', async () => {
  const fork = addGithub(hub.crew.sandbox, hub.crew.repo, 'fork');
  hub.git(
    hub.crew.repo,
    'push',
    '-q',
    '--force',
    'fork',
    `${hub.git(hub.crew.repo, 'rev-list', '--max-parents=0', 'main')}:main`,
  );
  hub.git(hub.crew.repo, 'config', 'remote.origin.gh-resolved', 'base');
  const ada = await hub.author('forked.txt');
  const told = await propose(hub.crew, ada, { remote: 'fork' });
  hub.git(hub.crew.repo, 'config', '--unset', 'remote.origin.gh-resolved');
  expect(told).toMatchObject({ success: true, remote: 'fork', base: 'main', commits: 1 });
  expect(hub.gh.calls().at(-1)?.slice(2, 6)).toEqual(['--repo', 'acme/app', '--head', `fork:${ada.branch}`]);
  expect([hub.tipThere(ada.branch), hub.git(fork, 'rev-parse', ada.branch)]).toEqual([
    '',
    hub.git(hub.crew.repo, 'rev-parse', ada.branch),
  ]);
});

it('two who propose the same worker at once open one pull request', async () => {
  const ada = await hub.author('twice.txt');
  const told = await Promise.all([propose(hub.crew, ada), propose(hub.crew, ada)]);
  expect(told.map(({ url: at, existing }) => [at, existing]).sort()).toEqual([
    [url, false],
    [url, true],
  ]);
  expect(hub.gh.calls().filter(([, verb]) => verb === 'create')).toHaveLength(1);
});

it('the branch of a plan is pushed and proposed under its name, with its commits and the template', async () => {
  const { verbs } = hub.crew;
  const lane = await verbs.openPlanBranch({ id: 'abcd0123', name: 'cart', project: hub.crew.repo, base: 'main' });
  const folder = join(hub.crew.sandbox.dir('lanes'), 'cart');
  hub.git(hub.crew.repo, 'worktree', 'add', '-q', folder, lane.branch);
  for (const file of ['a.txt', 'b.txt']) hub.crew.commit(folder, file, 'x\n');
  hub.git(hub.crew.repo, 'worktree', 'remove', folder);
  const run = { signal: new AbortController().signal, tell: () => undefined };
  const told = await verbs.propose({ worker: lane, draft: false }, run);
  const of = { success: true, session_id: lane.id, branch: lane.branch, base: 'main', title: 'cart', commits: 2 };
  expect(told).toMatchObject({ ...of, url, pushed: true });
  expect(readFileSync(told.body_path, 'utf8')).toContain('- Write a.txt\n- Write b.txt\n');
  expect(told.body_path).toContain(`/plans/${lane.id}/`);
  expect(hub.tipThere(lane.branch)).toBe(hub.git(hub.crew.repo, 'rev-parse', lane.branch));
  expect(await hub.crew.events(lane)).toMatchObject([
    { type: 'proposed', data: { plan_id: lane.id, crew: lane.crew, base: 'main', url: told.url } },
  ]);
});
