// Adds a worktree with a branch of its own; whatever fails leaves nothing behind.
import { rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { defined } from '../../model/defined.ts';
import { CrewError } from '../../model/errors.ts';
import { makeFolder } from '../../system/disk.ts';
import { assertBranchName, createBranch, deleteBranchAt, findBranch, repoPlace } from '../git/branch.ts';
import { branchesBelow, keepBranchFolder, ownBranchFolder } from '../git/branch-folder.ts';
import type { FolderFacts, Repo } from '../git/inspect.ts';
import { writeMark } from '../git/mark.ts';
import { lastLines, tryGit } from '../git/repo.ts';
import { branchName, type NameParts, numbered, ownFolderOf, worktreeName } from '../git/slug.ts';
import { makeRoot } from './root.ts';
import { type BaseCommit, resolveBase } from './start.ts';

export interface AddRequest {
  /** Where the caller works; its HEAD is the base unless one is given. */
  readonly folder: FolderFacts;
  /** Relative to the main repository, or absolute. */
  readonly root: string;
  readonly name: NameParts;
  readonly branch?: string;
  readonly base?: string;
  /** Where a new branch begins when no base is given, in place of HEAD. */
  readonly from?: BaseCommit;
  /** Called with the commit that will be checked out, before anything is made. */
  readonly onBase?: (base: BaseCommit) => Promise<void>;
}

export interface AddedWorktree {
  readonly path: string;
  readonly branch: string;
  /** Below `refs/heads`, with no other branch in it; undefined where the branch has none. */
  readonly branchFolder?: string;
  readonly base: BaseCommit;
  /** Git's own folder for it. */
  readonly gitDir: string;
  /** False when an existing branch was checked out as it is. */
  readonly branchCreated: boolean;
}

const maxAttempts = 500;

// More checkouts at once than this are no faster, and all of them slower.
const oneOfFew = pLimit(4);

/**
 * Resolves with a clean checkout. Rejects with `base_not_found`, `branch_exists`, `invalid_argument` or
 * `worktree_failed`, and then neither folder nor branch is there.
 */
export async function addWorktree(request: AddRequest): Promise<AddedWorktree> {
  const root = await makeRoot(request.folder, request.root);
  const existing = await findExisting(request);
  const from = request.base === undefined ? request.from : undefined;
  const base = existing ?? from ?? (await resolveBase(request.folder, request.base));
  await request.onBase?.(base);
  return oneOfFew(() => addNumbered({ request, root, base, createsBranch: existing === undefined }));
}

/** The branch asked for, when it is there to be checked out. */
async function findExisting({ folder, branch, base }: AddRequest): Promise<BaseCommit | undefined> {
  if (branch === undefined) return undefined;
  await assertBranchName(folder, branch);
  const sha = await findBranch(folder, branch);
  if (sha === undefined) return undefined;
  if (base === undefined) return { ref: branch, sha };
  throw new CrewError(
    'branch_exists',
    `The branch ${branch} exists already (at ${sha.slice(0, 12)}), so it cannot start from ${base}.`,
    'Leave out base to work on the branch as it is, or pass another branch name.',
  );
}

interface Plan {
  readonly request: AddRequest;
  readonly root: string;
  readonly base: BaseCommit;
  readonly createsBranch: boolean;
}

/** The first number whose folder is free, also against other processes: only one can make it. */
async function addNumbered(plan: Plan): Promise<AddedWorktree> {
  const name = worktreeName(plan.request.name);
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const path = join(plan.root, numbered(name, attempt));
    if (await makeFolder(path)) return addAt(plan, path);
  }
  throw allTaken(name, plan.root);
}

const allTaken = (name: string, where: string) =>
  new CrewError(
    'worktree_failed',
    `${name} and ${maxAttempts} numbered names after it are all taken in ${where}.`,
    'Call list_worktrees and remove what is no longer needed, or use another annotation.',
  );

