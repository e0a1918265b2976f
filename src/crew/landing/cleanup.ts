// cleanup_worktrees: what is left over and held nowhere else stays, everything else of ours goes.

import pLimit from 'p-limit';
import { asCrewError } from '../../model/errors.ts';
import { processesIn } from '../../system/process-sight.ts';
import type { CleanupResult } from '../../wire/worktrees.ts';
import type { Repo } from '../../worktree/inspect.ts';
import type { RegisteredWorktree } from '../../worktree/porcelain.ts';
import { lookForCleanup } from '../../worktree/removal/cleanup.ts';
import { cleanupVerdict, type Verdict } from '../../worktree/removal/cleanup-verdict.ts';
import { registeredWorktrees } from '../../worktree/removal/facts.ts';
import { removeWorktree } from '../../worktree/removal/remove.ts';
import type { CleanOrder } from '../orders.ts';
import type { CrewContext } from '../workers/roster.ts';
import {
  type BranchPlan,
  branchPlan,
  type Cleaned,
  type Cleanup,
  deleteBranch,
  leftoverBranches,
} from './cleanup-branches.ts';
import { knownRepos } from './known-repos.ts';
import { noteSalvage } from './salvaged.ts';
import { holdingTree } from './tree-lock.ts';
import { ownerOf, workersAt } from './tree-owner.ts';

const oneOfFew = pLimit(4);

export async function cleanupWorktrees(context: CrewContext, order: CleanOrder): Promise<CleanupResult> {
  const ids = order.workers?.map((id) => context.roster.resolve(id).id);
  const asked = ids === undefined ? undefined : new Set(ids);
  const cleanup = { context, order, asked, landedOn: await landings(context) };
  const repos = await knownRepos(context, order.repoPath);
  const found = (await Promise.all(repos.map((repo) => cleanRepo(cleanup, repo)))).flat();
  const worktrees = [...found, ...unfound(cleanup, found)];
  const removed = worktrees.filter(({ removed }) => removed);
  return {
    worktrees: worktrees.map(({ removed: _, ...view }) => view),
    removed_count: removed.length,
    dry_run: order.dryRun,
  };
}

/** Workers that were asked for and have nothing to clean up. */
function unfound({ context, asked = new Set() }: Cleanup, found: readonly Cleaned[]): readonly Cleaned[] {
  const paths = new Set(found.map(({ path }) => path));
  const left = [...asked]
    .map((id) => context.roster.record(id))
    .filter(({ worktreePath = '' }) => !paths.has(worktreePath));
  return left.map(({ id, name, worktreePath, projectPath, branch = null }) => ({
    path: worktreePath ?? projectPath,
    action: 'keep',
    reason: worktreePath === undefined ? 'it is no worktree of its own' : 'no worktree is there any more',
    worker: `${name} (${id})`,
    branch,
    removed: false,
  }));
}

async function cleanRepo(cleanup: Cleanup, repo: Repo): Promise<readonly Cleaned[]> {
  const [, ...linked] = await registeredWorktrees(repo);
  const wanted = linked.filter((entry) => isAsked(cleanup, entry.path));
  const cleaned = await Promise.all(wanted.map((entry) => oneOfFew(() => cleanOne(cleanup, repo, entry))));
  const seen = new Set(cleaned.map(({ path }) => path));
  return [...cleaned, ...(await leftoverBranches(cleanup, repo)).filter(({ path }) => !seen.has(path))];
}

function isAsked({ context, asked }: Cleanup, path: string): boolean {
  const owner = ownerOf(context, path);
  return asked === undefined || (owner !== undefined && asked.has(owner.id));
}

/** Looks, judges, and on a real run does it; nobody of ours enters the worktree meanwhile. */
function cleanOne(cleanup: Cleanup, repo: Repo, entry: RegisteredWorktree): Promise<Cleaned> {
  const { context, order } = cleanup;
  const judge = async (): Promise<Judged> => {
    const owner = ownerOf(context, entry.path);
    const { facts, mark } = await lookForCleanup({
      repo,
      entry,
      isRecorded: owner?.ownsWorktree === true,
      ...(owner?.base === undefined ? {} : { base: owner.base }),
      landedOn: (owner && cleanup.landedOn.get(owner.id)) ?? [],
      workers: workersAt(context, entry.path).map(({ name }) => name),
      processes: (await processesIn(entry.path))?.map(({ pid, name }) => `${name} (pid ${pid})`),
    });
    const verdict = cleanupVerdict(facts, order);
    const goes = order.deleteBranches && verdict.action === 'remove' && entry.branch !== undefined;
    const branch = goes ? await branchPlan(cleanup, { repo, entry, owner, mark, fate: facts.fate }) : undefined;
    return { verdict, owner, branch };
  };
  if (order.dryRun) return judge().then((judged) => view(entry, judged));
  return holdingTree(context, entry.path, async () => {
    await context.log.catchUp();
    const judged = await judge();
    return judged.verdict.action === 'keep' ? view(entry, judged) : remove(context, { repo, entry, judged });
  });
}

interface Judged {
  readonly verdict: Verdict;
  readonly owner: ReturnType<typeof ownerOf>;
  readonly branch: BranchPlan | undefined;
}

const view = (entry: RegisteredWorktree, { verdict, owner, branch }: Judged): Cleaned => ({
  path: entry.path,
  ...verdict,
  ...(owner === undefined ? {} : { worker: `${owner.name} (${owner.id})` }),
  branch: entry.branch ?? null,
  ...(branch === undefined ? {} : { branch_action: branch.action, branch_reason: branch.reason }),
  removed: false,
});

async function remove(
  context: CrewContext,
  { repo, entry, judged }: { repo: Repo; entry: RegisteredWorktree; judged: Judged },
): Promise<Cleaned> {
  const { verdict, owner, branch } = judged;
  const workerId = owner?.id ?? '';
  const seen = view(entry, judged);
  const reason = `cleaned up: ${verdict.reason}`;
  try {
    const { salvage } = await removeWorktree({
      repo,
      path: entry.path,
      force: false,
      workerId,
      reason,
      saves: branch?.action === 'delete' ? 'always' : 'needed',
      onSaved: (salvage) => noteSalvage(context, { workerId, path: entry.path, reason, salvage }),
      ...(owner?.base === undefined ? {} : { base: owner.base }),
    });
    if (owner?.ownsWorktree) await noteRemoved(context, owner.id, entry.path);
    const deleted = branch?.action === 'delete' ? { branch_deleted: await deleteBranch(repo, branch) } : {};
    return { ...seen, removed: true, ...(salvage === undefined ? {} : { salvage: salvage.ref }), ...deleted };
  } catch (thrown) {
    return { ...seen, action: 'keep', reason: asCrewError(thrown).message };
  }
}

const noteRemoved = (context: CrewContext, workerId: string, path: string) =>
  context.log.append([{ type: 'worktree_removed', workerId, data: { path }, set: { ownsWorktree: false } }]);

async function landings(context: CrewContext): Promise<ReadonlyMap<string, readonly string[]>> {
  const events = await context.log.since(0);
  const landed = new Map<string, readonly string[]>();
  for (const { type, workerId, data } of events) {
    if (type !== 'landed' || typeof data.target !== 'string') continue;
    landed.set(workerId, [...(landed.get(workerId) ?? []), data.target]);
  }
  return landed;
}
