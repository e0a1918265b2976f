// Removes a worktree, and never anything that exists nowhere else.
import { lstat, realpath } from 'node:fs/promises';
import { CrewError, messageOf } from '../../model/errors.ts';
import { below, hasCode } from '../../system/disk.ts';
import { deleteBranchAt, repoPlace } from '../branch.ts';
import { gitDirOf, tieAgain, unpinWorktree } from '../git-link.ts';
import type { Repo } from '../inspect.ts';
import type { AddedWorktree } from '../making/add.ts';
import { decodeWorktreeList, type RegisteredWorktree } from '../porcelain.ts';
import { gitFailed, readGit, tryGit } from '../repo.ts';
import { hasResidue, missingFolder } from '../salvage/residue.ts';
import { type SaveRequest, saveMissing, saveWork } from '../salvage/salvage.ts';
import { isAsSaved } from '../salvage/salvage-check.ts';
import type { Salvage } from '../salvage/salvage-commit.ts';
import { type WorkState, workState } from '../work-state.ts';
import { ignoredRepos } from './ignored-repos.ts';
import { type Obstacle, type RemovalFacts, removalVerdict } from './verdict.ts';

export interface RemoveRequest {
  readonly repo: Repo;
  readonly path: string;
  /** Saves the work to a salvage ref and removes the worktree all the same. */
  readonly force: boolean;
  readonly workerId?: string;
  readonly base?: { readonly ref: string; readonly sha?: string };
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
  if (request.force) await tieAgain(await realpath(request.path).catch(() => request.path));
  const { facts, doubt, entry } = await removalFacts(request);
  const obstacles = removalVerdict(facts);
  const isFinal = obstacles.some((obstacle) => obstacle.kind === 'kept');
  if (isFinal || entry === undefined || (obstacles.length > 0 && !request.force)) {
    throw wouldLose(request, obstacles, doubt);
  }
  const { isMissing } = facts;
  const saves =
    obstacles.length > 0 || request.saves === 'always' || (await hasResidue({ repo: request.repo, entry, isMissing }));
  if (!saves) return deregister(request);
  const salvage = await (isMissing ? saveGone(request, entry) : saveStill(request));
  await (obstacles.length === 0 ? deregister(request) : forceRemove(request)).catch((thrown: unknown) => {
    throw removalFailed(request, salvage, thrown);
  });
  return { removed: true, salvage };
}

const removalFailed = ({ path }: RemoveRequest, { ref }: Salvage, thrown: unknown) =>
  new CrewError(
    'git_failed',
    `${path} could not be removed wholly: ${messageOf(thrown)}`,
    `Everything in it was saved before as ${ref}; restore_work brings it back.`,
    { cause: thrown },
  );

const saveOf = (request: RemoveRequest): SaveRequest => ({
  worktreePath: request.path,
  repo: request.repo,
  workerId: request.workerId ?? '',
  reason: request.reason ?? 'removed',
  ...(request.at === undefined ? {} : { at: request.at }),
});

const maxSaves = 3;

/** Saves once more what changed while it was saved; rejects when that does not end. */
async function saveStill(request: RemoveRequest): Promise<Salvage> {
  for (let attempt = 1; attempt <= maxSaves; attempt++) {
    const { saved, ...salvage } = await saveWork(saveOf(request));
    await request.onSaved?.(salvage);
    if (await isAsSaved(request.repo, { path: await realpath(request.path), saved })) return salvage;
  }
  throw wouldLose(request, [{ kind: 'kept', reason: 'its files change while they are saved' }], undefined);
}

async function saveGone(request: RemoveRequest, entry: RegisteredWorktree): Promise<Salvage> {
  const gitDir = await gitDirOf(request.repo.gitCommonDir, entry.path);
  if (gitDir === undefined) throw new Error(`git has no folder for the worktree ${entry.path}.`);
  const salvage = await saveMissing(saveOf(request), missingFolder(request.repo, { gitDir, entry }));
  await request.onSaved?.(salvage);
  return salvage;
}

