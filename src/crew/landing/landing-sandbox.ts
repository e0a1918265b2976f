// Runs the project's tests and hooks in bubblewrap, where bubblewrap works and `merge.sandbox` is on.
import { chmod, mkdir, realpath, rm, stat } from 'node:fs/promises';
import { realPaths } from '../../system/disk.ts';
import { topOf } from '../../worktree/draft-index.ts';
import { placesOfHook } from '../../worktree/git-places.ts';
import { withHooks, withHooksInside } from '../../worktree/hooks.ts';
import type { FolderFacts } from '../../worktree/inspect.ts';
import { sandboxLine } from '../../worktree/landing/sandbox-line.ts';
import { cacheFolders, secretPlaces } from '../../worktree/landing/sandbox-places.ts';
import { findBubblewrap } from '../../worktree/landing/sandbox-probe.ts';
import { scratchPath } from '../../worktree/landing/scratch.ts';
import { commandEnvironment } from '../environments.ts';
import type { CrewContext } from '../workers/roster.ts';

export interface SandboxWish {
  readonly context: CrewContext;
  readonly repo: FolderFacts;
  /** The folder the command runs in and may write. */
  readonly path: string;
  /** The folder for the landings of this repository; temporary files lie there while `use` runs. */
  readonly dir: string;
  /** Other places that it may write, such as those that a commit needs. */
  readonly writable?: readonly string[];
  /** Files and folders in `writable` that it cannot change, such as the repository's configuration and hooks. */
  readonly fixed?: readonly string[];
  /** Folders that it sees as empty, except for the places named here. */
  readonly hidden?: readonly string[];
  /** Places that it reads even inside a hidden folder. */
  readonly kept?: readonly string[];
}

/**
 * Passes `use` the words that start a program in the sandbox; none where there is no sandbox. Every process must end
 * before `use` resolves, because the temporary files go then.
 */
export async function withSandbox<T>(wish: SandboxWish, use: (inside: readonly string[]) => Promise<T>): Promise<T> {
  const { context, repo, dir } = wish;
  const env = commandEnvironment(context, repo.mainRepoPath);
  const isOff = context.settingsFor(repo.mainRepoPath).settings.merge.sandbox === 'off';
  const found = isOff ? { missing: 'merge.sandbox is off' } : await findBubblewrap(env);
  if ('missing' in found) return use([]);
  const temp = scratchPath(dir);
  await mkdir(temp, { recursive: true, mode: 0o700 });
  try {
    // Programs of other users may write into a /tmp; the folder around it is ours alone all the same.
    await chmod(temp, 0o1777);
    return await use(await lineFor(wish, { env, program: found.program, temp }));
  } finally {
    await rm(temp, { recursive: true, force: true });
  }
}

/**
 * Passes `use` the folder of hooks for a commit in a worker's worktree: those of the landing's target. A hook may call
 * the worker's code, so each hook runs in the sandbox.
 */
export function withBaseHooks<T>(
  { context, repo, target, dir }: Pick<SandboxWish, 'context' | 'repo' | 'dir'> & { readonly target: string },
  worktree: FolderFacts,
  use: (hooks: string) => Promise<T>,
): Promise<T> {
  const { path } = topOf(worktree);
  return withHooks(repo, `refs/heads/${target}`, async (hooks) => {
    const wish = { context, repo, dir, path, kept: [hooks], ...(await placesOfHook(repo, worktree.gitDir)) };
    return withSandbox(wish, (inside) => withHooksInside({ hooks, inside, path: scratchPath(dir) }, use));
  });
}

async function lineFor(
  { context, repo, path, writable = [], fixed = [], hidden = [], kept = [] }: SandboxWish,
  { env, program, temp }: { env: Readonly<Record<string, string>>; program: string; temp: string },
): Promise<readonly string[]> {
  const { HOME: home = '/', PATH: programs = '' } = env;
  const secrets = [context.home.root, ...secretPlaces(context.serverEnv)];
  const secretFolders = await foldersIn(secrets);
  return sandboxLine({
    program,
    cwd: await realpath(path),
    temp: await realpath(temp),
    writable: await foldersIn([...cacheFolders(env), ...writable]),
    hidden: [...secretFolders, ...(await foldersIn(hidden))],
    masked: (await realPaths(secrets)).filter((path) => !secretFolders.includes(path)),
    kept: await foldersIn([home, repo.mainRepoPath, repo.gitCommonDir, ...kept, ...programs.split(':')]),
    fixed: await realPaths(fixed),
  });
}

/** The folders among these paths, without symlinks on their way. */
async function foldersIn(paths: readonly string[]): Promise<readonly string[]> {
  const found = (await realPaths(paths)).map(async (path) => ((await stat(path)).isDirectory() ? [path] : []));
  return (await Promise.all(found)).flat();
}
