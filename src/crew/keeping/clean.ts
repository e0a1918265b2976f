// cleanup_worktrees: removes what crewmux made and nobody needs, branches too. Whatever exists nowhere else stays.
import pLimit from 'p-limit';
import { defined } from '../../model/defined.ts';
import { asCrewError, CrewError } from '../../model/errors.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { exists } from '../../system/disk.ts';
import { othersIn } from '../../system/process-traces.ts';
import type { CleanupResult, CleanupView } from '../../wire/worktrees.ts';
import { deleteBranchAt, findBranch } from '../../worktree/git/branch.ts';
import { releaseUnusedFolders } from '../../worktree/git/branch-folder.ts';
import type { Repo } from '../../worktree/git/inspect.ts';
import type { WorktreeMark } from '../../worktree/git/mark.ts';
import type { RegisteredWorktree } from '../../worktree/git/porcelain.ts';
import { registeredWorktrees } from '../../worktree/git/registered.ts';
import { destinationAt, lookForCleanup } from '../../worktree/removal/cleanup.ts';
import {
  type CleanupVerdict,
  cleanupVerdict,
  destinationWords,
  reasonToKeepBranch,
} from '../../worktree/removal/cleanup-verdict.ts';
import type { Destination } from '../../worktree/removal/destination.ts';
import { removeWorktree } from '../../worktree/removal/remove.ts';
import { saveBranch } from '../../worktree/salvage/salvage.ts';
import type { Salvage } from '../../worktree/salvage/salvage-commit.ts';
import { salvageId } from '../../worktree/salvage/salvages.ts';
import { targetsLandedOn } from '../landing/landing-log.ts';
import type { CrewContext } from '../workers/crew-context.ts';
import { holdingTree, ownerOf, workersAt } from '../workers/trees.ts';
import { noteSalvage } from './restore.ts';
import { knownRepos } from './worktrees.ts';

export interface CleanOrder {
  readonly repoPath?: string;
  readonly workers?: readonly string[];
  readonly merged: boolean;
  readonly deleteBranches: boolean;
  /** Only with workers: what was never merged goes too. */
  readonly discard: boolean;
  readonly dryRun: boolean;
}

interface Cleanup {
  readonly context: CrewContext;
  readonly order: CleanOrder;
  /** Ids of the workers in the order; undefined for all workers. */
  readonly asked: ReadonlySet<string> | undefined;
  /** The branches that each worker has landed on. */
  readonly landedOn: ReadonlyMap<string, readonly string[]>;
}

type Cleaned = CleanupView & { readonly removed: boolean };

const oneOfFew = pLimit(4);

export async function cleanupWorktrees(context: CrewContext, order: CleanOrder): Promise<CleanupResult> {
  if (order.discard && order.workers === undefined) throw discardsAll();
  const ids = order.workers?.map((id) => context.roster.resolve(id).id);
  const asked = ids === undefined ? undefined : new Set(ids);
  const cleanup: Cleanup = { context, order, asked, landedOn: await targetsLandedOn(context) };
  const repos = await knownRepos(context, order.repoPath);
  const found = (await Promise.all(repos.map((repo) => cleanRepo(cleanup, repo)))).flat();
  const worktrees = [...found, ...unfound(cleanup, found)];
  return {
    worktrees: worktrees.map(({ removed: _, ...view }) => view),
    removed_count: worktrees.filter(({ removed }) => removed).length,
    dry_run: order.dryRun,
  };
}

const discardsAll = () =>
  new CrewError(
    'invalid_argument',
    'discard was passed without session_ids, and would take the unmerged work of every worker.',
    'Nothing was changed. Pass the workers whose work is to go as session_ids.',
  );

/** Workers in the order that have nothing to clean up. */
function unfound({ context, asked = new Set() }: Cleanup, found: readonly Cleaned[]): readonly Cleaned[] {
  const paths = new Set(found.map(({ path }) => path));
  const left = [...asked]
    .map((id) => context.roster.record(id))
    .filter(({ worktreePath = '' }) => !paths.has(worktreePath));
  return left.map((record) => ({
    path: record.worktreePath ?? record.projectPath,
    action: 'keep',
    reason: record.worktreePath === undefined ? 'it is no worktree of its own' : 'no worktree is there any more',
    worker: nameOf(record),
    branch: record.branch ?? null,
    removed: false,
  }));
}

const nameOf = ({ name, id }: WorkerRecord): string => `${name} (${id})`;

