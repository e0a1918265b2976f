// What a branch would be with its base's new commits in it, made beside its worktree.
import { CrewError } from '../../model/errors.ts';
import type { SyncFacts, SyncPlan } from '../../model/train.ts';
import { createRef, repoPlace } from '../git/branch.ts';
import type { Repo } from '../git/inspect.ts';
import { readGit } from '../git/repo.ts';
import { numbered } from '../git/slug.ts';
import { mergeTrees, stage } from './stage.ts';

export interface SyncTips {
  /** The branch's own commit, and the base's. */
  readonly own: string;
  readonly base: string;
}

export async function syncFacts(repo: Repo, { own, base }: SyncTips): Promise<Omit<SyncFacts, 'asked'>> {
  const count = async (...args: readonly string[]) =>
    Number((await readGit(repoPlace(repo), ['rev-list', '--count', ...args])).trim());
  const [ahead, behind, unpushed] = await Promise.all([
    count(own, `^${base}`),
    count(base, `^${own}`),
    count(own, `^${base}`, '--not', '--remotes'),
  ]);
  return { ahead, behind, isPublished: unpushed < ahead };
}

export interface BranchSync extends SyncTips {
  readonly repo: Repo;
  readonly plan: Exclude<SyncPlan['do'], 'nothing'>;
  /** Of a merge commit. */
  readonly message: string;
  /** A folder of ours that does not exist yet. */
  readonly scratchPath: string;
}

export interface Synced {
  /** Undefined where it cannot be. */
  readonly commit?: string;
  readonly conflicts: readonly string[];
  /** Why not, where no file conflicts. */
  readonly reason?: string;
}

/** Moves no ref and touches no worktree that was there before. */
export async function syncedCommit(order: BranchSync): Promise<Synced> {
  const { repo, own, base, plan } = order;
  if (plan === 'forward') return { commit: base, conflicts: [] };
  const isRebase = plan === 'rebase';
  const { staged, conflicts } = await stage({
    ...order,
    ...(isRebase ? { target: base, source: own } : { target: own, source: base }),
    strategy: isRebase ? 'ff-only' : 'merge',
  });
  if (staged.commit === undefined) return { conflicts };
  if (isRebase && (await losesMerge(repo, order, staged.commit))) return { conflicts: [], reason: lost };
  return { commit: staged.commit, conflicts: [] };
}

const lost = 'the branch has merge commits with changes of their own, which a rebase would drop';

/** A rebase leaves merge commits out, and with them how their conflicts were solved. */
export async function losesMerge(repo: Repo, { own, base }: SyncTips, rebased: string): Promise<boolean> {
  const place = repoPlace(repo);
  const merges = await readGit(place, ['rev-list', '--merges', '--max-count=1', own, `^${base}`]);
  if (merges.trim() === '') return false;
  const [{ tree }, made] = await Promise.all([
    mergeTrees(repo, base, own),
    readGit(place, ['rev-parse', `${rebased}^{tree}`]),
  ]);
  return tree !== made.trim();
}

export const beforeSyncPrefix = 'refs/crewmux/before-sync/';

/** Keeps the commit reachable; returns the ref. */
export async function keepTip(repo: Repo, kept: { workerId: string; sha: string; time: string }): Promise<string> {
  const name = `${beforeSyncPrefix}${kept.workerId}/${kept.time.replace(/[-:]|\.\d+/g, '')}`;
  for (let attempt = 1; attempt <= 100; attempt++) {
    const ref = numbered(name, attempt);
    if (await createRef(repo, { ref, sha: kept.sha, why: 'crewmux: before a sync' })) return ref;
  }
  throw new CrewError(
    'git_failed',
    `git would not make ${name}.`,
    'Nothing was changed. See what lies there, by hand.',
  );
}
