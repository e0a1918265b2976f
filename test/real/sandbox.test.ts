// Workers in the sandbox of their agent: everyday work asks nobody, and nothing beyond the worktree is reached.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { eventually } from '../support/sandbox.ts';
import { answer, needOf, needSuch, resultsOf } from './asking.ts';
import { makeCodexHome } from './codex-home.ts';
import { openRealCrew, type RealCrew, type Worker } from './crew.ts';

let crew: RealCrew;
beforeAll(async () => {
  crew = await openRealCrew(makeCodexHome);
  const { sandbox } = crew.home;
  for (const folder of ['.npm/_npx', '.npm/_cacache', '.ssh'])
    mkdirSync(join(sandbox.root, 'home', folder), { recursive: true });
  writeFileSync(join(sandbox.root, 'home/.ssh/id'), 'a secret key\n');
  writeFileSync(join(crew.repo, 'package.json'), '{"name": "x", "scripts": {"test": "node -e 0"}}\n');
  for (const name of ['a.md', 'b.md', 'c.txt']) writeFileSync(join(crew.repo, name), 'one\ntwo\n');
  sandbox.git(crew.repo, 'add', '-A');
  sandbox.git(crew.repo, 'commit', '-q', '-m', 'Files');
});
afterAll(() => crew.dispose());

/** Has the worker run the lines, and answers yes to what it asks; tells what that was. */
async function runs(worker: Worker, lines: readonly string[]): Promise<readonly string[]> {
  const asked: string[] = [];
  await crew.message(worker, [...lines.map((line) => `BASH ${line}`), 'SAY done'].join('\n'));
  for (;;) {
    const { attention, timed_out } = await crew.wait([worker.session_id], { on_attention: 'any', timeout: 120 });
    if (timed_out) continue;
    if (attention.length === 0) return asked;
    const need = await needOf(crew, worker);
    asked.push(JSON.stringify(need.tool?.input ?? need.title));
    if (need.request_id === undefined && need.options === undefined)
      throw new Error(JSON.stringify(need) + resultsOf(crew, worker));
    await answer(crew, need);
    await crew.until(worker.session_id, 'working').catch(() => undefined);
  }
}

const everyday = [
  'ls -la',
  'cat a.md | head -1 | tr a-z A-Z',
  'wc -l *.md',
  'grep -rn two . | sort | uniq -c',
  'find . -name "*.md" | xargs wc -l',
  'find . -name "*.txt" -newer a.md',
  'sed -i s/one/uno/ a.md',
  `awk '{print $1}' b.md`,
  'node -e "console.log(6*7)"',
  'npm test',
  'mkdir -p src/deep && touch src/deep/x.js',
  'cp b.md src/b.md && mv src/b.md src/c.md',
  'rm -r src/deep',
  'tar cf x.tar a.md && tar tf x.tar && rm x.tar',
  'diff <(sort a.md) <(sort b.md) || true',
  'for f in *.md; do wc -l "$f"; done',
  'if test -f a.md; then echo yes; else echo no; fi',
  'X=1; echo $((X + 1)) && echo "$X" > x.txt',
  'printf "hello\\nyou\\n" > here.txt',
  'python3 -c "print(2)" || true',
  'git status --short',
  'git diff | head -20',
  'git log --oneline | head -3',
  'git add -A && git commit -q -m "Work"',
  'git stash list; git branch --show-current',
];

test('Claude Code asks about two of 25 everyday commands at most, and its work is committed', async () => {
  const worker = await crew.one({ name: 'ada', sandbox: true });
  expect(worker.sandbox).toBe('on');
  const asked = await runs(worker, everyday);
  expect(asked.length, asked.join('\n')).toBeLessThanOrEqual(2);
  const git = (...args: string[]) => crew.home.sandbox.git(worker.project_path, ...args);
  expect(git('log', '-1', '--format=%s')).toBe('Work');
  expect(git('status', '--porcelain')).toBe('');
  expect(git('ls-files').split('\n')).toEqual([
    'README.md',
    'a.md',
    'b.md',
    'c.txt',
    'here.txt',
    'package.json',
    'src/c.md',
    'x.txt',
  ]);
});

