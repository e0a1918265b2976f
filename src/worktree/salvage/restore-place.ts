// Chooses a free path and a free branch for a worktree that is restored.
import { realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { CrewError } from '../../model/errors.ts';
import { below, makeFolder } from '../../system/disk.ts';
import { assertBranchName, createBranch, findBranch, findBranches } from '../git/branch.ts';
import type { Repo } from '../git/inspect.ts';
import type { RegisteredWorktree } from '../git/porcelain.ts';
import { foldersOf, numbered, slug } from '../git/slug.ts';
import { makeRoot } from '../making/root.ts';
import type { FoundSalvage } from './salvages.ts';

const maxAttempts = 500;

export interface RestoreTarget {
  readonly repo: Repo;
  readonly salvage: FoundSalvage;
  /** crewmux has recorded it. For any other salvage, restore ignores the path and the branch that it names. */
  readonly isOurs: boolean;
  /** The worktrees git knows of before anything is made. */
  readonly registered: readonly RegisteredWorktree[];
}

/** A new, empty folder below that of the worktrees: the old path when that is free and lies there, else another. */
export async function freePath(request: RestoreTarget & { readonly root: string }): Promise<string> {
  const root = await realRoot(request);
  const { parent, name } = await wantedPlace(request, root);
  const registered = new Set(request.registered.map(({ path }) => path));
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const path = join(parent, numbered(name, attempt));
    // git may still know a worktree there whose folder is gone.
    if (!registered.has(path) && (await makeFolder(path))) return path;
  }
  throw new CrewError(
    'worktree_failed',
    `${join(parent, name)} and ${maxAttempts} numbered names after it are all taken.`,
    'Call cleanup_worktrees, then restore again.',
  );
}

/** A link in the repository that stands in its place may lead anywhere. */
async function realRoot({ repo, root }: { readonly repo: Repo; readonly root: string }): Promise<string> {
  const wanted = resolve(repo.mainRepoPath, root);
  const real = await makeRoot(repo, root);
  if (real === wanted || below(repo.mainRepoPath, wanted) === undefined) return real;
  throw new CrewError(
    'worktree_failed',
    `The folder for worktrees, ${wanted}, is really ${real}.`,
    'Remove the link that leads there, then restore again.',
  );
}

/** The old folder only where it lies in that of the worktrees, still is what it was, and is not a link to elsewhere. */
async function wantedPlace({ salvage, isOurs }: RestoreTarget, root: string) {
  const { path } = salvage.manifest;
  const fresh = { parent: root, name: `restored-${slug(salvage.id, 60)}` };
  if (!isOurs || resolve(path) !== path || path === '/') return fresh;
  const [old, name] = [dirname(path), basename(path)];
  const isInRoot = old === root || below(root, old) !== undefined;
  const isStill = isInRoot && (await realpath(old).catch(() => '')) === old;
  return { parent: isStill ? old : root, name };
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
export async function headPlan({ repo, salvage, isOurs, registered }: RestoreTarget): Promise<HeadPlan> {
  const { branch, head } = salvage.manifest;
  if (!isOurs) return unknownHead(salvage);
  if (branch !== null) await assertBranchName(repo, branch);
  if (branch === null) return { ...(head === null ? {} : { sha: head }), creates: false, notes: [] };
  const used = new Set(registered.map((entry) => entry.branch));
  const tip = await findBranch(repo, branch);
  if (head === null) return unborn(branch, tip !== undefined || used.has(branch));
  if (tip === head && !used.has(branch)) return { branch, sha: head, creates: false, notes: [] };
  const above = await branchAbove(repo, branch);
  for (let attempt = tip === undefined && !used.has(branch) ? 1 : 2; attempt <= maxAttempts; attempt++) {
    const name = `${numbered(above ?? branch, attempt)}${above === undefined ? '' : branch.slice(above.length)}`;
    if (used.has(name) || !(await createBranch(repo, name, head))) continue;
    const why = whyAnother(branch, { isUsed: used.has(branch), tip });
    return { branch: name, sha: head, creates: true, notes: attempt === 1 ? [] : [`${why}, so it is on ${name}`] };
  }
  throw new CrewError('branch_exists', `${branch} and its numbered names are all taken.`, 'Delete some of them first.');
}

/** A branch that has the name of a folder which this one would lie in. */
async function branchAbove(repo: Repo, branch: string): Promise<string | undefined> {
  const folders = foldersOf(branch);
  if (folders.length === 0) return undefined;
  const found = await findBranches(repo, folders);
  return folders.find((folder) => found.has(folder));
}

function whyAnother(branch: string, { isUsed, tip }: { readonly isUsed: boolean; readonly tip: string | undefined }) {
  if (isUsed) return `${branch} is checked out elsewhere`;
  return tip === undefined
    ? `a branch above or below ${branch} is in its way`
    : `${branch} has moved on since, to ${tip.slice(0, 12)}`;
}

/** On no branch: what it says of one may be about a branch of somebody else. */
function unknownHead({ sha, manifest: { branch, head, path } }: FoundSalvage): HeadPlan {
  const says = `${branch === null ? 'on no branch' : `on ${JSON.stringify(branch)}`} at ${JSON.stringify(path)}`;
  const note = `crewmux has no record of having made this salvage, so it is in a new folder and on no branch; it says that it was ${says}`;
  return { sha: head ?? sha, creates: false, notes: [note] };
}

function unborn(branch: string, isTaken: boolean): HeadPlan {
  const name = isTaken ? `${branch}-restored` : branch;
  const notes = isTaken ? [`${branch} is there meanwhile, so it is on ${name}, which has no commit yet`] : [];
  return { branch: name, creates: false, notes };
}
