// Where a salvage can be brought back to: a path nobody has, and a branch nobody else is on.
import { mkdir, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { CrewError } from '../../model/errors.ts';
import { createBranch, findBranch } from '../branch.ts';
import { below, exists, makeFolder } from '../disk.ts';
import type { Repo } from '../inspect.ts';
import type { RegisteredWorktree } from '../porcelain.ts';
import { numbered } from '../slug.ts';
import type { FoundSalvage } from './salvages.ts';

const maxAttempts = 500;

export interface Wanted {
  readonly repo: Repo;
  readonly salvage: FoundSalvage;
  /** The worktrees git knows of before anything is made. */
  readonly registered: readonly RegisteredWorktree[];
}

/** A new, empty folder: the old path when that is free, else one beside it or among the other worktrees. */
export async function freePath(request: Wanted & { readonly root: string }): Promise<string> {
  const { salvage } = request;
  const wanted = salvage.manifest.path;
  const parent = await parentFor(request);
  const registered = new Set(request.registered.map(({ path }) => path));
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const path = join(parent, numbered(basename(wanted), attempt));
    // git may still know a worktree there whose folder is gone.
    if (!registered.has(path) && (await makeFolder(path))) return path;
  }
  throw new CrewError(
    'worktree_failed',
    `${wanted} and ${maxAttempts} numbered names after it are all taken.`,
    'Call cleanup_worktrees, then restore again.',
  );
}

/** The old folder only where it still is what it was, and not a link to somewhere else. */
async function parentFor({
  repo,
  salvage,
  root,
}: {
  repo: Repo;
  salvage: FoundSalvage;
  root: string;
}): Promise<string> {
  const old = dirname(salvage.manifest.path);
  const isOld = await realpath(old).then(
    (real) => real === old,
    () => false,
  );
  if (isOld) return old;
  const inRepo = below(repo.mainRepoPath, old) !== undefined && !(await exists(old));
  const chosen = inRepo ? old : resolve(repo.mainRepoPath, root);
  await mkdir(chosen, { recursive: true });
  return realpath(chosen);
}

export interface HeadPlan {
  /** Undefined for a HEAD that was on no branch. */
  readonly branch?: string;
  /** Undefined before the first commit. */
  readonly sha?: string;
  /** The branch was made for this. */
  readonly creates: boolean;
  readonly notes: readonly string[];
}

/** The branch it was on when that still stands where it stood, or is gone; else a new one there. Makes the branch. */
export async function headPlan({ repo, salvage, registered }: Wanted): Promise<HeadPlan> {
  const { branch, head } = salvage.manifest;
  if (branch === null) return { ...(head === null ? {} : { sha: head }), creates: false, notes: [] };
  const used = new Set(registered.map((entry) => entry.branch));
  const tip = await findBranch(repo, branch);
  if (head === null) return unborn(branch, tip !== undefined || used.has(branch));
  if (tip === head && !used.has(branch)) return { branch, sha: head, creates: false, notes: [] };
  const why = used.has(branch)
    ? `${branch} is checked out elsewhere`
    : `${branch} has moved on since, to ${tip?.slice(0, 12)}`;
  for (let attempt = tip === undefined && !used.has(branch) ? 1 : 2; attempt <= maxAttempts; attempt++) {
    const name = numbered(branch, attempt);
    if (used.has(name) || !(await createBranch(repo, name, head))) continue;
    return { branch: name, sha: head, creates: true, notes: attempt === 1 ? [] : [`${why}, so it is on ${name}`] };
  }
  throw new CrewError('branch_exists', `${branch} and its numbered names are all taken.`, 'Delete some of them first.');
}

function unborn(branch: string, isTaken: boolean): HeadPlan {
  const name = isTaken ? `${branch}-restored` : branch;
  const notes = isTaken ? [`${branch} is there meanwhile, so it is on ${name}, which has no commit yet`] : [];
  return { branch: name, creates: false, notes };
}
