// The checkouts of a branch that is about to move: files that are in the way there, and files that come along.

import { defined } from '../../model/defined.ts';
import { CrewError } from '../../model/errors.ts';
import { tryUntil } from '../../system/pace.ts';
import { hiddenChanges, indexEntries, topOf } from '../git/draft-index.ts';
import { gitFoldersOf } from '../git/git-link.ts';
import { type FolderFacts, inspectFolder, type Repo } from '../git/inspect.ts';
import { oddFiles } from '../git/odd-files.ts';
import { type Commits, type PathChange, pathsBetween } from '../git/path-changes.ts';
import { registeredWorktrees } from '../git/registered.ts';
import { type GitPlace, type GitResult, readGit } from '../git/repo.ts';
import { readStatus } from '../state/status.ts';
import { findOperation } from '../state/work-state.ts';
import { putBack, readTree, submodulesLeft } from './carry.ts';
import { failingFilter } from './filters.ts';
import { foldersOf, inTheWay } from './in-the-way.ts';

/** Paths of the worktrees in which the branch is checked out, without those that git cannot read. */
export async function checkoutsOf(repo: Repo, branch: string): Promise<readonly string[]> {
  const list = await registeredWorktrees(repo);
  return list
    .filter((entry) => entry.branch === branch && !entry.bare && entry.prunable === undefined)
    .map(({ path }) => path)
    .filter(isReadable);
}

/** A worker that makes its own branch another name of this one keeps nobody from landing there. */
function isReadable(path: string): boolean {
  const folders = gitFoldersOf(path);
  return folders?.root === undefined || oddFiles(folders).length === 0;
}

export interface Blockers {
  /** Staged, unstaged, untracked or ignored, where the other commit has changes of its own. */
  readonly files: readonly string[];
  /** A merge or its like is unfinished there. */
  readonly operation?: string;
}

/** Edits of other files do not count. Rejects when git cannot tell. */
export async function blockersOf(folder: FolderFacts, changes: readonly PathChange[]): Promise<Blockers> {
  const place = topOf(folder);
  const [operation, edited, hidden] = await Promise.all([
    findOperation(folder.gitDir),
    editedFiles(place),
    indexEntries(folder).then((entries) => hiddenChanges(folder, entries)),
  ]);
  const [untracked, submodules] = await Promise.all([inTheWay(place, changes), submodulesLeft(folder, changes)]);
  const meets = meeting(changes.map(({ path: changed }) => changed));
  const files = [...[...edited, ...hidden].filter(meets), ...untracked, ...submodules];
  return { files: [...new Set(files)].sort(), ...defined({ operation }) };
}

export async function checkoutAt(repo: Repo, path: string): Promise<FolderFacts> {
  const folder = await inspectFolder({ path, env: repo.env });
  if (folder?.worktreeRoot !== undefined) return folder;
  throw new CrewError('not_a_repository', `git knows no checkout at ${path}.`, 'Run git worktree prune, or mend it.');
}

async function editedFiles(place: GitPlace): Promise<readonly string[]> {
  const { changes } = await readStatus(place, { untracked: false });
  return changes.map((change) => change.path);
}

/** Whether a path is one of these, or lies above or below one. */
function meeting(touched: readonly string[]): (path: string) => boolean {
  const files = new Set(touched);
  const folders = new Set(touched.flatMap(foldersOf));
  return (path) => files.has(path) || folders.has(path) || foldersOf(path).some((folder) => files.has(folder));
}

/** Files and index go from one commit to the other; edits of other files stay. Git's words where it would not, and nothing has changed then. */
export async function bringAlong(folder: FolderFacts, commits: Commits): Promise<string | undefined> {
  const unwritable = await failingFilter(folder, commits);
  if (unwritable !== undefined) return unwritable.stderr.trim();
  const result = await twoWay(folder, commits);
  if (result.exitCode === 0) return undefined;
  // Git has looked before it wrote, so files are half written only where a disk or a filter failed after all.
  await putBack(folder, commits).catch(() => undefined);
  return result.stderr.trim();
}

/**
 * Undoes `bringAlong`, whole or half done. Leaves alone what somebody has committed meanwhile: `tip` is where the
 * branch stands. False where an edit made meanwhile keeps the files as they are.
 */
export async function takeBack(folder: FolderFacts, { from, to, tip }: Commits & { tip: string }): Promise<boolean> {
  const place = topOf(folder);
  if (await isIndexAt(place, { from, to })) return putBack(folder, { from, to }).then(() => true);
  const touched = new Set(await pathsBetween(place, { from, to }));
  const isCommitted = !(await pathsBetween(place, { from: to, to: tip })).some((changed) => touched.has(changed));
  return isCommitted || (await twoWay(folder, { from: to, to: from })).exitCode === 0;
}

/** The index has the files that differ between the two commits as `from` has them, whatever else is staged. */
export async function isIndexAt(place: GitPlace, { from, to }: Commits): Promise<boolean> {
  const touched = new Set(await pathsBetween(place, { from, to }));
  const args = ['diff-index', '--cached', '--name-only', '-z', '--no-renames', '--ignore-submodules=none', from, '--'];
  return !(await readGit(place, args)).split('\0').some((path) => touched.has(path));
}

/** Git refuses where an entry is as neither commit has it. */
function twoWay(folder: FolderFacts, { from, to }: Commits): Promise<GitResult> {
  const args = ['read-tree', '--no-recurse-submodules', '-m', '-u', from, to];
  // Somebody's own git is at work there, for a moment.
  const isOver = ({ exitCode, stderr }: GitResult) => exitCode === 0 || !/index\.lock': File exists/.test(stderr);
  return tryUntil(() => readTree(folder, args), isOver, { tries: 10, pauseMs: 50 });
}
