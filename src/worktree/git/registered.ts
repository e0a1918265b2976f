// The worktrees of a repository, as git lists them.
import { repoPlace } from './branch.ts';
import type { Repo } from './inspect.ts';
import { decodeWorktreeList, type RegisteredWorktree } from './porcelain.ts';
import { readGit } from './repo.ts';

/** The worktrees git knows of, the main one first. */
export async function registeredWorktrees(repo: Repo): Promise<readonly RegisteredWorktree[]> {
  const list = decodeWorktreeList(await readGit(repoPlace(repo), ['worktree', 'list', '--porcelain', '-z']));
  // Where the git folder lies elsewhere, git takes it for the main worktree.
  return list.map((entry) =>
    entry.path === repo.gitCommonDir && !entry.bare ? { ...entry, path: repo.mainRepoPath } : entry,
  );
}
