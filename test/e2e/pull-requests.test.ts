import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { openPullRequest } from '../../src/tools/open-pull-request.ts';
import { submitReport } from '../../src/worker-tools/submit-report.ts';
import { eventually } from '../support/sandbox.ts';
import { addGithub, url } from './gh.ts';
import { type Hub, openHub, propose } from './hub.ts';

let hub: Hub;
beforeAll(async () => {
  hub = await openHub();
});
afterAll(() => hub.stand.dispose());
beforeEach(() => hub.reset());

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
  const ada = await hub.author('cart.txt');
  await (await hub.stand.toolsOf(ada)).call(submitReport.name, report);
  const told = await propose(hub.server, ada);
  expect(told).toMatchObject({
    ...{ success: true, url, pushed: true, existing: false, missing: [], commits: 1 },
    ...{ branch: ada.branch, remote: 'origin', base: 'main', title: 'Write cart.txt' },
  });
  expect(hub.tipThere(ada.branch)).toBe(hub.git(hub.stand.repo, 'rev-parse', ada.branch));
  expect(hub.gh.calls().at(-1)).toEqual([
    ...['pr', 'create', '--repo', 'acme/app', '--head', ada.branch, '--base', 'main'],
    ...['--title', 'Write cart.txt', '--body-file', told.body_path],
  ]);
  expect(hub.gh.read('body')).toBe(readFileSync(told.body_path, 'utf8'));
  expect(hub.gh.read('body')).toContain(`${ada.name} reports:\n\n> **Done**\n>\n> The cart.`);
  expect(hub.gh.read('body')).toContain('- Write cart.txt');
  expect(statSync(told.body_path).mode & 0o777).toBe(0o600);
  expect(hub.gh.read('surroundings').trim()).toBe('1 0  not a tty');
  const { events } = await hub.server.call(
    'poll_worker_changes',
    z.looseObject({ events: z.array(z.looseObject({})) }),
  );
  expect(events).toContainEqual(
    expect.objectContaining({
      type: 'proposed',
      data: { url, branch: ada.branch, base: 'main', remote: 'origin', is_new: true },
    }),
  );
});

it('title, text, base and draft are those that were asked for', async () => {
  hub.git(hub.stand.repo, 'branch', '-f', 'release', 'main');
  hub.git(hub.stand.repo, 'push', '-q', 'origin', 'release');
  const ada = await hub.author('asked.txt');
  const more = { title: '--repo x $(touch bad) "q"', body: 'Mine.', base: 'origin/release', draft: true };
  expect(await propose(hub.server, ada, more)).toMatchObject({ success: true, base: 'release', title: more.title });
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
  expect(await propose(hub.server, ada)).toMatchObject({ success: true, url, existing: true, pushed: true });
  const tip = hub.write(ada, 'more.txt', 'y\n');
  expect(await propose(hub.server, ada)).toMatchObject({ success: true, url, existing: true });
  expect(hub.tipThere(ada.branch)).toBe(tip);
  expect(hub.gh.calls().filter(([, verb]) => verb === 'create')).toEqual([]);
});

it('one that somebody opens meanwhile is told by its address', async () => {
  const ada = await hub.author('race.txt');
  hub.gh.put('create.error', `a pull request for branch "x" into branch "main" already exists:\n${url}\n`);
  expect(await propose(hub.server, ada)).toMatchObject({ success: true, url });
});

it("the project's template is filled in", async () => {
  const template = '## Description\n\n## Checklist\n- [ ] tests\n';
  writeFileSync(join(hub.stand.repo, 'pull_request_template.md'), template);
  hub.git(hub.stand.repo, 'add', '-A');
  hub.git(hub.stand.repo, 'commit', '-q', '-m', 'Template');
  hub.git(hub.stand.repo, 'push', '-q', 'origin', 'main');
  const ada = await hub.author('templated.txt');
  const { body_path } = await propose(hub.server, ada);
  expect(readFileSync(body_path, 'utf8')).toBe(
    '## Description\n\nCommits:\n\n- Write templated.txt\n\n\n## Checklist\n- [ ] tests\n',
  );
});

it('commits that the remote has and the branch lacks are not pushed over', async () => {
  const ada = await hub.author('mine.txt');
  const theirs = hub.git(hub.stand.repo, 'commit-tree', 'main^{tree}', '-p', 'main', '-m', 'Theirs');
  hub.git(hub.stand.repo, 'push', '-q', 'origin', `${theirs}:refs/heads/${ada.branch}`);
  hub.git(hub.stand.repo, 'config', 'remote.origin.push', '+refs/heads/*:refs/heads/*');
  const told = await propose(hub.server, ada);
  hub.git(hub.stand.repo, 'config', '--unset', 'remote.origin.push');
  expect(told).toMatchObject({ success: false, pushed: false, reason: expect.stringContaining('non-fast-forward') });
  expect(told.hint).toContain(`from: "origin/${ada.branch}"`);
  expect(hub.tipThere(ada.branch)).toBe(theirs);
  hub.git(hub.stand.repo, 'fetch', '-q', 'origin');
  await hub.server.call('sync_worker', z.looseObject({ success: z.literal(true) }), {
    ...{ session_id: ada.name, from: `origin/${ada.branch}`, strategy: 'merge' },
  });
  expect(await propose(hub.server, ada)).toMatchObject({ success: true, url });
});

