// A worktree as it stands, as a tree and a commit that no branch and no index of it knows.

import { topOf, withDraftIndex } from '../git/draft-index.ts';
import { type FolderFacts, inspectFolder, type Repo } from '../git/inspect.ts';
import type { FileChange } from '../git/porcelain.ts';
import { untouchedPrepared } from '../git/prepared.ts';
import { byNobody, commitTree } from '../git/repo.ts';
import { type TakeLimits, takeInto } from '../git/take.ts';
import { readStatus } from '../state/status.ts';

export interface Present {
  /** The newest commit, or one made of it and of what is not committed. The same work gives the same commit. */
  readonly commit: string;
  /** Changed and untracked paths, ignored ones and our own left out. */
  readonly uncommitted: readonly string[];
  /** Repositories of their own inside, which no tree can hold. */
  readonly leftOut: readonly string[];
  /** Of those not committed, what is too large to be looked into; here it is as the index has it, or not at all. */
  readonly tooLarge: readonly string[];
}

export interface PresentOptions {
  /** The commit to build on where the branch has none, or is gone. */
  readonly start?: string;
  readonly limits?: TakeLimits;
}

/** What a person can review, and git can hash while somebody waits. */
const reviewable: TakeLimits = { fileBytes: 16 * 1024 * 1024, allBytes: 128 * 1024 * 1024 };

/** Undefined where there is no commit, or no worktree that git knows. Nothing of the worktree changes. */
export async function presentWork(
  path: string,
  repo: Repo,
  { start, limits = reviewable }: PresentOptions = {},
): Promise<Present | undefined> {
  const folder = await inspectFolder({ path, env: repo.env });
  if (folder?.worktreeRoot === undefined || folder.subfolder !== '') return undefined;
  const head = folder.head.sha ?? start;
  if (head === undefined) return undefined;
  const { changes, paths, leftOut } = await uncommittedIn(folder);
  if (paths.length === 0 && folder.head.sha !== undefined)
    return { commit: head, uncommitted: [], leftOut, tooLarge: [] };
  const { tree, tooLarge } = await treeOf(folder, { changes, limits });
  const commit = await commitTree(topOf(folder), { tree, parents: [head], message: 'As it stands\n' }, byNobody);
  return { commit, uncommitted: paths, leftOut, tooLarge };
}

export interface Uncommitted {
  /** Where HEAD is on one. */
  readonly branch?: string;
  readonly changes: readonly FileChange[];
  /** The same by name. */
  readonly paths: readonly string[];
  readonly leftOut: readonly string[];
}

export async function uncommittedIn(folder: FolderFacts): Promise<Uncommitted> {
  const { changes: all, branch } = await readStatus(topOf(folder));
  const ours = await untouchedPrepared(folder.gitDir, topOf(folder).path);
  const isNested = ({ path }: FileChange) => path.endsWith('/');
  const changes = all.filter((change) => !ours.has(change.path) && !isNested(change));
  const named = (some: readonly FileChange[]) => some.map(({ path }) => path);
  const found = { changes, paths: named(changes), leftOut: named(all.filter(isNested)) };
  return branch === undefined ? found : { ...found, branch };
}

/** The index as it is, with these changes as they lie on disk. */
async function treeOf(
  folder: FolderFacts,
  { changes, limits }: { readonly changes: readonly FileChange[]; readonly limits: TakeLimits },
) {
  return withDraftIndex(folder, async (draft) => {
    const { tooLarge } = await takeInto(draft, { top: topOf(folder).path, changes, limits });
    return { tree: (await draft(['write-tree'])).trim(), tooLarge };
  });
}
