// Runs the project's tests and hooks in bubblewrap, where bubblewrap works and `merge.sandbox` is on.
import { chmod, mkdir, readFile, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CrewError } from '../../model/errors.ts';
import { realPaths, removeWhole } from '../../system/disk.ts';
import { topOf } from '../../worktree/git/draft-index.ts';
import { placesOfHook } from '../../worktree/git/git-places.ts';
import { withHooks, withHooksInside } from '../../worktree/git/hooks.ts';
import { type FolderFacts, inspectFolder } from '../../worktree/git/inspect.ts';
import { ownCaches } from '../../worktree/landing/own-caches.ts';
import { sandboxLine, tempInside } from '../../worktree/landing/sandbox-line.ts';
import { secretPlaces } from '../../worktree/landing/sandbox-places.ts';
import { findBubblewrap } from '../../worktree/landing/sandbox-probe.ts';
import { scratchPath } from '../../worktree/landing/scratch.ts';
import { commandEnvironment, tokenNames } from '../environments.ts';
import type { CrewContext } from '../workers/crew-context.ts';

export interface SandboxWish {
  readonly context: CrewContext;
  readonly repo: FolderFacts;
  /** The folder the command runs in and may write. */
  readonly path: string;
  /** A folder of ours; temporary files lie there while `use` runs, and caches with them. */
  readonly dir: string;
  /** A folder that lasts, for temporary files and caches in their place. */
  readonly temp?: string;
  /** Other places that it may write, such as those that a commit needs. */
  readonly writable?: readonly string[];
  /** Files and folders in `writable` that it cannot change, such as the repository's configuration and hooks. */
  readonly fixed?: readonly string[];
  /** Folders that it sees as empty, except for the places named here. */
  readonly hidden?: readonly string[];
  /** Places that it reads even inside a hidden folder. */
  readonly kept?: readonly string[];
  /** Of the command, where more than the project's settings make it. */
  readonly env?: Readonly<Record<string, string>>;
  /** Variables of git's that it does not get. */
  readonly unset?: readonly string[];
  /** True unless given. */
  readonly network?: boolean;
}

/**
 * Passes `use` the words that start a program in the sandbox; none where there is no sandbox. Every process must end
 * before `use` resolves, because the temporary files go then.
 */
export async function withSandbox<T>(wish: SandboxWish, use: (inside: readonly string[]) => Promise<T>): Promise<T> {
  const { context, repo } = wish;
  const { merge } = context.settingsFor(repo.mainRepoPath).settings;
  const isOff = merge.sandbox === 'off';
  const found = isOff
    ? { missing: 'merge.sandbox is "off"' }
    : await findBubblewrap(commandEnvironment(context, repo.mainRepoPath));
  if ('program' in found) return inBubblewrap({ network: merge.network, ...wish }, found.program, use);
  if (merge.network || wish.network) return use([]);
  throw new CrewError(
    'checks_failed',
    `merge.network is false, and nothing keeps tests and hooks from the network here: ${found.missing}.`,
    'Nothing was moved. Install bubblewrap with merge.sandbox "auto", or set merge.network to true.',
  );
}

/** The same with the bubblewrap at `program`, whatever the settings of landings say. */
export async function inBubblewrap<T>(
  wish: SandboxWish,
  program: string,
  use: (inside: readonly string[]) => Promise<T>,
): Promise<T> {
  const temp = scratchPath(wish.dir);
  await mkdir(temp, { recursive: true, mode: 0o700 });
  try {
    // Programs of other users may write into a /tmp; the folder around it is ours alone all the same.
    await chmod(temp, 0o1777);
    return await use(await lineFor(wish, { program, scratch: temp }));
  } finally {
    await removeWhole(temp);
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

/**
 * Passes `use` the folder of hooks for a push, as the commit `base` has them. They run in the sandbox, and nowhere with
 * what lets git reach the remote.
 */
export function withPushHooks<T>(
  { context, repo, base, dir, path }: Omit<SandboxWish, 'writable'> & { readonly base: string },
  use: (hooks: string, isLfs: boolean) => Promise<T>,
): Promise<T> {
  const unset = tokenNames(context);
  return withHooks(repo, base, async (hooks) => {
    const { gitDir = repo.gitCommonDir } = (await inspectFolder({ path, env: context.environment.git })) ?? {};
    const wish = { context, repo, dir, path, kept: [hooks], unset, ...(await placesOfHook(repo, gitDir)) };
    const isLfs = await callsLfs(hooks);
    return withSandbox({ ...wish, network: true }, (inside) => {
      const words = inside.length > 0 ? inside : ['/usr/bin/env', ...unset.flatMap((name) => ['-u', name])];
      return withHooksInside({ hooks, inside: words, path: scratchPath(dir) }, (folder) => use(folder, isLfs));
    });
  });
}

/** The hook of Git LFS uploads with the user's credentials, which no hook has. */
const callsLfs = async (hooks: string): Promise<boolean> =>
  /\bgit[ -]lfs pre-push\b/.test(await readFile(join(hooks, 'pre-push'), 'utf8').catch(() => ''));

async function lineFor(
  wish: SandboxWish,
  { program, scratch }: { readonly program: string; readonly scratch: string },
): Promise<readonly string[]> {
  const { context, repo, path, temp, writable = [], fixed = [], hidden = [], kept = [] } = wish;
  const { unset = [], network = true } = wish;
  const env = commandEnvironment(context, repo.mainRepoPath);
  const { HOME: home = '/', PATH: programs = '' } = env;
  const secrets = [context.home.root, ...secretPlaces(context.environment.server, 'whole')];
  const secretFolders = await foldersIn(secrets);
  return sandboxLine({
    program,
    cwd: await realpath(path),
    temp: await realpath(scratch),
    writable: await foldersIn([...(temp === undefined ? [] : [temp]), ...writable]),
    hidden: [...secretFolders, ...(await foldersIn(hidden))],
    masked: (await realPaths(secrets)).filter((path) => !secretFolders.includes(path)),
    kept: await foldersIn([home, repo.mainRepoPath, repo.gitCommonDir, ...kept, ...programs.split(':')]),
    fixed: await realPaths(fixed),
    set: {
      ...(temp === undefined ? {} : { TMPDIR: temp }),
      ...ownCaches(temp ?? tempInside, { ...env, ...wish.env }, writable),
    },
    unset,
    network,
  });
}

/** The folders among these paths, without symlinks on their way. */
async function foldersIn(paths: readonly string[]): Promise<readonly string[]> {
  const found = (await realPaths(paths)).map(async (path) => ((await stat(path)).isDirectory() ? [path] : []));
  return (await Promise.all(found)).flat();
}
