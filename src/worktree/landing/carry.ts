// A clean worktree carried from one commit to another: files first, branch last, and back again if that was cut short.
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { CrewError } from '../../model/errors.ts';
import { exists, removeBelow } from '../../system/disk.ts';
import { mostBytes, readPlain } from '../../system/plain-file.ts';
import { withPrivateFolder } from '../../system/private-folder.ts';
import { findBranch, moveOwnBranch, plainBranch } from '../git/branch.ts';
import { topOf, withDraftIndex } from '../git/draft-index.ts';
import type { FolderFacts } from '../git/inspect.ts';
import { changeIndex } from '../git/own-index.ts';
import { changesBetween, type PathChange, pathsOf } from '../git/path-changes.ts';
import { listed, nulEnded } from '../git/porcelain.ts';
import { type GitResult, git, gitFailed, tryGit } from '../git/repo.ts';
import { failingFilter } from './filters.ts';
import { isAtTree } from './move.ts';

export interface Carry {
  readonly branch: string;
  readonly from: string;
  readonly to: string;
}

const timeoutMs = 600_000;

/**
 * No hook runs. Ends with files, index and branch at `to`, or rejects with all of them at `from`.
 * Whoever calls has looked that nothing is uncommitted or in the way.
 */
export async function carry(folder: FolderFacts, move: Carry): Promise<void> {
  const place = topOf(folder);
  const args = ['read-tree', '-m', '-u', move.from, move.to];
  await plainBranch(folder, move.branch);
  const unwritable = await failingFilter(folder, move);
  if (unwritable !== undefined) throw gitFailed(place, args, unwritable);
  const result = await readTree(folder, args).catch(async (thrown: unknown) => {
    await putBack(folder, move);
    throw thrown;
  });
  if (result.exitCode !== 0) {
    await putBack(folder, move);
    throw gitFailed(place, args, result);
  }
  if (await moveOwnBranch(folder, move)) return;
  const back = ['read-tree', '-m', '-u', move.to, move.from];
  const undone = await readTree(folder, back);
  if (undone.exitCode !== 0) throw gitFailed(place, back, undone);
  throw new CrewError(
    'git_failed',
    `${move.branch} moved while ${place.path} was being synced.`,
    'Files and branch are as somebody else has made them. Look, and call again.',
  );
}

/** Brings files and index along. git writes the files of a worktree, and never its index. */
export function readTree(folder: FolderFacts, args: readonly string[]): Promise<GitResult> {
  const place = topOf(folder);
  // The main checkout is not a worker's.
  if (folder.gitDir === folder.gitCommonDir) return tryGit(place, args, { timeoutMs });
  return changeIndex(folder, async ({ path }) => {
    const result = await tryGit(place, args, { timeoutMs, gitEnv: { GIT_INDEX_FILE: path } });
    return { keeps: result.exitCode === 0, result };
  });
}

export type Mended = 'finished' | 'undone' | 'untouched';

/**
 * Mends what a carry left that was killed. Rejects, and changes nothing, while another git is at work there, or where
 * a file is as neither commit has it.
 */
export async function mendCarry(folder: FolderFacts, move: Carry): Promise<Mended> {
  const place = topOf(folder);
  const at = await findBranch(folder, move.branch);
  if (at === move.to) return 'finished';
  if (at !== move.from || folder.head.branch !== move.branch) return 'untouched';
  if (await exists(join(folder.gitDir, 'index.lock'))) {
    throw new CrewError(
      'would_lose_work',
      `A sync of ${place.path} was cut short, and a git is at work there or was killed: ${join(folder.gitDir, 'index.lock')} is there.`,
      'Nothing was changed now. If no git is at work there, have the user remove that file; then call again.',
    );
  }
  if (await isAtTree(place, move.to)) {
    await moveOwnBranch(folder, move);
    return 'finished';
  }
  if (!(await isAtTree(place, move.from))) return 'untouched';
  return (await putBack(folder, move)) ? 'undone' : 'untouched';
}

