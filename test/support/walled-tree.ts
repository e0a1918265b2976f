// A repository with a worktree for a worker, and the `bwrap` that its launch puts first in the PATH.
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type GitWalls, type OpenFolder, walled } from '../../src/agents/bwrap.ts';
import { defined } from '../../src/model/defined.ts';
import type { Sandbox } from './sandbox.ts';

export interface WalledTree {
  readonly repo: string;
  readonly walls: GitWalls;
  readonly signals: string;
  /** In the worktree, with our program first in the PATH. */
  readonly options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv };
  /** Runs our program with these arguments. */
  run(...args: readonly string[]): SpawnSyncReturns<string>;
}

/** A repository with a worktree for a worker, and the program of its launch over the given bubblewrap. */
export function walledTree(
  sandbox: Sandbox,
  {
    name,
    bwrap,
    open,
  }: { readonly name: string; readonly bwrap: string; readonly open?: (repo: string) => OpenFolder },
): WalledTree {
  const repo = sandbox.repo(name);
  const worktree = join(repo, '.worktrees/ada');
  sandbox.git(repo, 'worktree', 'add', '-q', '-b', 'ada-1/work', worktree);
  const [commonDir, gitDir] = [join(repo, '.git'), join(repo, '.git/worktrees/ada')];
  const ownDir = sandbox.dir(`${name}-own`);
  for (const path of [join(commonDir, 'packed-refs'), join(gitDir, 'config.worktree'), join(ownDir, 'excludes')])
    writeFileSync(path, '');
  const walls = {
    ...{ bwrap, commonDir, gitDir, worktree, branches: 'ada-1', ownDir, excludes: join(ownDir, 'excludes') },
    ...defined({ tracker: open?.(repo) }),
  };
  const signals = join(ownDir, 'signals.jsonl');
  const { files, env } = walled({ launchDir: ownDir, signalsPath: signals, env: sandbox.env, sandbox: { walls } });
  for (const { path, content } of files) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content, { mode: 0o700 });
  }
  const options = { cwd: worktree, env: { ...sandbox.env, ...env } };
  return {
    repo,
    walls,
    signals,
    options,
    run: (...args) => spawnSync('bwrap', args, { ...options, encoding: 'utf8' }),
  };
}
