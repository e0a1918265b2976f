// Our `bwrap` before the real one: what it makes of an agent's line, and git in the view that it lays.
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findBubblewrap } from '../../src/worktree/landing/sandbox-probe.ts';
import { makeSandbox, type Sandbox } from '../support/sandbox.ts';
import { type WalledTree, walledTree } from '../support/walled-tree.ts';

let sandbox: Sandbox;
/** The real one, where it works on this machine. */
let real: string | undefined;
beforeAll(async () => {
  sandbox = makeSandbox();
  const found = await findBubblewrap(sandbox.env);
  real = 'program' in found ? found.program : undefined;
});
afterAll(() => sandbox.dispose());

const place = (name: string, bwrap: string): WalledTree => walledTree(sandbox, { name, bwrap });

describe('the line of an agent', () => {
  /** In place of bubblewrap, it prints its arguments a line each. */
  function printer(): string {
    const path = join(sandbox.dir('printer'), 'bwrap');
    writeFileSync(path, '#!/bin/sh\nprintf "%s\\n" "$@"\n');
    chmodSync(path, 0o755);
    return path;
  }
  const printed = (of: WalledTree, args: readonly string[]) =>
    String(of.run(...args).stdout)
      .split('\n')
      .slice(0, -1);
  const whole = ['--ro-bind', '/', '/'];
  const lineOf = (lines: readonly string[], ...words: readonly string[]) =>
    lines.findIndex((_, at) => words.every((word, more) => lines[at + more] === word));

  it('loses its mounts in the git folder of the repository, and gets ours at the end', () => {
    const of = place('mounts', printer());
    const { commonDir, worktree } = of.walls;
    const theirs = ['--bind', commonDir, commonDir, '--ro-bind', '/dev/null', join(commonDir, 'config.lock')];
    const lines = printed(of, ['--unshare-net', ...whole, ...theirs, '--dev', '/dev', '--', 'git', 'log']);
    expect(lineOf(lines, '--bind', commonDir, commonDir)).toBe(-1);
    expect(lines).not.toContain(join(commonDir, 'config.lock'));
    const [top, branch] = [lineOf(lines, '--tmpfs', commonDir), join(commonDir, 'refs/heads/ada-1')];
    expect(top).toBeGreaterThan(lineOf(lines, '--dev', '/dev'));
    expect(lineOf(lines, '--bind', branch, branch)).toBeGreaterThan(top);
    expect(lineOf(lines, '--ro-bind-try', join(commonDir, 'config'))).toBeGreaterThan(top);
    expect(lines.slice(-3)).toEqual(['--', 'git', 'log']);
    expect(worktree).not.toBe('');
  });

  it.each([
    ['quotes', `it's "here" $HOME \`x\` \\`],
    ['a star', '*'],
    ['line ends', 'one\ntwo\n'],
    ['nothing', ''],
    ['a word like an option', '--tmpfs'],
  ])('keeps %s as they are, in a value and in the command', (_, text) => {
    const of = place(`kept-${newName()}`, printer());
    const lines = printed(of, [...whole, '--setenv', 'X', text, '--', 'sh', '-c', text]).join('\n');
    expect(lines.startsWith(`--ro-bind\n/\n/\n--setenv\nX\n${text}\n--tmpfs\n`)).toBe(true);
    expect(lines.endsWith(`--\nsh\n-c\n${text}`)).toBe(true);
  });

  it.each([
    [['--new-thing', ...whole, '--', 'ls'], 'it passes an argument that crewmux does not know'],
    [['--tmpfs', '/', '--ro-bind', '/usr', '/usr', '--', 'ls'], 'its view of the machine is not read-only'],
    [['--bind', '/', '/', '--', 'ls'], 'its view of the machine is not read-only'],
    [[...whole, '--dev', '/dev', 'ls'], 'it passes an argument that crewmux does not know'],
  ])('runs unchanged where it is not of the known form, and says so: %j', (args, reason) => {
    const of = place(`odd-${newName()}`, printer());
    expect(printed(of, args)).toEqual(args);
    expect(JSON.parse(readFileSync(of.signals, 'utf8'))).toMatchObject({
      payload: { hook_event_name: 'CrewmuxSandbox', reason },
    });
  });

  it.each([[['--version']], [['--help']], [['--tmpfs', '/', '--', '/usr/bin/true']]])(
    'that only looks whether bubblewrap works runs unchanged, without a word: %j',
    (args) => {
      const of = place(`look-${newName()}`, printer());
      expect(printed(of, args)).toEqual(args);
      expect(existsSync(of.signals)).toBe(false);
    },
  );
});

let names = 0;
function newName(): number {
  names += 1;
  return names;
}

