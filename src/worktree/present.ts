// A worktree as it stands, as a tree and a commit that no branch and no index of it knows.

import { topOf, withDraftIndex } from './draft-index.ts';
import { type FolderFacts, inspectFolder, type Repo } from './inspect.ts';
import { decodeStatus, statusArgs } from './porcelain.ts';
import { untouchedPrepared } from './prepared.ts';
import { byNobody, git, readGit } from './repo.ts';

export interface Present {
  /** The newest commit, or one made of it and of what is not committed. The same work gives the same commit. */
  readonly commit: string;
  /** Changed and untracked paths, ignored ones and our own left out. */
  readonly uncommitted: readonly string[];
  /** Repositories of their own inside, which no tree can hold. */
  readonly leftOut: readonly string[];
}

/** Undefined where there is no commit yet, or no worktree that git knows. Nothing of the worktree changes. */
export async function presentWork(path: string, repo: Repo): Promise<Present | undefined> {
  const folder = await inspectFolder({ path, env: repo.env });
  if (folder?.worktreeRoot === undefined || folder.subfolder !== '' || folder.head.sha === undefined) return undefined;
  const { paths, leftOut } = await uncommittedIn(folder);
  if (paths.length === 0) return { commit: folder.head.sha, uncommitted: [], leftOut };
  const tree = await treeWith(folder, paths);
  const args = ['commit-tree', tree, '-p', folder.head.sha, '-m', 'As it stands'];
  const commit = (await git(topOf(folder), args, { gitEnv: byNobody })).trim();
  return { commit, uncommitted: paths, leftOut };
}

export async function uncommittedIn(folder: FolderFacts) {
  const { changes } = decodeStatus(await readGit(topOf(folder), statusArgs));
  const ours = await untouchedPrepared(folder.gitDir, topOf(folder).path);
  const all = changes.map((change) => change.path).filter((each) => !ours.has(each));
  return { paths: all.filter((each) => !each.endsWith('/')), leftOut: all.filter((each) => each.endsWith('/')) };
}

/** The index as it is, with these paths as they lie on disk. */
export async function treeWith(folder: FolderFacts, paths: readonly string[]): Promise<string> {
  const input = paths.map((path) => `${path}\0`).join('');
  const tree = await withDraftIndex(folder, async (draft) => {
    const args = ['--literal-pathspecs', 'add', '--all', '--pathspec-from-file=-', '--pathspec-file-nul'];
    await draft(args, input);
    return draft(['write-tree']);
  });
  return tree.trim();
}
