// Reads the facts that decide whether cleanup_worktrees removes a worktree and its branch.

import { defined } from '../../model/defined.ts';
import { messageOf } from '../../model/errors.ts';
import { repoPlace } from '../git/branch.ts';
import type { Repo } from '../git/inspect.ts';
import { readMark, type WorktreeMark } from '../git/mark.ts';
import type { RegisteredWorktree } from '../git/porcelain.ts';
import { tryReadGit } from '../git/repo.ts';
import type { CleanupFacts } from './cleanup-verdict.ts';
import { type Destination, destinationOf } from './destination.ts';
import { removalFacts } from './facts.ts';
import { removalVerdict } from './verdict.ts';

export interface CleanupLook {
  readonly repo: Repo;
  readonly entry: RegisteredWorktree;
  /** By our records; the mark in the worktree says so as well. */
  readonly isRecorded: boolean;
  readonly base?: WorktreeMark['base'];
  /** Branches its work has landed on. */
  readonly landedOn: readonly string[];
  readonly workers: readonly string[];
  readonly processes: readonly string[] | undefined;
}

export interface CleanupState {
  readonly facts: CleanupFacts;
  readonly mark: WorktreeMark | undefined;
}

/** Never rejects: what cannot be read is a fact too. */
export async function lookForCleanup(look: CleanupLook): Promise<CleanupState> {
  const { repo, entry, workers, processes } = look;
  const mark = await readMark(repo, entry.path);
  const isOurs = look.isRecorded || mark !== undefined;
  const others = { isOurs, workers, processes, isDetached: entry.branch === undefined };
  if (!isOurs) return { mark, facts: { ...others, obstacles: [], destination: undefined } };
  try {
    const base = look.base ?? mark?.base;
    const { facts, doubt } = await removalFacts({ repo, path: entry.path });
    const obstacles = removalVerdict(facts).map((obstacle) =>
      doubt === undefined ? obstacle : { ...obstacle, reason: `${obstacle.reason} (${doubt})` },
    );
    const commit = facts.state?.headSha ?? entry.sha;
    const destination =
      commit === undefined ? undefined : await destinationAt({ ...look, branch: entry.branch, commit, base });
    return { mark, facts: { ...others, isDetached: facts.isDetached, obstacles, destination } };
  } catch (thrown) {
    const reason = `it cannot be looked at: ${messageOf(thrown)}`;
    return { mark, facts: { ...others, obstacles: [{ kind: 'kept', reason }], destination: undefined } };
  }
}

interface DestinationQuestion {
  readonly repo: Repo;
  readonly branch: string | undefined;
  readonly commit: string;
  readonly base: WorktreeMark['base'] | undefined;
  readonly landedOn: readonly string[];
}

/** The branch it was begun from, those it has landed on, and the repository's current one are what work is meant for. */
export async function destinationAt({
  repo,
  branch,
  commit,
  base,
  landedOn,
}: DestinationQuestion): Promise<Destination> {
  const current = await tryReadGit(repoPlace(repo), ['symbolic-ref', '--quiet', '--short', 'HEAD']);
  return destinationOf({
    repo,
    commit,
    targets: [...(base === undefined ? [] : [base.ref]), ...landedOn, current.stdout.trim()],
    ...defined({ branch, start: base?.sha }),
  });
}