async function cleanRepo(cleanup: Cleanup, repo: Repo): Promise<readonly Cleaned[]> {
  const [, ...linked] = await registeredWorktrees(repo);
  const wanted = linked.filter(({ path }) => isAsked(cleanup, ownerOf(cleanup.context, path)));
  const cleaned = await Promise.all(wanted.map((entry) => oneOfFew(() => cleanOne(cleanup, repo, entry))));
  const seen = new Set(cleaned.map(({ path }) => path));
  const left = (await leftoverBranches(cleanup, repo)).filter(({ path }) => !seen.has(path));
  if (!cleanup.order.dryRun) await releaseUnusedFolders(repo, foldersInUse(cleanup));
  return [...cleaned, ...left];
}

const foldersInUse = ({ context }: Cleanup) =>
  new Set(context.roster.records().flatMap(({ phase, branchFolder }) => (phase === 'closed' ? [] : [branchFolder])));

const isAsked = ({ asked }: Cleanup, owner: WorkerRecord | undefined): boolean =>
  asked === undefined || (owner !== undefined && asked.has(owner.id));

interface Judged {
  readonly verdict: CleanupVerdict;
  readonly owner: WorkerRecord | undefined;
  readonly branch: BranchPlan | undefined;
}

/** In a real run, the lock keeps our workers out of the worktree from the look to the removal. */
function cleanOne(cleanup: Cleanup, repo: Repo, entry: RegisteredWorktree): Promise<Cleaned> {
  const { context, order } = cleanup;
  if (order.dryRun) return judge(cleanup, repo, entry).then((judged) => view(entry, judged));
  return holdingTree(context, entry.path, async () => {
    await context.log.catchUp();
    const judged = await judge(cleanup, repo, entry);
    return judged.verdict.action === 'keep' ? view(entry, judged) : remove(cleanup, { repo, entry, judged });
  });
}

async function judge(cleanup: Cleanup, repo: Repo, entry: RegisteredWorktree): Promise<Judged> {
  const { context, order } = cleanup;
  const owner = ownerOf(context, entry.path);
  const { facts, mark } = await lookForCleanup({
    repo,
    entry,
    isRecorded: owner?.ownsWorktree === true,
    ...defined({ base: owner?.base }),
    landedOn: (owner && cleanup.landedOn.get(owner.id)) ?? [],
    workers: workersAt(context, entry.path).map(({ name }) => name),
    processes: (await othersIn(entry.path, context.me.pid))?.map(({ pid, name }) => `${name} (pid ${pid})`),
  });
  const verdict = cleanupVerdict(facts, order);
  const goes = order.deleteBranches && verdict.action === 'remove';
  const branch = goes
    ? await branchPlan(cleanup, { repo, entry, owner, mark, destination: facts.destination })
    : undefined;
  return { verdict, owner, branch };
}

const view = (entry: RegisteredWorktree, { verdict, owner, branch }: Judged): Cleaned => ({
  path: entry.path,
  ...verdict,
  ...defined({ worker: owner && nameOf(owner) }),
  branch: entry.branch ?? null,
  ...defined({ branch_action: branch?.action, branch_reason: branch?.reason }),
  removed: false,
});

async function remove(
  { context, order }: Cleanup,
  { repo, entry, judged }: { repo: Repo; entry: RegisteredWorktree; judged: Judged },
): Promise<Cleaned> {
  const { verdict, owner, branch } = judged;
  const { path } = entry;
  const workerId = owner?.id ?? '';
  const seen = view(entry, judged);
  const reason = `cleaned up: ${verdict.reason}`;
  try {
    const { salvage } = await removeWorktree({
      repo,
      path,
      force: order.discard,
      workerId,
      reason,
      saves: order.discard || branch?.action === 'delete' ? 'always' : 'needed',
      onSaved: (salvage) => noteSalvage(context, { workerId, path, reason, salvage }),
    });
    if (owner?.ownsWorktree)
      await context.log.append([{ type: 'worktree_removed', workerId, data: { path }, set: { ownsWorktree: false } }]);
    const deleted = branch?.action === 'delete' ? await deleteBranchAt(repo, branch.name, branch.sha) : undefined;
    return { ...seen, removed: true, ...(salvage && saved(salvage)), ...defined({ branch_deleted: deleted }) };
  } catch (thrown) {
    return { ...seen, action: 'keep', reason: asCrewError(thrown).message };
  }
}

