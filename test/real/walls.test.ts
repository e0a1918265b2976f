// Several workers at once, with nothing configured: their sandboxes leave each other alone, and git works in them.
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventsOf } from './asking.ts';
import { makeCodexHome } from './codex-home.ts';
import { openRealCrew, type RealCrew, type Worker } from './crew.ts';

let crew: RealCrew;
let crewed: readonly Worker[];
beforeAll(async () => {
  crew = await openRealCrew(makeCodexHome);
  const { sandbox } = crew.home;
  sandbox.git(crew.repo, 'branch', 'side');
  appendFileSync(join(crew.repo, '.git/info/exclude'), '/codes\n');
  const agents = ['claude', 'claude', 'claude', 'claude', 'codex', 'codex'];
  // `null` is as if nobody had said anything.
  const { sessions, failed } = await crew.spawn(
    ...agents.map((agent_type) => ({ agent_type, sandbox: null, permission_mode: null })),
  );
  expect(failed).toEqual([]);
  crewed = sessions;
  for (const worker of crewed) await crew.until(worker.session_id, 'idle');
});
afterAll(() => crew.dispose());

/** All workers run the shell lines at once, a command each; resolves to the exit codes of each worker. */
async function allRun(lines: readonly string[]): Promise<ReadonlyMap<Worker, readonly string[]>> {
  const codesOf = (worker: Worker) => join(worker.project_path, 'codes');
  for (const worker of crewed) rmSync(codesOf(worker), { force: true });
  const noted = lines.map((line) => `BASH ${line}; echo $? >>codes`);
  await Promise.all(crewed.map((worker) => crew.message(worker, [...noted, 'SAY done'].join('\n'))));
  for (const worker of crewed) await crew.idle(worker);
  return new Map(crewed.map((worker) => [worker, readFileSync(codesOf(worker), 'utf8').trim().split('\n')]));
}

test('each of six workers is in a whole sandbox', () => {
  expect(crewed.map(({ sandbox }) => sandbox)).toEqual(crewed.map(() => 'on'));
});

test('no command of theirs fails by its sandbox, and each sees its own view of git', async () => {
  const since = Date.now();
  const rounds = Array.from({ length: 12 }, (_, at) => at);
  const codes = await allRun(
    rounds.map((at) => `echo ${at} >>mine && git add -A && git commit -qm "Round ${at}" && git status --short`),
  );
  for (const worker of crewed) {
    expect(codes.get(worker), worker.name).toEqual(rounds.map(() => '0'));
    const happened = await eventsOf(crew, worker, since);
    expect(happened.filter(({ type }) => type === 'sandbox_failed')).toEqual([]);
    expect(crew.home.sandbox.git(worker.project_path, 'rev-list', '--count', 'HEAD')).toBe(String(rounds.length + 1));
  }
  expect(existsSync(join(crew.repo, '.git/config.lock'))).toBe(false);
});

const everyday = [
  'git commit -q --amend -m amended',
  'git rebase -q side',
  'git merge -q main',
  'echo more >>mine && git stash -q && git stash pop -q && git commit -qam more',
  'git revert --no-edit HEAD',
  'git bisect start && git bisect reset',
  'git switch -q -c "$(git branch --show-current)-2" && git switch -q -',
];

test('everyday git works in the sandbox of both agents as it does outside, also after the user’s git gc', async () => {
  const { sandbox } = crew.home;
  const outside = join(sandbox.root, 'outside');
  const [first] = crewed;
  sandbox.git(sandbox.root, 'clone', '-q', crew.repo, outside);
  sandbox.git(outside, 'branch', '-q', 'side', 'origin/side');
  sandbox.git(outside, 'fetch', '-q', 'origin', `${first?.branch}:mine`);
  sandbox.git(outside, 'switch', '-q', 'mine');
  const state = (at: string) => sandbox.git(at, 'log', '--format=%s %T') + sandbox.git(at, 'status', '--porcelain');
  for (const _ of ['before', 'after']) {
    const within = await allRun(everyday);
    const codes = everyday.map((line) =>
      String(spawnSync('sh', ['-c', line], { cwd: outside, env: sandbox.env }).status),
    );
    for (const worker of crewed) {
      expect(within.get(worker), worker.name).toEqual(codes);
      expect(state(worker.project_path), worker.name).toBe(state(outside));
    }
    sandbox.git(outside, 'branch', '-q', '-D', 'mine-2');
    for (const { branch } of crewed) sandbox.git(crew.repo, 'branch', '-q', '-D', `${branch}-2`);
    sandbox.git(crew.repo, 'gc', '-q');
  }
});

test('no worker moves a ref that is not its own, or leaves anything at the top of git’s folder', async () => {
  const { sandbox } = crew.home;
  sandbox.git(crew.repo, 'commit', '-q', '--allow-empty', '-m', 'Ahead');
  const common = join(crew.repo, '.git');
  writeFileSync(join(common, 'refs/heads/loose'), `${sandbox.git(crew.repo, 'rev-parse', 'side')}\n`);
  const refs = () => sandbox.git(crew.repo, 'for-each-ref', '--format=%(refname) %(objectname)');
  const before = refs();
  const top = ['commondir', 'index.lock', 'config.lock', 'hooks/pre-commit', 'objects/pack/x', 'info/attributes'];
  const others = crewed.map(({ branch }) => `refs/heads/${branch}`);
  const lines = [
    ...['heads/main', 'heads/loose', 'tags/new', 'remotes/origin/new', 'crewmux/salvage/new'].flatMap((name) => [
      `git update-ref refs/${name} HEAD`,
      `echo "$(git rev-parse HEAD)" >${common}/refs/${name}`,
    ]),
    ...others.map((ref) => `test ${ref} = "$(git symbolic-ref HEAD)" || git update-ref ${ref} HEAD~1`),
    ...top.map((name) => `echo /tmp/x >${common}/${name}`),
    ...['commondir', 'gitdir', 'config.worktree'].map((name) => `echo /tmp/x >"$(git rev-parse --git-dir)/${name}"`),
  ];
  // The tripwire reads a command line; it does not read the script that the line runs.
  for (const { project_path } of crewed) writeFileSync(join(project_path, 'attack.sh'), lines.join('\n'));
  await allRun(['sh ./attack.sh']);
  expect(refs()).toBe(before);
  for (const name of top) expect(existsSync(join(common, name)), name).toBe(false);
  expect(readFileSync(join(common, 'HEAD'), 'utf8')).toBe('ref: refs/heads/main\n');
  sandbox.git(crew.repo, 'commit', '-q', '--allow-empty', '-m', 'The user goes on');
});