async function addAt(plan: Plan, path: string): Promise<AddedWorktree> {
  const { request, base, createsBranch } = plan;
  const { folder: repo } = request;
  try {
    const branch = request.branch === undefined ? await makeOwnBranch(plan) : await takeBranch(plan, request.branch);
    const making = { path, branch, base, branchCreated: createsBranch };
    const gitDir = await checkOut(repo, making);
    const branchFolder = await keptFolder(request, branch).catch(async (error: unknown) => {
      await undo(repo, making);
      throw error;
    });
    return { ...making, ...defined({ branchFolder }), gitDir };
  } catch (error) {
    await rmdir(path).catch(() => {});
    throw error;
  }
}

/** In the first folder of refs that no branch stands above, and none in. */
async function makeOwnBranch({ request, base }: Plan): Promise<string> {
  const { folder: repo, name } = request;
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const branch = branchName(name, attempt);
    const others = await branchesBelow(repo, ownFolderOf(branch) ?? branch);
    if (others.length === 0 && (await createBranch(repo, branch, base.sha))) return branch;
  }
  throw allTaken(branchName(name, 1), 'refs/heads');
}

async function takeBranch({ request, base, createsBranch }: Plan, branch: string): Promise<string> {
  if (!createsBranch || (await createBranch(request.folder, branch, base.sha))) return branch;
  throw taken(branch, 'Its name was taken in the meantime, or a branch above or below it is in the way');
}

async function keptFolder(request: AddRequest, branch: string): Promise<string | undefined> {
  const { folder: repo } = request;
  const folder = request.branch === undefined ? ownFolderOf(branch) : await ownBranchFolder(repo, branch);
  return folder !== undefined && (await keepBranchFolder(repo, folder)) ? folder : undefined;
}

type Making = Omit<AddedWorktree, 'gitDir'>;

/** Resolves with git's own folder for it. */
async function checkOut(repo: Repo, added: Making): Promise<string> {
  const args = ['-c', 'checkout.workers=0', 'worktree', 'add', added.path, added.branch];
  const result = await tryGit(repoPlace(repo), args, { timeoutMs: 600_000 });
  if (result.exitCode === 0) return mark(repo, added);
  await undo(repo, added);
  const elsewhere = /(?:checked out|used by worktree) at '(.*)'/.exec(result.stderr)?.[1];
  if (elsewhere !== undefined) throw taken(added.branch, `It is checked out at ${elsewhere}`);
  throw new CrewError(
    'worktree_failed',
    `git could not make the worktree ${added.path} (exit ${result.exitCode}): ${lastLines(result.stderr)}`,
    'Nothing was left behind. Mend what git names after the colon, or pass use_worktree: false.',
  );
}

const mark = (repo: Repo, { path, branch, base, branchCreated }: Making): Promise<string> =>
  writeMark(repo, path, { branch, branch_created: branchCreated, base });

/** Only what this very call made: the folder was claimed empty, the branch stands where it was put. */
async function undo(repo: Repo, added: Making): Promise<void> {
  await tryGit(repoPlace(repo), ['worktree', 'remove', '--force', added.path]);
  if (added.branchCreated) await deleteBranchAt(repo, added.branch, added.base.sha);
}

const taken = (branch: string, why: string) =>
  new CrewError('branch_exists', `The branch ${branch} cannot be used: ${why}.`, 'Pass another branch name, or none.');

/** Ends with the branch checked out at the path, or rejects with `worktree_failed` and nothing made. */
export async function readdWorktree(repo: Repo, at: { readonly path: string; readonly branch: string }): Promise<void> {
  const result = await tryGit(repoPlace(repo), ['worktree', 'add', '--quiet', '--', at.path, at.branch]);
  if (result.exitCode === 0) {
    await writeMark(repo, at.path, { branch: at.branch, branch_created: false });
    return;
  }
  throw new CrewError(
    'worktree_failed',
    `The branch ${at.branch} could not be checked out at ${at.path}: ${lastLines(result.stderr)}`,
    'Put right what git names, or spawn a new worker.',
  );
}