/** The worktrees git knows of, the main one first. */
export async function registeredWorktrees(repo: Repo): Promise<readonly RegisteredWorktree[]> {
  const list = decodeWorktreeList(await readGit(repoPlace(repo), ['worktree', 'list', '--porcelain', '-z']));
  // Where the git folder lies elsewhere, git takes it for the main worktree.
  return list.map((entry) =>
    entry.path === repo.gitCommonDir && !entry.bare ? { ...entry, path: repo.mainRepoPath } : entry,
  );
}

/** Read anew with each call. `doubt` are the words of whatever could not be read. */
export async function removalFacts(
  request: Pick<RemoveRequest, 'repo' | 'path' | 'base'>,
): Promise<{ readonly facts: RemovalFacts; readonly doubt?: string; readonly entry?: RegisteredWorktree }> {
  const [kind, list] = await Promise.all([kindOf(request.path), registeredWorktrees(request.repo)]);
  const path = kind === 'missing' ? request.path : await realpath(request.path);
  const entry = list.find((each) => each.path === path);
  const looked = kind === 'folder' && entry !== undefined ? await look(request, path) : {};
  return {
    facts: {
      isSymlink: kind === 'symlink',
      isRegistered: entry !== undefined,
      isMain: entry !== undefined && entry === list[0],
      isMissing: kind === 'missing',
      isLocked: entry?.locked !== undefined,
      isDetached: entry?.branch === undefined,
      nestedWorktrees: list.map((each) => each.path).filter((each) => below(path, each) !== undefined),
      ignoredRepos: looked.ignored ?? [],
      state: looked.state,
    },
    ...(looked.doubt === undefined ? {} : { doubt: looked.doubt }),
    ...(entry === undefined ? {} : { entry }),
  };
}

interface Looked {
  readonly state?: WorkState;
  readonly ignored?: readonly string[];
  readonly doubt?: string;
}

async function look(request: Pick<RemoveRequest, 'repo' | 'base'>, worktreePath: string): Promise<Looked> {
  const { env } = request.repo;
  const base = request.base === undefined ? {} : { base: request.base };
  try {
    const [state, ignored] = await Promise.all([
      workState({ worktreePath, env, subjects: 0, ...base }),
      ignoredRepos({ path: worktreePath, env }),
    ]);
    return { state, ignored };
  } catch (thrown) {
    return { doubt: messageOf(thrown) };
  }
}

async function kindOf(path: string): Promise<'folder' | 'symlink' | 'missing' | 'other'> {
  try {
    const facts = await lstat(path);
    if (facts.isSymbolicLink()) return 'symlink';
    return facts.isDirectory() ? 'folder' : 'other';
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return 'missing';
    throw error;
  }
}

function wouldLose(request: RemoveRequest, obstacles: readonly Obstacle[], doubt: string | undefined): CrewError {
  const final = obstacles.some((obstacle) => obstacle.kind === 'kept');
  const why = obstacles.map((obstacle) => obstacle.reason).join('; ');
  return new CrewError(
    'would_lose_work',
    `${request.path} is kept: ${why}.${doubt === undefined ? '' : ` ${doubt}`}`,
    final
      ? 'Not even force removes it. Look at the folder and remove it by hand if it is not needed.'
      : 'Commit the work, or pass force: true to save it to a salvage ref first.',
  );
}

const timeoutMs = 600_000;

/** Without --force git looks once more, at the last moment. What we put there ourselves it would not forgive. */
async function deregister(request: RemoveRequest): Promise<Removed> {
  const told = await tryGit(repoPlace(request.repo), ['worktree', 'remove', request.path], { timeoutMs });
  if (told.exitCode === 0) {
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
  const told = await tryGit(repoPlace(repo), args, { timeoutMs });
  if (told.exitCode !== 0) throw gitFailed(repoPlace(repo), args, told);
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
    const { facts } = await removalFacts(fresh);
    const [obstacle] = removalVerdict(facts);
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
