import { execFileSync } from 'node:child_process';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { workState } from '../../../src/worktree/state/work-state.ts';
import { aheadOf, summarizeWork } from '../../../src/worktree/state/work-summary.ts';
import { makeSandbox, type Sandbox } from '../../support/sandbox.ts';

let sandbox: Sandbox;
beforeAll(() => {
  sandbox = makeSandbox();
});
afterAll(() => sandbox.dispose());

describe('a glance at many worktrees', () => {
  it('tells of each what the long look tells, and of a folder that is none nothing', async () => {
    const repo = sandbox.repo('many');
    const { env } = sandbox;
    const git = (cwd: string, ...args: readonly string[]) => execFileSync('git', args, { cwd, env, encoding: 'utf8' });
    const paths = ['one', 'two', 'three'].map((name) => join(sandbox.root, name));
    for (const [at, path] of paths.entries()) {
      git(repo, 'worktree', 'add', '-qb', `b${at}`, path);
      for (let commit = 0; commit < at; commit++) git(path, 'commit', '-q', '--allow-empty', '-m', `c${at}.${commit}`);
    }
    const [one = '', two = '', three = ''] = paths;
    git(three, 'merge', '-q', '--no-edit', 'b1');
    git(two, 'checkout', '-q', '--detach');
    writeFileSync(join(one, 'new.txt'), 'new');
    appendFileSync(join(three, 'README.md'), 'more\n');
    git(repo, 'commit', '-q', '--allow-empty', '-m', 'the base goes on');
    const base = { ref: 'main' };
    const worktrees = [...paths, join(sandbox.root, 'nowhere')].map((path) => ({ path, mainRepoPath: repo, base }));
    const seen = await summarizeWork(worktrees, env);
    const long = await Promise.all(paths.map((worktreePath) => workState({ worktreePath, env, base })));
    expect(seen).toEqual([
      ...long.map(({ branch, headSha, ahead, dirtyFiles, untrackedFiles }) => ({
        ...(branch === undefined ? {} : { branch }),
        headSha,
        ahead,
        changedFiles: dirtyFiles + untrackedFiles,
      })),
      undefined,
    ]);
    expect(long.map(({ ahead }) => ahead)).toEqual([0, 1, 4]);
  });

  it('counts a commit that two ways lead to once', () => {
    const parents = new Map([
      ['d', ['b', 'c']],
      ['b', ['a']],
      ['c', ['a']],
      ['a', ['base']],
    ]);
    expect([aheadOf('d', parents), aheadOf('b', parents), aheadOf('base', parents)]).toEqual([4, 2, 0]);
  });
});
