// What would be lost with a worktree in which git sees nothing to lose.

import { gitDirOf } from '../git-link.ts';
import { type FolderFacts, inspectFolder, type Repo } from '../inspect.ts';
import type { RegisteredWorktree } from '../porcelain.ts';
import { readGit } from '../repo.ts';
import { strayCommits } from './git-folder.ts';
import { indexTree } from './salvage-trees.ts';
import { isUnlike } from './unlike-checkout.ts';

export interface ResidueLook {
  readonly repo: Repo;
  readonly entry: RegisteredWorktree;
  /** The folder is gone; only git's note of it is left. */
  readonly isMissing: boolean;
}

/**
 * Commits that only its reflog knows, bytes that git takes for the same and would not write again, or what was staged
 * in a folder that is gone. Throws when it cannot be told.
 */
export async function hasResidue({ repo, entry, isMissing }: ResidueLook): Promise<boolean> {
  const gitDir = await gitDirOf(repo.gitCommonDir, entry.path);
  if (gitDir === undefined) throw new Error(`git has no folder for the worktree ${entry.path}.`);
  if ((await strayCommits(repo, gitDir)).length > 0) return true;
  if (!isMissing) return isUnlikeCheckout(repo, entry.path);
  const folder = missingFolder(repo, { gitDir, entry });
  const head = entry.sha === undefined ? '' : await readGit(placeOf(folder), ['rev-parse', `${entry.sha}^{tree}`]);
  return (await indexTree(folder)) !== head.trim();
}

async function isUnlikeCheckout(repo: Repo, path: string): Promise<boolean> {
  const folder = await inspectFolder({ path, env: repo.env });
  return folder === undefined || isUnlike(folder);
}

const placeOf = (folder: FolderFacts) => ({ path: folder.gitCommonDir, env: folder.env });

/** A worktree without a folder, as far as its index and git's own files go. */
export const missingFolder = (
  repo: Repo,
  { gitDir, entry }: { readonly gitDir: string; readonly entry: RegisteredWorktree },
): FolderFacts => ({
  mainRepoPath: repo.mainRepoPath,
  gitCommonDir: repo.gitCommonDir,
  env: repo.env,
  gitDir,
  subfolder: '',
  head: {
    ...(entry.sha === undefined ? {} : { sha: entry.sha }),
    ...(entry.branch === undefined ? {} : { branch: entry.branch }),
  },
  isBare: false,
  isShallow: false,
});
