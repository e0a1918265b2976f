// Branches that go with their worktrees, or were left behind by them: ours alone, and never without a salvage.

import type { WorkerRecord } from '../../model/worker.ts';
import { exists } from '../../system/disk.ts';
import type { CleanupView } from '../../wire/worktrees.ts';
import { deleteBranchAt, findBranch } from '../../worktree/branch.ts';
import type { Repo } from '../../worktree/inspect.ts';
import type { Mark } from '../../worktree/mark.ts';
import type { RegisteredWorktree } from '../../worktree/porcelain.ts';
import { fateAt } from '../../worktree/removal/cleanup.ts';
import { fateWords, reasonToKeepBranch } from '../../worktree/removal/cleanup-verdict.ts';
import { registeredWorktrees } from '../../worktree/removal/facts.ts';
import type { Fate } from '../../worktree/removal/fate.ts';
import { saveBranch } from '../../worktree/salvage/salvage.ts';
import type { CleanOrder } from '../orders.ts';
import type { CrewContext } from '../workers/roster.ts';
import { noteSalvage } from './salvaged.ts';
import { holdingTree } from './tree-lock.ts';

export interface Cleanup {
  readonly context: CrewContext;
  readonly order: CleanOrder;
  /** Ids of the workers asked for; all when undefined. */
  readonly asked: ReadonlySet<string> | undefined;
  /** Branches each worker has landed on. */
  readonly landedOn: ReadonlyMap<string, readonly string[]>;
}

export type Cleaned = CleanupView & { readonly removed: boolean };

export interface BranchPlan {
  readonly name: string;
  readonly sha: string;
  readonly action: 'delete' | 'keep';
  readonly reason: string;
}

interface Candidate {
  readonly repo: Repo;
  readonly entry: Pick<RegisteredWorktree, 'path' | 'branch'>;
  readonly owner: WorkerRecord | undefined;
  readonly mark: Mark | undefined;
  readonly fate: Fate | undefined;
}

/** Undefined when there is no such branch. */
export async function branchPlan(cleanup: Cleanup, candidate: Candidate): Promise<BranchPlan | undefined> {
  const { repo, entry, owner, mark, fate } = candidate;
  const name = entry.branch;
  const sha = name === undefined ? undefined : await findBranch(repo, name);
  if (name === undefined || sha === undefined) return undefined;
  const elsewhere = (await registeredWorktrees(repo)).filter(
    (each) => each.branch === name && each.path !== entry.path,
  );
  const kept = reasonToKeepBranch({
    isOurs:
      (owner?.ownsBranch === true && owner.branch === name) || (mark?.branch_created === true && mark.branch === name),
    checkedOutAt: elsewhere.map(({ path }) => path),
    baseOf: cleanup.context.roster
      .records()
      .filter((record) => record.phase !== 'closed' && record.base?.ref === name && record.id !== owner?.id)
      .map((record) => record.name),
    fate,
  });
  if (kept !== undefined) return { name, sha, action: 'keep', reason: kept };
  return { name, sha, action: 'delete', reason: fate === undefined ? '' : fateWords(fate) };
}

/** False when it moved meanwhile; it is kept then. */
export const deleteBranch = (repo: Repo, { name, sha }: BranchPlan): Promise<boolean> =>
  deleteBranchAt(repo, name, sha);

/** Branches of workers whose worktrees are gone; only looked for when branches are to go. */
export async function leftoverBranches(cleanup: Cleanup, repo: Repo): Promise<readonly Cleaned[]> {
  const { context, order, asked } = cleanup;
  if (!order.deleteBranches) return [];
  const closed = context.roster
    .records()
    .filter(
      (record) =>
        record.phase === 'closed' &&
        record.ownsBranch === true &&
        record.mainRepoPath === repo.mainRepoPath &&
        (asked === undefined || asked.has(record.id)),
    );
  const cleaned = await Promise.all(closed.map((record) => leftoverBranch(cleanup, repo, record)));
  return cleaned.flatMap((one) => (one === undefined ? [] : [one]));
}

async function leftoverBranch(cleanup: Cleanup, repo: Repo, record: WorkerRecord): Promise<Cleaned | undefined> {
  const { worktreePath: path, branch } = record;
  if (path === undefined || branch === undefined || (await exists(path))) return undefined;
  return holdingTree(cleanup.context, path, async () => {
    const commit = await findBranch(repo, branch);
    if (commit === undefined) return undefined;
    const landedOn = cleanup.landedOn.get(record.id) ?? [];
    const fate = await fateAt({ repo, branch, commit, base: record.base, landedOn });
    const plan = await branchPlan(cleanup, { repo, entry: { path, branch }, owner: record, mark: undefined, fate });
    return plan === undefined ? undefined : dropLeftover(cleanup, repo, { record, path, plan });
  });
}

async function dropLeftover(
  { context, order }: Cleanup,
  repo: Repo,
  { record, path, plan }: { record: WorkerRecord; path: string; plan: BranchPlan },
): Promise<Cleaned> {
  const seen: Cleaned = {
    path,
    action: plan.action === 'delete' ? 'remove' : 'keep',
    reason: 'its worktree is gone, only the branch is left',
    worker: `${record.name} (${record.id})`,
    branch: plan.name,
    branch_action: plan.action,
    branch_reason: plan.reason,
    removed: false,
  };
  if (order.dryRun || plan.action === 'keep') return seen;
  const reason = `branch deleted: ${plan.reason}`;
  const salvage = await saveBranch(repo, { branch: plan.name, sha: plan.sha, path, workerId: record.id, reason });
  await noteSalvage(context, { workerId: record.id, path, reason, salvage });
  return { ...seen, salvage: salvage.ref, branch_deleted: await deleteBranch(repo, plan) };
}
