// Several workers at once, with nothing configured: their sandboxes leave each other alone, and git works in them.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventsOf, resultsOf } from './asking.ts';
import { makeCodexHome } from './codex-home.ts';
import { openRealCrew, type RealCrew, type Worker } from './crew.ts';

let crew: RealCrew;
let crewed: readonly Worker[];
beforeAll(async () => {
  crew = await openRealCrew(makeCodexHome);
  const { sandbox } = crew.home;
  sandbox.git(crew.repo, 'branch', 'side');
  const agents = ['claude', 'claude', 'claude', 'claude', 'codex', 'codex'];
  // `null` is as if nobody had said anything.
  const { sessions, failed } = await crew.spawn(...agents.map((agent_type) => ({ agent_type, sandbox: null })));
  expect(failed).toEqual([]);
  crewed = sessions;
  for (const worker of crewed) await crew.until(worker.session_id, 'idle');
});
afterAll(() => crew.dispose());

/** Each worker runs the shell lines, one command each, all workers at once. */
async function allRun(lines: readonly string[]): Promise<void> {
  const scriptFor = ({ agent_type }: Worker) =>
    agent_type === 'codex'
      ? lines.map((line) => `BASH ${line}`).join(' THEN ')
      : [...lines.map((line) => `BASH ${line}`), 'SAY done'].join('\n');
  await Promise.all(crewed.map((worker) => crew.message(worker, scriptFor(worker))));
  for (const worker of crewed) await crew.idle(worker);
}

test('each of six workers is in a whole sandbox', () => {
  expect(crewed.map(({ sandbox }) => sandbox)).toEqual(crewed.map(() => 'on'));
});

test('no command of theirs fails by its sandbox, and each sees its own view of git', async () => {
  const since = Date.now();
  const rounds = Array.from({ length: 12 }, (_, at) => at);
  await allRun(
    rounds.map(
      (at) => `echo ${at} >>mine && git add -A && git commit -qm "Round ${at}" && git status --short && echo ok-${at}`,
    ),
  );
  for (const worker of crewed) {
    const said = new Set(resultsOf(crew, worker).match(/^ok-\d+$/gm));
    expect(said.size, `${worker.name}: ${resultsOf(crew, worker).slice(-2_000)}`).toBe(rounds.length);
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
    await allRun(everyday.map((line) => `${line}; echo "code $? of ${line.slice(4, 12)}"`));
    const codes = everyday.map((line) => {
      const { status } = spawnSync('sh', ['-c', line], { cwd: outside, env: sandbox.env });
      return `code ${status} of ${line.slice(4, 12)}`;
    });
    for (const worker of crewed) {
      expect(
        resultsOf(crew, worker)
          .match(/^code .*$/gm)
          ?.slice(-codes.length),
        worker.name,
      ).toEqual(codes);
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
  const others = crewed.map(({ branch }) => `refs/heads/${branch}`);
  await allRun([
    ...[
      'refs/heads/main',
      'refs/heads/loose',
      'refs/tags/new',
      'refs/remotes/origin/new',
      'refs/crewmux/salvage/new',
    ].flatMap((ref) => [`git update-ref ${ref} HEAD`, `git rev-parse HEAD >${common}/${ref}`]),
    ...others.map((ref) => `test ${ref} = "$(git symbolic-ref HEAD)" || git update-ref ${ref} HEAD~1`),
    ...['commondir', 'index.lock', 'HEAD', 'config', 'hooks/pre-commit', 'objects/pack/x', 'info/attributes'].map(
      (name) => `echo /tmp/x >${common}/${name}`,
    ),
    ...['commondir', 'gitdir', 'config.worktree'].map((name) => `echo /tmp/x >"$(git rev-parse --git-dir)/${name}"`),
  ]);
  expect(refs()).toBe(before);
  for (const name of ['commondir', 'index.lock', 'hooks/pre-commit', 'objects/pack/x', 'info/attributes'])
    expect(existsSync(join(common, name)), name).toBe(false);
  expect(readFileSync(join(common, 'HEAD'), 'utf8')).toBe('ref: refs/heads/main\n');
  sandbox.git(crew.repo, 'commit', '-q', '--allow-empty', '-m', 'The user goes on');
});
