// Every worktree of a repository, with what it holds, and folders that were one once.
import { lstat, readdir, readlink, realpath } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import pLimit from 'p-limit';
import { defined } from '../../model/defined.ts';
import { messageOf } from '../../model/errors.ts';
import { below, exists } from '../../system/disk.ts';
import { repoPlace } from '../git/branch.ts';
import type { Repo } from '../git/inspect.ts';
import type { RegisteredWorktree } from '../git/porcelain.ts';
import { registeredWorktrees } from '../git/registered.ts';
import { BaseTips, progressOf, type WorkStateRequest, workState } from '../state/work-state.ts';
import { findStray, type Stray } from './orphan.ts';

type Base = Exclude<WorkStateRequest['base'], 'none'>;

export interface WorktreeListRequest {
  readonly repo: Repo;
  /** Relative to the main repository, or absolute. */
  readonly root: string;
  /** What a worktree's work is compared with; the main checkout's branch where it tells none. */
  readonly baseOf?: (path: string) => Base | Promise<Base>;
}

export interface ListedWorktree {
  readonly path: string;
  readonly name: string;
  readonly branch?: string;
  readonly commit?: string;
  /** Git knows it; an orphan is known to nobody. */
  readonly registered: boolean;
  readonly orphan: boolean;
  readonly detached: boolean;
  /** True as well when git cannot say. */
  readonly dirty: boolean;
  readonly ahead: number;
  readonly behind: number;
  readonly merged: boolean;
  /** What it was compared with. */
  readonly base?: string;
  readonly locked: boolean;
  readonly lockReason?: string;
  /** Its folder, or the link in it, is gone. */
  readonly prunable: boolean;
  readonly pruneReason?: string;
  /** A merge, rebase, cherry-pick, revert or bisect that was not finished. */
  readonly operation?: string;
  /** Its commits are on no branch and under no tag. */
  readonly unreachable?: true;
  /** Its folder is a symlink, which is not followed. */
  readonly symlinkTo?: string;
  /** A repository of its own, or a worktree of another one. */
  readonly elsewhere?: true;
  /** Why its state could not be read. */
  readonly unreadable?: string;
}

const atOnce = 4;

/** The main checkout is not among them. Rejects only when git cannot list. */
export async function listWorktrees(request: WorktreeListRequest): Promise<readonly ListedWorktree[]> {
  const [, ...linked] = await registeredWorktrees(request.repo);
  const limit = pLimit(atOnce);
  const tips = new BaseTips();
  const listed = await Promise.all(linked.map((entry) => limit(() => describe({ ...request, tips }, entry))));
  const registered = new Set(linked.map((entry) => entry.path));
  const [strays, others] = await Promise.all([findOrphans(request, registered), findOthers(request, registered)]);
  const orphans = new Set(strays.map(({ path }) => path));
  return [...listed, ...strays.map(describeOrphan), ...others.filter(({ path }) => !orphans.has(path))];
}

const nothing = {
  registered: false,
  orphan: false,
  detached: false,
  dirty: false,
  ahead: 0,
  behind: 0,
  merged: false,
  locked: false,
  prunable: false,
} as const;

async function describe(
  request: WorktreeListRequest & { readonly tips: BaseTips },
  entry: RegisteredWorktree,
): Promise<ListedWorktree> {
  const known = { ...nothing, ...knownOf(entry) };
  try {
    const target = await linkAt(entry.path);
    if (target !== undefined) return { ...known, dirty: true, symlinkTo: target };
    // Git calls a worktree prunable as well when only its link is broken; its files may be there all the same.
    const state = (await exists(entry.path)) ? await stateOf(request, entry.path) : await branchOnly(request, entry);
    return { ...known, ...state };
  } catch (thrown) {
    return { ...known, dirty: true, unreadable: messageOf(thrown) };
  }
}

const knownOf = ({ path, branch, sha, detached, locked, prunable }: RegisteredWorktree) => ({
  path,
  name: basename(path),
  ...defined({ branch, commit: sha }),
  registered: true,
  detached,
  locked: locked !== undefined,
  ...defined({ lockReason: locked || undefined }),
  prunable: prunable !== undefined,
  ...defined({ pruneReason: prunable || undefined }),
});

async function linkAt(path: string): Promise<string | undefined> {
  const facts = await lstat(path).catch(() => undefined);
  return facts?.isSymbolicLink() ? readlink(path) : undefined;
}

async function stateOf({ repo, baseOf, tips }: WorktreeListRequest & { readonly tips: BaseTips }, path: string) {
  const base = await baseOf?.(path);
  const asked = { worktreePath: path, env: repo.env, tips, subjects: 0, ...defined({ base }) };
  const state = await workState(asked);
  return {
    dirty: state.dirtyFiles + state.untrackedFiles > 0,
    ahead: state.ahead,
    behind: state.behind,
    merged: state.merged,
    ...defined({ base: state.base, operation: state.operation, unreachable: state.unreachable || undefined }),
  };
}

/** A worktree whose folder is gone still has its commits. */
async function branchOnly(
  { repo, baseOf, tips }: WorktreeListRequest & { readonly tips: BaseTips },
  entry: RegisteredWorktree,
) {
  const { sha: commit } = entry;
  if (commit === undefined) return {};
  const place = repoPlace(repo);
  const tip = await tips.of(place, repo, await baseOf?.(entry.path));
  const { ahead, behind, merged, base } = await progressOf(place, { tip, commit, subjects: 0 });
  return { ahead, behind, merged, ...defined({ base }) };
}

type Root = Pick<WorktreeListRequest, 'repo' | 'root'>;

/** Folders directly under the root that belonged to this repository, or lie inside it, and are no worktree now. */
export async function findOrphans(at: Root, registered: ReadonlySet<string>): Promise<readonly Stray[]> {
  const folders = (await unregistered(at, registered)).filter(({ isLink }) => !isLink);
  const strays = await Promise.all(folders.map(({ path }) => findStray(at.repo, path)));
  return strays.filter((stray) => stray !== undefined);
}

/** What else lies in this repository's own folder for worktrees: crewmux neither follows nor removes it. */
async function findOthers(at: Root, registered: ReadonlySet<string>): Promise<readonly ListedWorktree[]> {
  const { mainRepoPath } = at.repo;
  if (below(mainRepoPath, resolve(mainRepoPath, at.root)) === undefined) return [];
  return Promise.all(
    (await unregistered(at, registered)).map(async ({ path, isLink }) => {
      const what = isLink ? { symlinkTo: await readlink(path) } : { elsewhere: true as const };
      return { ...nothing, path, name: basename(path), dirty: true, ...what };
    }),
  );
}

/** Folders and links directly under the root that are no worktrees. */
async function unregistered({ repo, root }: Root, registered: ReadonlySet<string>) {
  const real = await realpath(resolve(repo.mainRepoPath, root)).catch(() => undefined);
  if (real === undefined) return [];
  return (await readdir(real, { withFileTypes: true }))
    .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
    .map((entry) => ({ path: join(real, entry.name), isLink: entry.isSymbolicLink() }))
    .filter(({ path }) => !registered.has(path));
}

/** How many folders there are that were a worktree once. */
export async function countOrphans(at: Root): Promise<number> {
  const registered = await registeredWorktrees(at.repo);
  return (await findOrphans(at, new Set(registered.map(({ path }) => path)))).length;
}

const describeOrphan = (stray: Stray): ListedWorktree => ({
  ...nothing,
  path: stray.path,
  name: basename(stray.path),
  orphan: true,
  dirty: !stray.isEmpty,
});
