// Removes a worktree, and never anything that exists nowhere else.

import { realpath } from 'node:fs/promises';
import { advise, call } from '../../model/advice.ts';
import { defined } from '../../model/defined.ts';
import { CrewError, messageOf } from '../../model/errors.ts';
import { deleteBranchAt, repoPlace } from '../git/branch.ts';
import { gitDirOf, unpinWorktree } from '../git/git-link.ts';
import type { Repo } from '../git/inspect.ts';
import type { RegisteredWorktree } from '../git/porcelain.ts';
import { gitFailed, tryGit } from '../git/repo.ts';
import type { AddedWorktree } from '../making/add.ts';
import { strayCommits } from '../salvage/git-folder.ts';
import { saveBranch, saveWork } from '../salvage/salvage.ts';
import type { Salvage } from '../salvage/salvage-commit.ts';
import { isAsSaved } from '../salvage/salvage-trees.ts';
import { type RemovalQuestion, removalFacts } from './facts.ts';
import { mendWorktree } from './mend.ts';
import { type Obstacle, removalVerdict } from './verdict.ts';

export interface RemoveRequest extends RemovalQuestion {
  /** Saves the work to a salvage ref and removes the worktree all the same. */
  readonly force: boolean;
  readonly workerId?: string;
  readonly reason?: string;
  /** Epoch ms; now, unless given. */
  readonly at?: number;
  /** `always` writes a salvage of a worktree too that holds nothing of its own. */
  readonly saves?: 'needed' | 'always';
  /** Told of a salvage once it is written and before anything is removed. */
  readonly onSaved?: (salvage: Salvage) => Promise<void>;
}

export interface Removed {
  readonly removed: true;
  /** Where the work lies that the worktree held. */
  readonly salvage?: Salvage;
}

/**
 * Ends with the worktree gone and its branch where it was, or rejects with `would_lose_work` and nothing changed.
 * What could become unreachable is saved first, asked for or not. Whoever works there must have ended before.
 */
export async function removeWorktree(request: RemoveRequest): Promise<Removed> {
  // What cannot be mended is told of by the look that follows.
  if (request.force) await mendWorktree(request.repo, request.path).catch(() => undefined);
  const { facts, doubt, entry } = await removalFacts(request);
  // Somebody has removed it by git's own means, or moved it: nothing is left there to lose.
  if (facts.isMissing && entry === undefined) return { removed: true };
  const obstacles = removalVerdict(facts);
  const isFinal = obstacles.some((obstacle) => obstacle.kind === 'kept');
  if (isFinal || entry === undefined || (obstacles.length > 0 && !request.force)) {
    throw wouldLose(request, obstacles, doubt);
  }
  const saves = obstacles.length > 0 || request.saves === 'always' || (await hasStrayCommits(request.repo, entry));
  const salvage = saves ? await (facts.isMissing ? saveBranchOf(request, entry) : saveStill(request)) : undefined;
  if (salvage === undefined) return deregister(request);
  await (obstacles.length === 0 ? deregister(request) : forceRemove(request)).catch((thrown: unknown) => {
    throw removalFailed(request, salvage, thrown);
  });
  return { removed: true, salvage };
}

/** Commits that only its reflog knows go with it. */
async function hasStrayCommits(repo: Repo, { path }: RegisteredWorktree): Promise<boolean> {
  const gitDir = await gitDirOf(repo.gitCommonDir, path);
  if (gitDir === undefined) throw new Error(`git has no folder for the worktree ${path}.`);
  return (await strayCommits(repo, gitDir)).length > 0;
}

const removalFailed = ({ path }: RemoveRequest, { ref }: Salvage, thrown: unknown) =>
  new CrewError(
    'git_failed',
    `${path} could not be removed wholly: ${messageOf(thrown)}`,
    `Everything in it was saved before as ${ref}; restore_work brings it back.`,
    { cause: thrown },
  );

const saidOf = ({ workerId = '', reason = 'removed', at }: RemoveRequest) => ({ workerId, reason, ...defined({ at }) });

const maxSaves = 3;