it('a push that a hook refuses is told in its words, and nothing is proposed', async () => {
  const ada = await hub.author('hooked.txt');
  const hook = join(hub.stand.repo, '.git/hooks/pre-push');
  writeFileSync(hook, '#!/bin/sh\necho not on a friday >&2\nexit 1\n', { mode: 0o755 });
  const told = await propose(hub.server, ada);
  writeFileSync(hook, '#!/bin/sh\nexit 0\n');
  expect(told).toMatchObject({ success: false, pushed: false, reason: expect.stringContaining('not on a friday') });
  expect([hub.tipThere(ada.branch), hub.gh.calls().some(([, verb]) => verb === 'create')]).toEqual(['', false]);
});

it('a call that is taken back while a hook runs ends the push and the hook, and nothing is proposed', async () => {
  const ada = await hub.author('slow.txt');
  const [pid, go] = ['hook-pid', 'hook-go'].map((name) => join(hub.stand.sandbox.root, name));
  const hook = join(hub.stand.repo, '.git/hooks/pre-push');
  writeFileSync(
    hook,
    `#!/bin/sh\necho $$ >${pid}.new; mv ${pid}.new ${pid}\nwhile [ ! -e ${go} ]; do sleep 0.05; done\n`,
    { mode: 0o755 },
  );
  const taken = new AbortController();
  const asked = hub.server.connection.call(openPullRequest.name, { session_id: ada.name }, { signal: taken.signal });
  const ended = asked.catch(() => 'taken back');
  const runner = await eventually(
    'the hook runs',
    () => existsSync(pid ?? '') && Number(readFileSync(pid ?? '', 'utf8')),
  );
  taken.abort();
  expect(await ended).toBe('taken back');
  await eventually('the hook is gone', () => !existsSync(`/proc/${runner}`));
  writeFileSync(hook, '#!/bin/sh\nexit 0\n');
  expect([hub.tipThere(ada.branch), hub.gh.calls().some(([, verb]) => verb === 'create')]).toEqual(['', false]);
  expect(await propose(hub.server, ada)).toMatchObject({ success: true });
});

it('when gh refuses after the push, the answer says how to go on by hand', async () => {
  const ada = await hub.author('refused.txt');
  hub.gh.put('create.error', "pull request create failed: GraphQL: it's archived (createPullRequest)\n");
  const told = await propose(hub.server, ada, { title: "Ada's" });
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
  hub.git(hub.stand.repo, 'commit', '-q', '--allow-empty', '-m', 'Not pushed yet');
  const ada = await hub.author('carried.txt');
  expect(await propose(hub.server, ada)).toMatchObject({
    success: true,
    commits: 2,
    hint: expect.stringContaining('1 commits of main'),
  });
  hub.git(hub.stand.repo, 'push', '-q', 'origin', 'main');
});

it('from a fork it goes to the repository that gh was told of, with the commits that are new there', async () => {
  const fork = addGithub(hub.stand.sandbox, hub.stand.repo, 'fork');
  hub.git(
    hub.stand.repo,
    'push',
    '-q',
    '--force',
    'fork',
    `${hub.git(hub.stand.repo, 'rev-list', '--max-parents=0', 'main')}:main`,
  );
  hub.git(hub.stand.repo, 'config', 'remote.origin.gh-resolved', 'base');
  const ada = await hub.author('forked.txt');
  const told = await propose(hub.server, ada, { remote: 'fork' });
  hub.git(hub.stand.repo, 'config', '--unset', 'remote.origin.gh-resolved');
  expect(told).toMatchObject({ success: true, remote: 'fork', base: 'main', commits: 1 });
  expect(hub.gh.calls().at(-1)?.slice(2, 6)).toEqual(['--repo', 'acme/app', '--head', `fork:${ada.branch}`]);
  expect([hub.tipThere(ada.branch), hub.git(fork, 'rev-parse', ada.branch)]).toEqual([
    '',
    hub.git(hub.stand.repo, 'rev-parse', ada.branch),
  ]);
});

it('two who propose the same worker at once open one pull request', async () => {
  const ada = await hub.author('twice.txt');
  const told = await Promise.all([propose(hub.server, ada), propose(hub.server, ada)]);
  expect(told.map(({ url: at, existing }) => [at, existing]).sort()).toEqual([
    [url, false],
    [url, true],
  ]);
  expect(hub.gh.calls().filter(([, verb]) => verb === 'create')).toHaveLength(1);
});
