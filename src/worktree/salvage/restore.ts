// Brings a salvage back as a worktree: files, index and HEAD as they were. Nothing that is there is overwritten.

import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { defined } from '../../model/defined.ts';
import { CrewError, messageOf } from '../../model/errors.ts';
import { newNonce } from '../../model/ids.ts';
import { counted } from '../../model/plural.ts';
import { withPrivateFolder } from '../../system/private-folder.ts';
import { deleteBranchAt, repoPlace } from '../git/branch.ts';
import type { Repo } from '../git/inspect.ts';
import { writeMark } from '../git/mark.ts';
import { listed, nulEnded } from '../git/porcelain.ts';
import { registeredWorktrees } from '../git/registered.ts';
import { type GitPlace, git, readGit, tryGit } from '../git/repo.ts';
import { byteForByte } from './byte-for-byte.ts';
import { copyPlain } from './git-folder.ts';
import { escapes, isFile, putGitFolderBack, putPreparedBack } from './put-back.ts';
import { freePath, type HeadPlan, headPlan } from './restore-place.ts';
import { isAsSaved, type SavedTrees } from './salvage-trees.ts';
import type { FoundSalvage } from './salvages.ts';

export interface SalvageRestoreRequest {
  readonly repo: Repo;
  readonly salvage: FoundSalvage;
  /** We made it, and so believe what it says of its place. */
  readonly isOurs: boolean;
  /** The folder of worktrees, relative to the main repository or absolute. Nothing is put anywhere else. */
  readonly root: string;
}

export interface Restored {
  readonly path: string;
  /** Git's own folder for it. */
  readonly gitDir: string;
  /** Undefined where HEAD is on none, as it was. */
  readonly branch?: string;
  readonly head?: string;
  /** Looked at again after all was written: files, modes and index are those that were saved. */
  readonly exact: boolean;
  /** Differences from the saved worktree, in words. */
  readonly notes: readonly string[];
}

/** Rejects with nothing left behind when it cannot. The salvage stays, whatever happens. One at a time in a repository. */
export async function restoreSalvage(request: SalvageRestoreRequest): Promise<Restored> {
  const registered = await registeredWorktrees(request.repo);
  const path = await freePath({ ...request, registered });
  let head: HeadPlan | undefined;
  try {
    head = await headPlan({ ...request, registered });
    return await restoreAt(request, path, head);
  } catch (thrown) {
    await takeBack(request.repo, path, head);
    throw thrown;
  }
}

async function restoreAt(request: SalvageRestoreRequest, path: string, head: HeadPlan): Promise<Restored> {
  const { repo, salvage } = request;
  const gitDir = await addEmpty(repo, { path, head, salvage });
  const trees = await treesOf(request, path);
  const notes = await fill(repo, { path, gitDir }, trees);
  const { exact, notes: more } = await compared(repo, path, trees);
  return {
    path,
    gitDir,
    ...defined({ branch: head.branch, head: salvage.manifest.head ?? undefined }),
    exact,
    notes: [...head.notes, ...notes, ...more],
  };
}

/** Only what this very restore has made. */
export async function takeBack(repo: Repo, path: string, head?: HeadPlan): Promise<void> {
  await tryGit(repoPlace(repo), ['worktree', 'remove', '--force', path]);
  await rm(path, { recursive: true, force: true });
  if (head?.creates && head.branch !== undefined && head.sha !== undefined)
    await deleteBranchAt(repo, head.branch, head.sha);
}

/** A worktree with HEAD where it was, and neither files nor index. Without a checkout no hook is run. */
async function addEmpty(
  repo: Repo,
  { path, head, salvage }: { path: string; head: HeadPlan; salvage: FoundSalvage },
): Promise<string> {
  const add = ['worktree', 'add', '--quiet', '--no-checkout'];
  const onBranch = head.branch !== undefined && head.sha !== undefined;
  const at = onBranch ? [path, head.branch] : ['--detach', path, head.sha ?? salvage.sha];
  await git(repoPlace(repo), [...add, ...at]);
  const isUnborn = head.sha === undefined;
  if (isUnborn) await git({ path, env: repo.env }, ['symbolic-ref', 'HEAD', `refs/heads/${head.branch ?? 'restored'}`]);
  return writeMark(repo, path, {
    ...defined({ branch: head.branch }),
    branch_created: head.creates,
  });
}

interface Trees extends SavedTrees {
  /** The files that git keeps for this worktree alone. */
  readonly own: string | undefined;
}

async function treesOf({ repo, salvage }: SalvageRestoreRequest, path: string): Promise<Trees> {
  const { own: kept, index: saved } = salvage.manifest;
  const commits = [salvage.sha, saved, ...(kept === undefined ? [] : [kept])];
  const asked = commits.map((commit) => `${commit}^{tree}`);
  const [tree = '', index = '', own] = (await readGit({ path, env: repo.env }, ['rev-parse', ...asked])).split('\n');
  return { tree, index, own: kept === undefined ? undefined : own };
}