/** Saves once more what changed while it was saved; rejects when that does not end. */
async function saveStill(request: RemoveRequest): Promise<Salvage> {
  for (let attempt = 1; attempt <= maxSaves; attempt++) {
    const { saved, ...salvage } = await saveWork({
      ...saidOf(request),
      repo: request.repo,
      worktreePath: request.path,
    });
    await request.onSaved?.(salvage);
    if (await isAsSaved(request.repo, { path: await realpath(request.path), saved })) return salvage;
  }
  throw wouldLose(request, [{ kind: 'kept', reason: 'its files change while they are saved' }], undefined);
}

/** Its folder is gone, and its branch is all there is of it. */
async function saveBranchOf(request: RemoveRequest, entry: RegisteredWorktree): Promise<Salvage | undefined> {
  const { path, branch, sha } = entry;
  if (branch === undefined || sha === undefined) return undefined;
  const salvage = await saveBranch(request.repo, { ...saidOf(request), path, branch, sha });
  await request.onSaved?.(salvage);
  return salvage;
}

function wouldLose(request: RemoveRequest, obstacles: readonly Obstacle[], doubt: string | undefined): CrewError {
  const final = obstacles.some((obstacle) => obstacle.kind === 'kept');
  const why = obstacles.map((obstacle) => obstacle.reason).join('; ');
  return new CrewError(
    'would_lose_work',
    `${request.path} is kept: ${why}.${doubt === undefined ? '' : ` ${doubt}`}`,
    final
      ? 'Not even force removes it. Look at the folder and remove it by hand if it is not needed.'
      : advise`Commit the work, or pass ${call('force: true', '--force')} to save it to a salvage ref first.`,
  );
}

const timeoutMs = 600_000;

/** Without --force git looks once more, at the last moment. What we put there ourselves it would not forgive. */
async function deregister(request: RemoveRequest): Promise<Removed> {
  const result = await tryGit(repoPlace(request.repo), ['worktree', 'remove', request.path], { timeoutMs });
  if (result.exitCode === 0) {
    unpinWorktree(request.path);
    return { removed: true };
  }
  const { facts, doubt } = await removalFacts(request);
  const obstacles = removalVerdict(facts);
  if (obstacles.length > 0) throw wouldLose(request, obstacles, doubt);
  await forceRemove(request);
  return { removed: true };
}

async function forceRemove({ repo, path }: Pick<RemoveRequest, 'repo' | 'path'>): Promise<void> {
  const args = ['worktree', 'remove', '--force', path];
  const result = await tryGit(repoPlace(repo), args, { timeoutMs });
  if (result.exitCode !== 0) throw gitFailed(repoPlace(repo), args, result);
  // Another worktree may be made at the same path.
  unpinWorktree(path);
}

export interface Discarded {
  readonly removed: boolean;
  /** The branch we made is gone too. */
  readonly branchDeleted: boolean;
  /** Why the worktree was kept. */
  readonly reason?: string;
}

export const spawnFailed = 'the spawn failed';

/** Takes back a fresh worktree and the branch made for it; keeps both when there is any change or commit. Never rejects. */
export async function discardFresh(
  fresh: AddedWorktree & Pick<RemoveRequest, 'repo' | 'workerId' | 'onSaved'>,
): Promise<Discarded> {
  try {
    const { facts, entry } = await removalFacts(fresh);
    const isGone = facts.isMissing && entry === undefined;
    const [obstacle] = isGone ? [] : removalVerdict(facts);
    const moved = facts.state !== undefined && facts.state.headSha !== fresh.base.sha;
    const reason = obstacle?.reason ?? (moved ? 'it has commits of its own' : undefined);
    if (reason !== undefined) return { removed: false, branchDeleted: false, reason };
    await removeWorktree({ ...fresh, force: false, reason: spawnFailed });
    const branchDeleted = fresh.branchCreated && (await deleteBranchAt(fresh.repo, fresh.branch, fresh.base.sha));
    return { removed: true, branchDeleted };
  } catch (thrown) {
    return { removed: false, branchDeleted: false, reason: messageOf(thrown) };
  }
}
