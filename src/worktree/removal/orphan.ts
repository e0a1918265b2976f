// Folders among the worktrees that git no longer knows; removed only when nothing in them is lost.
import { lstat, readdir, realpath, rm } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { messageOf } from '../../model/errors.ts';
import { below, exists } from '../../system/disk.ts';
import { repoPlace } from '../git/branch.ts';
import { linkTarget } from '../git/git-link.ts';
import type { Repo } from '../git/inspect.ts';
import { nulEnded } from '../git/porcelain.ts';
import { git, readGit } from '../git/repo.ts';
import { worktreeOf } from '../git/slug.ts';

export interface Stray {
  readonly path: string;
  /** Nothing in it but, at most, a link to a git folder that is gone. */
  readonly isEmpty: boolean;
}

/** Undefined for a folder that is, or may be, somebody's: a repository, or a worktree of another one. */
export async function findStray(repo: Repo, path: string): Promise<Stray | undefined> {
  const names = await readdir(path);
  const isEmpty = names.every((name) => name === '.git');
  if (!names.includes('.git')) return below(repo.mainRepoPath, path) === undefined ? undefined : { path, isEmpty };
  const target = linkTarget(join(path, '.git'));
  if (target === undefined || !isOurs(repo, target) || (await exists(target))) return undefined;
  return { path, isEmpty };
}

const isOurs = (repo: Repo, gitDir: string) => dirname(gitDir) === join(repo.gitCommonDir, 'worktrees');

export type OrphanOutcome = { readonly removed: true } | { readonly removed: false; readonly reason: string };

export interface OrphanRequest {
  readonly repo: Repo;
  /** The folder of worktrees, as `listWorktrees` takes it. */
  readonly root: string;
  readonly path: string;
  /** What was checked out there, by the record of its worker. */
  readonly branch?: string;
}

/** Removes an orphan that is empty, or whose every file is on its branch. Keeps it in any doubt; never rejects. */
export async function removeOrphan(request: OrphanRequest): Promise<OrphanOutcome> {
  try {
    const reason = await reasonToKeep(request);
    if (reason !== undefined) return { removed: false, reason };
    await rm(request.path, { recursive: true });
    return { removed: true };
  } catch (thrown) {
    return { removed: false, reason: messageOf(thrown) };
  }
}

async function reasonToKeep({ repo, root, path, branch: recorded }: OrphanRequest): Promise<string | undefined> {
  if (!(await lstat(path)).isDirectory()) return 'it is a symlink or no folder';
  const home = await realpath(resolve(repo.mainRepoPath, root));
  if (dirname(path) !== home) return `it does not lie directly in ${home}`;
  const stray = await findStray(repo, path);
  if (stray === undefined) return 'it belongs to a repository';
  if (stray.isEmpty) return undefined;
  const branch = await branchOf(repo, basename(path), recorded);
  if (branch === undefined) return `it holds files, and there is no branch ${basename(path)} to compare them with`;
  const odd = await firstNotOnBranch(repo, path, branch);
  return odd === undefined ? undefined : `${odd} is not the same on branch ${branch}`;
}

/** The branch on record, else the one with which crewmux makes a worktree of this name, now or in earlier releases. */
async function branchOf(repo: Repo, name: string, recorded: string | undefined): Promise<string | undefined> {
  const refs = await readGit(repoPlace(repo), ['for-each-ref', '--format=%(refname)', 'refs/heads']);
  const all = refs.split('\n').map((ref) => ref.slice('refs/heads/'.length));
  return (
    [recorded, name].find((branch) => branch && all.includes(branch)) ?? all.find((one) => worktreeOf(one) === name)
  );
}

/** The first path below the folder that the branch does not hold byte for byte. */
async function firstNotOnBranch(repo: Repo, folder: string, branch: string): Promise<string | undefined> {
  const all = await readdir(folder, { withFileTypes: true, recursive: true });
  const files = all
    .filter((entry) => !entry.isDirectory())
    .map((entry) => ({ path: relative(folder, join(entry.parentPath, entry.name)), isFile: entry.isFile() }))
    .filter(({ path }) => path !== '.git');
  const odd = files.find((file) => !file.isFile || file.path.includes('\n'));
  if (odd !== undefined || files.length === 0) return odd?.path;
  const input = files.map((file) => `${join(folder, file.path)}\n`).join('');
  const hashed = (await git(repoPlace(repo), ['hash-object', '--no-filters', '--stdin-paths'], { input })).split('\n');
  const tree = await readGit(repoPlace(repo), ['ls-tree', '-r', '-z', `refs/heads/${branch}`]);
  const held = new Set(nulEnded(tree).map((entry) => entry.replace(/^\d+ \w+ /, '')));
  return files.find((file, at) => !held.has(`${hashed[at]}\t${file.path}`))?.path;
}