/** What a worker has no business with, each by a line that prints REACHED where it gets there. */
function reaches(worker: Worker): readonly string[] {
  const { root } = crew.home.sandbox;
  const common = join(crew.repo, '.git');
  const pane = worker.terminal_id?.slice(5) ?? '';
  const own = `$(git rev-parse --git-dir)`;
  const writes = [
    join(root, 'other'),
    join(root, 'home/x'),
    join(root, 'home/.bashrc'),
    join(root, 'home/.npm/_npx/x'),
    join(root, 'home/.npm/_cacache/x'),
    join(crew.repo, 'x'),
    `${common}/hooks/pre-commit`,
    `${common}/config`,
    `${common}/refs/tags/x`,
    `${common}/HEAD`,
    `${own}/commondir`,
    `${own}/config.worktree2/../commondir`,
    '.git',
    '/tmp/reached',
    '/etc/reached',
  ];
  const reads = [join(root, 'home/.ssh/id'), join(root, 'crewmux/events.jsonl')];
  return [
    ...writes.map((path) => `echo x >> ${path} && echo REACHED ${path}`),
    ...reads.map((path) => `cat ${path} && echo REACHED ${path}`),
    `ls ${root}/crewmux/workers/* && echo REACHED state`,
    `git config user.x y && echo REACHED setting`,
    `git update-ref refs/tags/x HEAD && echo REACHED tag`,
    `tmux -L ${crew.home.sandbox.socket} send-keys -t ${pane} x && echo REACHED pane`,
    `kill -0 ${process.pid} && echo REACHED process`,
    `test -d /proc/${process.pid} && echo REACHED processes`,
  ];
}

test.each(['claude', 'codex'])('a %s worker has caches of its own, and no way to a socket', async (agent_type) => {
  const worker = await crew.one({ agent_type, sandbox: true, env: { SSH_AUTH_SOCK: '/s/a', DISPLAY: ':7' } });
  const variables = ['npm_config_cache', 'SSH_AUTH_SOCK', 'DISPLAY', 'TMUX'];
  await runs(worker, [
    'mkdir -p "$npm_config_cache" && touch "$npm_config_cache/mine" && echo WRITTEN',
    // zsh takes brackets for a pattern.
    `echo "SEEN ${variables.map((name) => `[$${name}]`).join('')}"`,
  ]);
  const cache = join(crew.home.sandbox.env.TMPDIR ?? '', `crewmux-${worker.session_id}`, 'caches/npm');
  const said = resultsOf(crew, worker);
  expect(said).toMatch(/^WRITTEN$/m);
  expect(said).toContain(`SEEN [${cache}][][][]`);
  expect(existsSync(join(cache, 'mine'))).toBe(true);
});