describe('git in a sandbox', () => {
  /** Runs a shell line in the sandbox, or, where this machine has none, without. */
  function inside(of: WalledTree, line: string): { readonly code: number | null; readonly said: string } {
    const { worktree, commonDir } = of.walls;
    const mounts = [...['--ro-bind', '/', '/'], ...['--bind', worktree, worktree], ...['--bind', commonDir, commonDir]];
    const result =
      real === undefined
        ? spawnSync('sh', ['-c', line], { cwd: worktree, env: sandbox.env, encoding: 'utf8' })
        : of.run(...mounts, '--dev', '/dev', '--proc', '/proc', '--unshare-pid', '--', 'sh', '-c', line);
    return { code: result.status, said: `${result.stdout}${result.stderr}` };
  }
  const made = (name: string) => place(name, real === undefined ? '/bin/false' : realpathSync(real));

  const everyday = [
    'echo one >file && git add -A && git commit -qm one',
    'git commit -q --amend -m uno',
    'git rebase -q main',
    'echo two >>file && git commit -qam two && git merge -q main',
    'echo three >>file && git stash -q && git stash pop -q && git commit -qam three',
    'git cherry-pick side; test $? -eq 1 && git cherry-pick --abort',
    'git revert --no-edit HEAD',
    'git bisect start && git bisect bad && git bisect good HEAD~1 && git bisect reset',
    'git switch -q -c ada-1/more && git commit -q --allow-empty -m more && git switch -q ada-1/work',
    'git branch -q -D ada-1/more || true',
  ];
  /** The state of the branch by content, since times and so ids differ. */
  const state = 'git status --porcelain; git log --format="%s %T"; git symbolic-ref HEAD; git stash list';

  it('does what it does outside, command by command, and again after the user has run git gc', () => {
    const of = made('everyday');
    sandbox.git(of.repo, 'switch', '-q', '-c', 'side');
    writeFileSync(join(of.repo, 'file'), 'other\n');
    sandbox.git(of.repo, 'add', '-A');
    sandbox.git(of.repo, 'commit', '-q', '-m', 'Side');
    sandbox.git(of.repo, 'switch', '-q', 'main');
    const outside = join(sandbox.dir('outside'), 'clone');
    sandbox.git(sandbox.root, 'clone', '-q', of.repo, outside);
    sandbox.git(outside, 'branch', '-q', 'side', 'origin/side');
    sandbox.git(outside, 'switch', '-q', '-c', 'ada-1/work');
    const beside = (line: string) =>
      spawnSync('sh', ['-c', line], { cwd: outside, env: sandbox.env, encoding: 'utf8' });
    for (const round of [1, 2]) {
      for (const line of everyday) {
        const [within, without] = [inside(of, line), beside(line)];
        expect(`${round} ${line}: ${within.code}\n${within.said}`).toContain(`${line}: ${without.status}\n`);
        expect(inside(of, state).said, line).toBe(beside(state).stdout);
      }
      sandbox.git(of.repo, 'gc', '-q');
      beside('git gc -q');
    }
    expect(sandbox.git(of.repo, 'fsck', '--no-progress', '--no-dangling')).toBe('');
  });

  it.each([
    'git tag new',
    'git branch new',
    'git notes add -m new',
    'git branch -m ada-1/work new',
    'git branch -D side',
    'git worktree add ../new',
    'git gc',
    'git config user.name new',
    'git update-ref refs/heads/main HEAD~0 && git update-ref refs/heads/side HEAD',
    'echo new >"$(git rev-parse --git-common-dir)/HEAD"',
    'echo new >"$(git rev-parse --git-dir)/commondir"',
    'echo new >"$(git rev-parse --git-dir)/config.worktree"',
    'echo new >"$(git rev-parse --git-common-dir)/objects/pack/new"',
    'rm "$(git rev-parse --git-common-dir)/packed-refs"/../refs/heads/side',
  ])('is refused what is not the worker’s: %s', (line) => {
    const of = made(`refused-${newName()}`);
    sandbox.git(of.repo, 'branch', 'side');
    sandbox.git(of.repo, 'commit', '-q', '--allow-empty', '-m', 'Ahead');
    const refs = () => execFileSync('git', ['for-each-ref'], { cwd: of.repo, env: sandbox.env, encoding: 'utf8' });
    const before = refs();
    const { code, said } = inside(of, line);
    if (real === undefined) return expect(code).not.toBeNull();
    expect(code, said).not.toBe(0);
    expect(refs()).toBe(before);
    expect(readFileSync(join(of.repo, '.git/config'), 'utf8')).not.toContain('new');
    return undefined;
  });

  it('leaves nothing at the top of the git folder that a command made there', () => {
    const of = made('top');
    for (const name of ['commondir', 'index.lock', 'config.lock', 'gitdir', 'new/deep'])
      inside(of, `p=$(git rev-parse --git-common-dir)/${name}; mkdir -p "$(dirname "$p")"; echo /x >"$p"`);
    if (real === undefined) return;
    for (const name of ['commondir', 'index.lock', 'config.lock', 'gitdir', 'new'])
      expect(existsSync(join(of.repo, '.git', name)), name).toBe(false);
    sandbox.git(of.repo, 'commit', '-q', '--allow-empty', '-m', 'The user goes on');
  });

  it('brings back a branch that a pack-refs of the worker’s own took away', () => {
    const of = made('packed');
    inside(of, 'git commit -q --allow-empty -m work');
    const tip = sandbox.git(of.repo, 'rev-parse', 'ada-1/work');
    inside(of, 'git pack-refs --all');
    expect(inside(of, 'git log -1 --format=%H').said.trim()).toBe(tip);
    expect(sandbox.git(of.repo, 'rev-parse', 'ada-1/work')).toBe(tip);
  });

  it('finds its folder of branches again after the user has removed it', () => {
    const of = made('folder');
    sandbox.git(of.repo, 'pack-refs', '--all');
    rmSync(join(of.repo, '.git/refs/heads/ada-1'), { recursive: true, force: true });
    expect(inside(of, 'git commit -q --allow-empty -m work')).toMatchObject({ code: 0 });
  });
});