const saved = ({ ref }: Salvage) => ({
  salvage: ref,
  restore: `restore_work ${JSON.stringify({ salvage_id: salvageId(ref) })}`,
});

interface BranchPlan {
  readonly name: string;
  readonly sha: string;
  readonly action: 'delete' | 'keep';
  readonly reason: string;
}

interface Candidate {
  readonly repo: Repo;
  readonly entry: Pick<RegisteredWorktree, 'path' | 'branch'>;
  readonly owner: WorkerRecord | undefined;
  readonly mark: WorktreeMark | undefined;
  readonly destination: Destination | undefined;
}

/** Undefined when there is no such branch. */
async function branchPlan({ context, order }: Cleanup, candidate: Candidate): Promise<BranchPlan | undefined> {
  const { repo, entry, owner, mark, destination } = candidate;
  const name = entry.branch;
  const sha = name === undefined ? undefined : await findBranch(repo, name);
  if (name === undefined || sha === undefined) return undefined;
  const worktrees = await registeredWorktrees(repo);
  const based = context.roster
    .records()
    .filter((record) => record.phase !== 'closed' && record.base?.ref === name && record.id !== owner?.id);
  const facts = {
    isOurs:
      (owner?.ownsBranch === true && owner.branch === name) || (mark?.branch_created === true && mark.branch === name),
    checkedOutAt: worktrees
      .filter(({ branch, path }) => branch === name && path !== entry.path)
      .map(({ path }) => path),
    baseOf: based.map((record) => record.name),
    destination,
  };
  const kept = reasonToKeepBranch(facts, order);
  if (kept !== undefined) return { name, sha, action: 'keep', reason: kept };
  return { name, sha, action: 'delete', reason: destination === undefined ? '' : destinationWords(destination) };
}

/** Branches of workers whose worktrees are gone; none unless the order deletes branches. */
async function leftoverBranches(cleanup: Cleanup, repo: Repo): Promise<readonly Cleaned[]> {
  if (!cleanup.order.deleteBranches) return [];
  const closed = cleanup.context.roster
    .records()
    .filter(
      (record) =>
        record.phase === 'closed' &&
        record.ownsBranch === true &&
        record.mainRepoPath === repo.mainRepoPath &&
        isAsked(cleanup, record),
    );
  const cleaned = await Promise.all(closed.map((record) => leftoverBranch(cleanup, repo, record)));
  return cleaned.flatMap((one) => one ?? []);
}

async function leftoverBranch(cleanup: Cleanup, repo: Repo, record: WorkerRecord): Promise<Cleaned | undefined> {
  const { context, landedOn, order } = cleanup;
  const { worktreePath: path, branch } = record;
  if (path === undefined || branch === undefined || (await exists(path))) return undefined;
  return holdingTree(context, path, async () => {
    const commit = await findBranch(repo, branch);
    if (commit === undefined) return undefined;
    const destination = await destinationAt({
      repo,
      branch,
      commit,
      base: record.base,
      landedOn: landedOn.get(record.id) ?? [],
    });
    const plan = await branchPlan(cleanup, {
      repo,
      entry: { path, branch },
      owner: record,
      mark: undefined,
      destination,
    });
    if (plan === undefined) return undefined;
    const seen: Cleaned = {
      path,
      action: plan.action === 'delete' ? 'remove' : 'keep',
      reason: 'its worktree is gone, only the branch is left',
      worker: nameOf(record),
      branch,
      branch_action: plan.action,
      branch_reason: plan.reason,
      removed: false,
    };
    return order.dryRun || plan.action === 'keep'
      ? seen
      : { ...seen, ...(await dropBranch(context, repo, { record, path, plan })) };
  });
}

/** Saves the branch first. `branch_deleted` is false when the branch has moved meanwhile, and then it stays. */
async function dropBranch(
  context: CrewContext,
  repo: Repo,
  { record, path, plan }: { record: WorkerRecord; path: string; plan: BranchPlan },
): Promise<Pick<CleanupView, 'salvage' | 'restore' | 'branch_deleted'>> {
  const { name: branch, sha } = plan;
  const said = { path, workerId: record.id, reason: `branch deleted: ${plan.reason}` };
  const salvage = await saveBranch(repo, { ...said, branch, sha });
  await noteSalvage(context, { ...said, salvage });
  return { ...saved(salvage), branch_deleted: await deleteBranchAt(repo, branch, sha) };
}
