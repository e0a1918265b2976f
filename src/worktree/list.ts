// Every worktree of a repository, with what it holds, and folders that were one once.
import { readdir, realpath } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import pLimit from 'p-limit';
import { messageOf } from '../model/errors.ts';
import { exists } from './disk.ts';
import type { Repo } from './inspect.ts';
import { findStray, type Stray } from './orphan.ts';
import type { RegisteredWorktree } from './porcelain.ts';
import { registeredWorktrees } from './remove.ts';
import { workState } from './work-state.ts';

export interface ListRequest {
  readonly repo: Repo;
  /** Relative to the main repository, or absolute. */
  readonly root: string;
  /** What a worktree's work is compared with; the main checkout's branch where it tells none. */
  readonly baseOf?: (path: string) => { readonly ref: string; readonly sha?: string } | undefined;
}

export interface ListedWorktree {
  readonly path: string;
  readonly name: string;
  readonly branch?: string;
  readonly commit?: string;
  /** Git knows it; an orphan is known to nobody. */
  readonly registered: boolean;
  readonly orphan: boolean;
  /** True as well when it cannot be told. */
  readonly dirty: boolean;
  readonly ahead: number;
  readonly behind: number;
  readonly merged: boolean;
  readonly locked: boolean;
  /** Its folder, or the link in it, is gone. */
  readonly prunable: boolean;
  /** Why its state could not be read. */
  readonly unreadable?: string;
}

const atOnce = 4;

/** The main checkout is not among them. Rejects only when git cannot list. */
export async function listWorktrees(request: ListRequest): Promise<readonly ListedWorktree[]> {
  const [, ...linked] = await registeredWorktrees(request.repo);
  const limit = pLimit(atOnce);
  const listed = await Promise.all(linked.map((entry) => limit(() => describe(request, entry))));
  const strays = await findOrphans(request, new Set(linked.map((entry) => entry.path)));
  return [...listed, ...strays.map(describeOrphan)];
}

async function describe(request: ListRequest, entry: RegisteredWorktree): Promise<ListedWorktree> {
  const known = {
    path: entry.path,
    name: basename(entry.path),
    ...(entry.branch === undefined ? {} : { branch: entry.branch }),
    ...(entry.sha === undefined ? {} : { commit: entry.sha }),
    registered: true,
    orphan: false,
    locked: entry.locked !== undefined,
    prunable: entry.prunable !== undefined,
  };
  // Git calls a worktree prunable as well when only its link is broken; its files may be there all the same.
  if (entry.prunable !== undefined && !(await exists(entry.path)))
    return { ...known, dirty: false, ahead: 0, behind: 0, merged: false };
  try {
    const base = request.baseOf?.(entry.path);
    const env = request.repo.env;
    const state = await workState({ worktreePath: entry.path, env, ...(base === undefined ? {} : { base }) });
    const { ahead, behind, merged } = state;
    return { ...known, dirty: state.dirtyFiles + state.untrackedFiles > 0, ahead, behind, merged };
  } catch (thrown) {
    return { ...known, dirty: true, ahead: 0, behind: 0, merged: false, unreadable: messageOf(thrown) };
  }
}

/** Folders directly under the root that belonged to this repository, or lie inside it, and are no worktree now. */
export async function findOrphans(
  { repo, root }: Pick<ListRequest, 'repo' | 'root'>,
  registered: ReadonlySet<string>,
): Promise<readonly Stray[]> {
  const wanted = resolve(repo.mainRepoPath, root);
  const real = await realpath(wanted).catch(() => undefined);
  if (real === undefined) return [];
  const entries = await readdir(real, { withFileTypes: true });
  const paths = entries.filter((entry) => entry.isDirectory()).map((entry) => join(real, entry.name));
  const strays = await Promise.all(paths.filter((path) => !registered.has(path)).map((path) => findStray(repo, path)));
  return strays.flatMap((stray) => (stray === undefined ? [] : [stray]));
}

/** How many folders there are that were a worktree once. */
export async function countOrphans(at: Pick<ListRequest, 'repo' | 'root'>): Promise<number> {
  const registered = await registeredWorktrees(at.repo);
  return (await findOrphans(at, new Set(registered.map(({ path }) => path)))).length;
}

const describeOrphan = (stray: Stray): ListedWorktree => ({
  path: stray.path,
  name: basename(stray.path),
  registered: false,
  orphan: true,
  dirty: !stray.isEmpty,
  ahead: 0,
  behind: 0,
  merged: false,
  locked: false,
  prunable: false,
});