/** Of the files that differ between the two commits, those that are not as `from` has them. False when all were. */
export async function putBack(folder: FolderFacts, { from, to }: Omit<Carry, 'branch'>): Promise<boolean> {
  const place = topOf(folder);
  const [changes, notFrom, notTo] = await Promise.all([
    changesBetween(place, { from, to }),
    differingFrom(folder, from),
    differingFrom(folder, to),
  ]);
  const [isAdded, isRemoved] = [new Set(pathsOf(changes, 'A')), new Set(pathsOf(changes, 'D'))];
  const moved: string[] = [];
  const odd: string[] = [];
  for (const { path } of changes) {
    const isThere = await isFile(join(place.path, path));
    if (isAdded.has(path) ? !isThere : !notFrom.has(path)) continue;
    if (isThere && isRemoved.has(path)) throw cutShort(place.path, path);
    if (isThere && notTo.has(path)) odd.push(path);
    moved.push(path);
  }
  const torn = await tornFiles(folder, to, odd);
  for (const path of odd) if (!torn.has(path)) throw cutShort(place.path, path);
  for (const path of moved) if (isAdded.has(path)) await removeBelow(place.path, path);
  const input = listed(moved.filter((path) => !isAdded.has(path)));
  if (input !== '') await writeFiles(folder, input);
  return moved.length > 0;
}

/** As the index has them; it then knows them as they lie there. */
async function writeFiles(folder: FolderFacts, input: string): Promise<void> {
  const [place, args] = [topOf(folder), ['checkout-index', '-f', '-u', '-z', '--stdin']];
  if (folder.gitDir === folder.gitCommonDir) await git(place, args, { input });
  else
    await changeIndex(folder, async (draft) => {
      await draft(args, input);
      return { keeps: true, result: undefined };
    });
}

const isFile = (path: string): Promise<boolean> =>
  lstat(path).then(
    (facts) => !facts.isDirectory(),
    () => false,
  );

/** Paths whose file is not as the commit has it. */
async function differingFrom(folder: FolderFacts, commit: string): Promise<ReadonlySet<string>> {
  const printed = await withDraftIndex(folder, async (draft) => {
    await draft(['read-tree', commit]);
    await draft(['update-index', '-q', '--refresh']);
    return draft(['diff-files', '--name-only', '--ignore-submodules=all', '-z']);
  });
  return new Set(nulEnded(printed));
}

/** Those that begin as the commit has them and end too soon, as a git that was killed while it wrote leaves them. */
async function tornFiles(folder: FolderFacts, commit: string, paths: readonly string[]): Promise<ReadonlySet<string>> {
  if (paths.length === 0) return new Set();
  return withPrivateFolder(async (whole) => {
    await withDraftIndex(folder, async (draft) => {
      await draft(['read-tree', commit]);
      await draft(['checkout-index', `--prefix=${whole}/`, '-z', '--stdin'], listed(paths));
    });
    const found = await Promise.all(
      paths.map((path) => isStartOf(join(topOf(folder).path, path), join(whole, path)).catch(() => false)),
    );
    return new Set(paths.filter((_, at) => found[at]));
  });
}

async function isStartOf(path: string, wholePath: string): Promise<boolean> {
  const [start, whole] = await Promise.all([path, wholePath].map((one) => readPlain(one, mostBytes.index)));
  if (start === undefined || whole === undefined) return false;
  return start.length < whole.length && whole.subarray(0, start.length).equals(start);
}

const cutShort = (path: string, file: string) =>
  new CrewError(
    'would_lose_work',
    `A sync of ${path} was cut short, and cannot be undone: ${file} is as neither side has it.`,
    'Look at git status there; the branch is where it was. Restore what the sync changed, or commit it, then call again.',
  );

/** Submodules that are checked out there and would have to be at another commit, which nobody would bring them to. */
export async function submodulesLeft(folder: FolderFacts, changes: readonly PathChange[]): Promise<readonly string[]> {
  const moved = changes.filter(({ isSubmodule }) => isSubmodule).map(({ path }) => path);
  const isLeft = await Promise.all(moved.map((path) => exists(join(topOf(folder).path, path, '.git'))));
  return moved.filter((_, at) => isLeft[at]);
}
