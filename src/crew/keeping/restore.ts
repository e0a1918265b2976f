// restore_work: lists salvages, or restores one as a worktree. crewmux notes each salvage that it makes in its own book.
import { join, relative } from 'node:path';
import { defined } from '../../model/defined.ts';
import { CrewError } from '../../model/errors.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { enterSalvage, madeSalvages } from '../../store/salvage-book.ts';
import { exists } from '../../system/disk.ts';
import type { RestoreResult, SalvageView } from '../../wire/worktrees.ts';
import { ownBranchFolder } from '../../worktree/git/branch-folder.ts';
import type { Repo } from '../../worktree/git/inspect.ts';
import { ownFolderOf } from '../../worktree/git/slug.ts';
import { type Restored, restoreSalvage } from '../../worktree/salvage/restore.ts';
import type { Salvage } from '../../worktree/salvage/salvage-commit.ts';
import { type FoundSalvage, listSalvages, salvageNamed } from '../../worktree/salvage/salvages.ts';
import type { CrewContext } from '../workers/crew-context.ts';
import { holdingTree } from '../workers/trees.ts';
import { knownRepos } from './worktrees.ts';

export interface RestoreOrder {
  /** Without one, salvages are only listed. */
  readonly salvageId?: string;
  readonly repoPath?: string;
}

type InRepo = FoundSalvage & { readonly repo: Repo; readonly isOurs: boolean };

export async function restoreWork(context: CrewContext, order: RestoreOrder): Promise<RestoreResult> {
  const repos = await knownRepos(context, order.repoPath);
  const isOurs = await knownSalvages(context);
  const inRepo = async (repo: Repo): Promise<readonly InRepo[]> =>
    (await listSalvages(repo)).map((salvage) => ({ ...salvage, repo, isOurs: isOurs(salvage) }));
  const found = (await Promise.all(repos.map(inRepo))).flat();
  const newest = found.toSorted((a, b) => b.manifest.saved_at.localeCompare(a.manifest.saved_at));
  if (order.salvageId === undefined) {
    return { salvages: newest.map((salvage) => viewOf(context, salvage)), count: newest.length };
  }
  const salvage = onlyOne(order.salvageId, newest);
  // One restore at a time in a repository: two would choose the same branch.
  const restored = await holdingTree(context, salvage.repo.gitCommonDir, () =>
    holdingTree(context, salvage.manifest.path, () => bringBack(context, salvage)),
  );
  return { salvages: [viewOf(context, salvage)], count: 1, restored };
}

function onlyOne(asked: string, found: readonly InRepo[]): InRepo {
  const names = new Set(salvageNamed(asked, found).map(({ ref }) => ref));
  const [only, ...more] = found.filter(({ ref }) => names.has(ref));
  if (only === undefined || more.length > 0) {
    throw new CrewError(
      'invalid_argument',
      `Several repositories have a salvage ${JSON.stringify(asked)}: ${[only, ...more].map((one) => one?.repo.mainRepoPath).join(', ')}.`,
      'Pass repo_path too.',
    );
  }
  return only;
}

const recordOf = (context: CrewContext, { manifest, isOurs }: InRepo): WorkerRecord | undefined =>
  isOurs ? context.roster.records().find(({ id }) => id === manifest.worker_id) : undefined;

function viewOf(context: CrewContext, salvage: InRepo): SalvageView {
  const { id, ref, manifest, repo, isOurs } = salvage;
  const worker = recordOf(context, salvage);
  return {
    salvage_id: id,
    ref,
    ours: isOurs,
    repo_path: repo.mainRepoPath,
    ...defined({
      session_id: isOurs && manifest.worker_id !== '' ? manifest.worker_id : undefined,
      name: worker?.name,
    }),
    saved_at: manifest.saved_at,
    reason: manifest.reason,
    branch: manifest.branch,
    head: manifest.head,
    path: manifest.path,
    files_changed: manifest.counts.changed,
    files_deleted: manifest.counts.deleted,
    files_untracked: manifest.counts.untracked,
    conflicts: manifest.counts.conflicts,
  };
}

async function bringBack(context: CrewContext, salvage: InRepo): Promise<NonNullable<RestoreResult['restored']>> {
  const { repo, manifest, ref, isOurs } = salvage;
  await context.log.catchUp();
  const worker = recordOf(context, salvage);
  // Before the restore, which may put something there.
  const wasFree = !(await exists(manifest.path));
  const root = context.settingsFor(repo.mainRepoPath).settings.worktrees.dir;
  const restored = await restoreSalvage({ repo, salvage, isOurs, root });
  const goesOn = worker !== undefined && canGoOn(worker) && (wasFree || !(await exists(worker.worktreePath ?? '')));
  const data = { ref, path: restored.path, exact: restored.exact };
  const workerId = worker?.id ?? (isOurs ? manifest.worker_id : '');
  const branchFolder = goesOn ? await folderAfter(repo, worker, restored) : undefined;
  const set = goesOn ? { ...placeIn(worker, restored), branchFolder: branchFolder ?? null } : undefined;
  await context.log.append([{ type: 'restored', workerId, data, ...defined({ set }) }]);
  return {
    path: restored.path,
    at_original_path: restored.path === manifest.path,
    branch: restored.branch ?? null,
    head: restored.head ?? null,
    exact: restored.exact,
    notes: restored.notes,
    next: goesOn
      ? `restart_workers ${JSON.stringify({ session_ids: [worker.id] })} lets ${worker.name} go on there.`
      : `spawn_workers ${JSON.stringify({ workers: [{ project_path: restored.path, use_worktree: false }] })} starts a worker there.`,
  };
}

/** A live worker works elsewhere, so its record keeps its place. */
const canGoOn = ({ phase }: WorkerRecord): boolean => phase === 'closed' || phase === 'dead';

function placeIn(worker: WorkerRecord, { path, gitDir, branch }: Restored) {
  const inside = worker.worktreePath === undefined ? '' : relative(worker.worktreePath, worker.projectPath);
  return {
    worktreePath: path,
    worktreeGitDir: gitDir,
    projectPath: inside.startsWith('..') ? path : join(path, inside),
    ownsWorktree: true,
    branch: branch ?? null,
  };
}

/** Its own folder holds the branches that it has made itself, too. */
async function folderAfter(repo: Repo, { branchFolder }: WorkerRecord, { branch }: Restored) {
  if (branch === undefined) return undefined;
  return ownFolderOf(branch) === branchFolder ? branchFolder : ownBranchFolder(repo, branch);
}

export async function noteSalvage(
  context: CrewContext,
  saved: { readonly workerId: string; readonly path: string; readonly reason: string; readonly salvage: Salvage },
): Promise<void> {
  const { workerId, path, reason, salvage } = saved;
  await enterSalvage(context.home, salvage);
  const data = { ref: salvage.ref, sha: salvage.sha, path, reason };
  await context.log.append([{ type: 'salvaged', workerId, data }]);
}

/** Tells whether crewmux made a salvage. Any program that can write to a repository can make or move such a ref. */
export async function knownSalvages(context: CrewContext): Promise<(salvage: Salvage) => boolean> {
  await context.log.catchUp();
  // An earlier release wrote events alone.
  const events = (await context.log.since(0)).filter(({ type }) => type === 'salvaged').map(({ data }) => data);
  const made = [...(await madeSalvages(context.home)), ...events];
  const known = new Set(made.map(({ ref, sha }) => `${String(ref)} ${String(sha)}`));
  return ({ ref, sha }) => known.has(`${ref} ${sha}`);
}
