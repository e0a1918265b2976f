// Saves under one ref everything a worktree holds, without touching the worktree, or a branch that is about to go.
import { isoTime } from '../../model/clock.ts';
import { systemClock } from '../../system/clock.ts';
import { repoPlace } from '../git/branch.ts';
import { topOf } from '../git/draft-index.ts';
import { inspectFolder, type Repo } from '../git/inspect.ts';
import { byCrewmux, commitTree, readGit } from '../git/repo.ts';
import { readStatus } from '../state/status.ts';
import { ownTree, strayCommits } from './git-folder.ts';
import { cannotSave, type Manifest, type Salvage, writeSalvage } from './salvage-commit.ts';
import { type SavedTrees, workTrees } from './salvage-trees.ts';
import { isText } from './unsavable.ts';

export interface SaveRequest {
  readonly worktreePath: string;
  readonly repo: Repo;
  readonly workerId: string;
  /** Why it is saved, for whoever finds it later. */
  readonly reason: string;
  /** Epoch ms; now, unless given. */
  readonly at?: number;
}

/**
 * The ref's commit holds the files as they lie on disk, byte for byte; those that git converts it holds as git stores
 * them. Its parents are HEAD, a commit of the index, and one of what git keeps for this worktree alone, with the commits
 * only that knows. Ignored files are not saved. Rejects when anything else could not be brought back exactly.
 */
export async function saveWork(request: SaveRequest): Promise<Salvage & { readonly saved: SavedTrees }> {
  const { repo, worktreePath } = request;
  const folder = await inspectFolder({ path: worktreePath, env: repo.env }, { alsoMoved: true });
  if (folder?.worktreeRoot === undefined || folder.subfolder !== '') {
    throw cannotSave(worktreePath, 'it is not the top of a worktree that git knows');
  }
  const place = topOf(folder);
  const status = await readStatus(place);
  if (status.branch !== undefined && !isText(status.branch)) {
    throw cannotSave(worktreePath, `the name of its branch is not UTF-8: ${status.branch}`);
  }
  const saved = await workTrees(folder, status);
  const [ownFiles, strays, index] = await Promise.all([
    ownTree(folder, { sha: saved.index, converted: saved.converted }),
    strayCommits(folder, folder.gitDir, status.sha),
    commitIndex(repo, { tree: saved.index, head: status.sha }),
  ]);
  const message = 'crewmux salvage: what git kept for the worktree\n';
  const own = await commitTree(place, { tree: ownFiles, parents: strays, message }, byCrewmux);
  const { branch = null, sha: head = null } = status;
  const manifest = { ...saidBy(request), path: worktreePath, branch, head, index, own, counts: saved.counts };
  const parents = [...(head === null ? [] : [head]), index, own];
  return { ...(await writeSalvage(repo, { tree: saved.tree, parents, manifest })), saved };
}

export interface BranchToSave extends Omit<SaveRequest, 'worktreePath' | 'repo'> {
  readonly branch: string;
  readonly sha: string;
  /** Where it was checked out once. */
  readonly path: string;
}

/** The same of a branch that is checked out nowhere, as if its worktree were there and clean. */
export async function saveBranch(repo: Repo, request: BranchToSave): Promise<Salvage> {
  const { branch, sha: head, path } = request;
  const tree = (await readGit(repoPlace(repo), ['rev-parse', '--verify', `${head}^{tree}`])).trim();
  const index = await commitIndex(repo, { tree, head });
  const counts = { changed: 0, deleted: 0, untracked: 0, conflicts: 0 };
  const manifest = { ...saidBy({ ...request, repo }), path, branch, head, index, counts };
  return writeSalvage(repo, { tree, parents: [head, index], manifest });
}

const saidBy = ({ repo, workerId, reason, at }: Omit<SaveRequest, 'worktreePath'>) =>
  ({
    version: 1,
    worker_id: workerId,
    reason,
    saved_at: isoTime(at ?? systemClock.now()),
    main_repo_path: repo.mainRepoPath,
  }) satisfies Partial<Manifest>;

const commitIndex = (repo: Repo, { tree, head }: { readonly tree: string; readonly head: string | undefined }) => {
  const parents = head === undefined ? [] : [head];
  return commitTree(repoPlace(repo), { tree, parents, message: 'crewmux salvage: the index\n' }, byCrewmux);
};