test('a host that the sandbox asks for is told with its calls, the one that denies first', async () => {
  const worker = await crew.one({ sandbox: true, prompt: 'BASH curl -s http://host.example\nSAY done' });
  const [need] = (await crew.wait([worker.session_id])).attention;
  expect(need).toMatchObject({
    title: `${worker.name} wants to reach host.example`,
    detail: expect.stringContaining('Ask your user'),
    answer_with: [expect.stringMatching(/"option":"No, /), expect.stringMatching(/"option":"Yes"/)],
  });
  await crew.call(
    'answer_worker',
    z.looseObject({}),
    JSON.parse(need?.answer_with[0]?.slice('answer_worker '.length) ?? ''),
  );
  await crew.until(worker.session_id, 'idle');
});

test('what a worker wrote into its temporary folder goes with it', async () => {
  const worker = await crew.one({ sandbox: true });
  const temp = join(crew.home.sandbox.env.TMPDIR ?? '', `crewmux-${worker.session_id}`);
  expect(existsSync(temp)).toBe(true);
  await crew.close(worker, true);
  expect(existsSync(temp)).toBe(false);
});

test.each([
  ['claude', {}],
  ['claude', { skip_permissions: true }],
  ['codex', { skip_permissions: true }],
])('nothing beyond the worktree of a %s worker is reached with %j', async (agent_type, more) => {
  const worker = await crew.one({ agent_type, sandbox: true, ...more });
  expect(worker.sandbox).toBe('skip_permissions' in more ? 'partial' : 'on');
  expect(worker.last_error).toBeUndefined();
  const before = readFileSync(join(crew.repo, '.git/config'), 'utf8');
  await runs(worker, reaches(worker));
  expect(
    resultsOf(crew, worker)
      .split('\n')
      .filter((line) => line.startsWith('REACHED')),
  ).toEqual([]);
  expect(readFileSync(join(crew.repo, '.git/config'), 'utf8')).toBe(before);
  expect(existsSync('/tmp/reached')).toBe(false);
  expect((await crew.look(worker.session_id)).last_error).toContain('the setting sandbox.allow_write opens that');
});

test.each([{}, { skip_permissions: true }])(
  'nothing beyond the worktree is reached by file tools of Claude Code with %j',
  async (more) => {
    const { root } = crew.home.sandbox;
    const worker = await crew.one({ sandbox: true, ...more });
    const common = join(crew.repo, '.git');
    const targets = [
      join(root, 'by-tool'),
      join(root, 'home/by-tool'),
      join(crew.repo, 'by-tool'),
      `${common}/hooks/post-merge`,
      join(root, 'crewmux/by-tool'),
      join(worker.project_path, '.claude/settings.json'),
      '/tmp/by-tool',
    ];
    const config = readFileSync(join(common, 'config'), 'utf8');
    const lines = [...targets, `${common}/config`].map((path) => `WRITE ${path} reached`);
    await crew.message(worker, [...lines, `READ ${root}/home/.ssh/id`, 'WRITE inside.txt yes', 'SAY done'].join('\n'));
    let asked = 0;
    for (;;) {
      const { attention, timed_out } = await crew.wait([worker.session_id], { on_attention: 'any', timeout: 120 });
      if (timed_out) continue;
      if (attention.length === 0) break;
      asked += 1;
      await answer(crew, await needOf(crew, worker), { decision: 'deny', message: 'Only in your worktree.' });
      await crew.until(worker.session_id, 'working').catch(() => undefined);
    }
    expect(targets.filter((path) => existsSync(path))).toEqual([]);
    expect(readFileSync(join(common, 'config'), 'utf8')).toBe(config);
    expect(resultsOf(crew, worker)).not.toContain('a secret key');
    expect(asked).toBeGreaterThan(0);
    if ('skip_permissions' in more) expect(existsSync(join(worker.project_path, 'inside.txt'))).toBe(true);
  },
);

test('a host that is let through for good is asked about once in the crew', async () => {
  const [first, second] = [await crew.one({ sandbox: true }), await crew.one({ sandbox: true })];
  const reach = 'BASH curl -s -m 5 http://again.invalid/ || echo over\nSAY done';
  await crew.message(first, reach);
  const need = await needSuch(crew, first, ({ options }) => options !== undefined);
  const option = need.options?.find((label) => label.includes('again.invalid'));
  expect(await answer(crew, need, { decision: 'choose', option })).toMatchObject({
    success: true,
    remembered: 'WebFetch(domain:again.invalid) for the whole crew',
  });
  await crew.idle(first);
  const given = join(second.project_path, '.claude/settings.local.json');
  const isGiven = () => existsSync(given) && readFileSync(given, 'utf8').includes('again.invalid');
  await eventually('the rule has reached the other worker', isGiven);
  // Claude Code reads it within three seconds; until then it asks, and is asked again.
  await eventually('the other worker is not asked', async () => {
    await crew.message(second, reach, { wait_mode: 'all', timeout: 60 });
    const { status } = await crew.look(second.session_id);
    if (status === 'waiting') crew.keys(second, 'Escape');
    return status === 'idle';
  });
});

test('a host is asked about once, by the exact call that answers', async () => {
  const worker = await crew.one({ sandbox: true });
  await crew.message(worker, 'BASH curl -s -m 5 http://example.invalid/\nSAY done');
  const need = await needSuch(crew, worker, ({ options }) => options !== undefined);
  expect(need).toMatchObject({ waiting_for: 'permission', detail: expect.stringContaining('example.invalid') });
  await answer(crew, need, { decision: 'deny', option: undefined });
  await crew.idle(worker);
  expect(resultsOf(crew, worker)).toContain('blocked by network allowlist');
});
