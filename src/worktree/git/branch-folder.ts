// The folder of refs that a worker's branch has for itself, and what keeps git from removing it.
import { lstat, mkdir, readdir, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isMissing } from '../../model/errors.ts';
import { below, hasCode, unlessMissing } from '../../system/disk.ts';
import type { Repo } from './inspect.ts';
import { readGit } from './repo.ts';
import { foldersOf, ownFolderOf } from './slug.ts';

/**
 * Packing refs removes a folder that is empty. git reads nothing in a hidden folder; a hidden file is an error to
 * `git fsck` since 2.48.
 */
const keeper = '.crewmux';

/** Branches and their logs lie in folders of the same names. */
const roots = ['refs/heads', 'logs/refs/heads'];

/**
 * The folder below `refs/heads` that only this branch is in. Undefined for a name without a folder, where another branch
 * lies in the folder, and where a folder above is that of another worker. Ask once, when the worktree is made: later on the
 * worker may have more branches of its own there.
 */
export async function ownBranchFolder(repo: Repo, branch: string): Promise<string | undefined> {
  const folder = ownFolderOf(branch);
  const [top] = foldersOf(branch);
  if (folder === undefined || top === undefined) return undefined;
  const others = (await branchesBelow(repo, top)).filter((name) => name !== branch);
  if (others.some((name) => name.startsWith(`${folder}/`))) return undefined;
  for (const above of foldersOf(folder)) {
    const isUsed = others.some((name) => name.startsWith(`${above}/`));
    if (isUsed && (await isPlainFolder(join(repo.gitCommonDir, 'refs/heads', above, keeper)))) return undefined;
  }
  return folder;
}

/** Names of the branches in a folder, at any depth. */
export async function branchesBelow(repo: Repo, folder: string): Promise<readonly string[]> {
  const args = ['for-each-ref', '--format=%(refname)', `refs/heads/${folder}/`];
  const listed = await readGit({ path: repo.gitCommonDir, env: repo.env }, args);
  return listed.split('\n').flatMap((ref) => (ref === '' ? [] : [ref.slice('refs/heads/'.length)]));
}

/**
 * Makes the folder where it is missing, and what keeps it. False where that cannot be: git stores its refs in another way,
 * or a file or a link is in the way. Follows no link.
 */
export async function keepBranchFolder({ gitCommonDir }: Pick<Repo, 'gitCommonDir'>, folder: string): Promise<boolean> {
  for (const root of roots) {
    // Without branches as files there is nothing to keep, and no folder to make.
    if (root === roots[0] && !(await isPlainFolder(join(gitCommonDir, root)))) return false;
    if (!(await makePlainFolders(gitCommonDir, join(root, folder, keeper)))) return false;
  }
  return true;
}

async function makePlainFolders(top: string, path: string): Promise<boolean> {
  let folder = top;
  for (const name of path.split('/')) {
    folder = join(folder, name);
    await mkdir(folder).catch((error) => {
      if (!hasCode(error, 'EEXIST')) throw error;
    });
    if (!(await isPlainFolder(folder))) return false;
  }
  return true;
}

const isPlainFolder = async (path: string): Promise<boolean> =>
  (await unlessMissing(lstat(path)))?.isDirectory() ?? false;

/** Takes away what kept the folder of a branch that is gone, and the folder; other branches in it keep both. */
export async function releaseBranchFolder(repo: Repo, branch: string): Promise<void> {
  const folder = ownFolderOf(branch);
  if (folder !== undefined && (await branchesBelow(repo, folder)).length === 0) await release(repo, folder);
}

async function release({ gitCommonDir }: Repo, folder: string): Promise<void> {
  for (const root of roots) {
    const end = join(gitCommonDir, root);
    for (let path = join(end, folder, keeper); below(end, path) !== undefined; path = dirname(path))
      if (!(await removeEmpty(path))) break;
  }
}

/** True where nothing is there any more. */
async function removeEmpty(path: string): Promise<boolean> {
  try {
    await rmdir(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return true;
    if (hasCode(error, 'ENOTEMPTY') || hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/** Removes the kept folders whose branches a person has deleted, but for those of `used`. */
export async function releaseUnusedFolders(repo: Repo, used: ReadonlySet<string | undefined>): Promise<void> {
  const heads = join(repo.gitCommonDir, 'refs/heads');
  for (const entry of await readdir(heads, { recursive: true, withFileTypes: true }).catch(() => [])) {
    if (entry.name !== keeper || !entry.isDirectory()) continue;
    const folder = below(heads, entry.parentPath);
    if (folder === undefined || used.has(folder)) continue;
    if ((await branchesBelow(repo, folder)).length === 0) await release(repo, folder);
  }
}
