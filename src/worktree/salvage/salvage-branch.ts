// Saves a branch that is about to go and is checked out nowhere, as if its worktree were there and clean.

import { isoTime } from '../../model/clock.ts';
import { systemClock } from '../../system/clock.ts';
import { repoPlace } from '../branch.ts';
import type { Repo } from '../inspect.ts';
import { readGit } from '../repo.ts';
import { commitTree, type Salvage, writeSalvage } from './salvage-commit.ts';

export interface BranchToSave {
  readonly branch: string;
  readonly sha: string;
  /** Where it was checked out once. */
  readonly path: string;
  readonly workerId: string;
  readonly reason: string;
  /** Epoch ms; now, unless given. */
  readonly at?: number;
}

export async function saveBranch(repo: Repo, request: BranchToSave): Promise<Salvage> {
  const place = repoPlace(repo);
  const { branch, sha, path, workerId, reason, at = systemClock.now() } = request;
  const tree = (await readGit(place, ['rev-parse', '--verify', `${sha}^{tree}`])).trim();
  const index = await commitTree(place, { tree, parents: [sha], message: 'crewmux salvage: the index\n' });
  const manifest = {
    version: 1 as const,
    worker_id: workerId,
    reason,
    saved_at: isoTime(at),
    path,
    main_repo_path: repo.mainRepoPath,
    branch,
    head: sha,
    index,
    counts: { changed: 0, deleted: 0, untracked: 0, conflicts: 0 },
  };
  return writeSalvage(repo, { tree, parents: [sha, index], manifest });
}