interface Made {
  readonly path: string;
  readonly gitDir: string;
}

async function fill(repo: Repo, made: Made, { tree, index, own }: Trees): Promise<readonly string[]> {
  const { path, gitDir } = made;
  const place = { path, env: repo.env };
  await checkOut(repo, made, { tree, into: path });
  if (own === undefined) {
    await git(place, ['read-tree', index]);
    return [];
  }
  return withPrivateFolder(async (kept) => {
    await checkOut(repo, made, { tree: own, into: kept });
    await putGitFolderBack(place, { from: join(kept, 'git'), gitDir });
    await bringBackIndex(place, { from: join(kept, 'index'), gitDir });
    const unfiltered = await convertAgain(place, { list: join(kept, 'filtered'), index, kept });
    return [...unfiltered, ...(await putPreparedBack(repo, made))];
  });
}

interface CheckedOut {
  readonly tree: string;
  readonly into: string;
  /** These alone, over what is there. */
  readonly paths?: readonly string[];
}

/** Byte for byte, with symlinks and executable bits. `into` exists; what is in it stays, and where the tree has it too this rejects. */
export const checkOut = (repo: Repo, { gitDir }: Pick<Made, 'gitDir'>, { tree, into, paths }: CheckedOut) =>
  byteForByte({ gitDir, gitCommonDir: repo.gitCommonDir, sha: tree }, async (env, scratch) => {
    const place = { path: into, env: repo.env };
    const gitEnv = { ...env, GIT_WORK_TREE: into, GIT_INDEX_FILE: join(scratch, 'index') };
    // Where a file system takes other names for git's own folder, git knows that by itself, and refuses them.
    const config = ['-c', 'core.protectNTFS=false', '-c', 'core.sparseCheckout=false'];
    const which = paths === undefined ? ['--all'] : ['--force', '-z', '--stdin'];
    const input = paths === undefined ? {} : { input: listed(paths) };
    await git(place, [...config, 'read-tree', tree], { gitEnv });
    await git(place, [...config, 'checkout-index', ...which], { gitEnv, timeoutMs: 600_000, ...input });
  });

/** Git checks the names in a tree when it reads it, and those in an index file never. */
async function bringBackIndex(
  place: GitPlace,
  { from, gitDir }: { readonly from: string; readonly gitDir: string },
): Promise<void> {
  if (!(await isFile(from))) throw notAsSaved('its index is no file');
  const names = nulEnded(await readGit(place, ['ls-files', '-z'], { gitEnv: { GIT_INDEX_FILE: from } }));
  const odd = names.find(escapes);
  if (odd !== undefined) throw notAsSaved(`its index has ${JSON.stringify(odd)}`);
  await copyPlain(from, join(gitDir, 'index'));
}

const notAsSaved = (why: string) =>
  new CrewError(
    'worktree_failed',
    `The salvage cannot be restored: ${why}, which would lie outside of the worktree or among git's own files.`,
    'The salvage stays. Look at it with git show; whoever made it may have meant harm.',
  );

interface Conversion {
  /** The file that names what git has to convert. */
  readonly list: string;
  /** The tree of the saved index. */
  readonly index: string;
  readonly kept: string;
}

/** Files that git, or a program of the user, has to convert; where that fails they hold what git stores of them. */
async function convertAgain(place: GitPlace, { list, index, kept }: Conversion): Promise<readonly string[]> {
  // As bytes: an earlier release may have listed names that are not UTF-8.
  const input = (await isFile(list)) ? await readFile(list) : Buffer.alloc(0);
  if (input.length === 0) return [];
  // The saved index knows the old files' times by the second, and git leaves a file alone that looks like one of them.
  const gitEnv = { GIT_INDEX_FILE: join(kept, `fresh-${newNonce()}`) };
  await git(place, ['read-tree', index], { gitEnv });
  const result = await tryGit(place, ['checkout-index', '--force', '-z', '--stdin'], { input, gitEnv });
  if (result.exitCode === 0) return [];
  const count = input.filter((byte) => byte === 0).length;
  return [
    `the filter for ${counted(count, 'file')} failed (${result.stderr.trim().slice(-200)}), so some hold what git stores of them`,
  ];
}

/** Times in the index are of the old files; what differs in nothing else is noted as clean first. */
export async function compared(
  repo: Repo,
  path: string,
  saved: SavedTrees,
): Promise<Pick<Restored, 'exact' | 'notes'>> {
  await tryGit({ path, env: repo.env }, ['update-index', '-q', '--refresh'], { timeoutMs: 600_000 });
  try {
    return { exact: await isAsSaved(repo, { path, saved }), notes: [] };
  } catch (thrown) {
    // An earlier release saved what this one would refuse.
    return { exact: false, notes: [`it could not be compared with what was saved: ${messageOf(thrown)}`] };
  }
}
