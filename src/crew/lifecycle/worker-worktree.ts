// A worker's folder: makes the worktree of a new worker, and brings back that of one that returns.

import { join } from 'node:path';
import { defined } from '../../model/defined.ts';
import { CrewError } from '../../model/errors.ts';
import type { RecordChange } from '../../model/event.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { exists } from '../../system/disk.ts';
import { repoPlace } from '../../worktree/git/branch.ts';
import { keepBranchFolder } from '../../worktree/git/branch-folder.ts';
import { inspectFolder } from '../../worktree/git/inspect.ts';
import { tryReadGit } from '../../worktree/git/repo.ts';
import { branchIn } from '../../worktree/git/tips.ts';
import { type AddedWorktree, addWorktree, readdWorktree } from '../../worktree/making/add.ts';
import { whyBranchless } from '../../worktree/making/parent-branch.ts';
import { prepareWorktree } from '../../worktree/making/prepare.ts';
import { unfilled } from '../../worktree/making/unfilled.ts';
import { discardFresh, spawnFailed } from '../../worktree/removal/remove.ts';
import { bringAlong } from '../../worktree/salvage/bring-along.ts';
import { holdsFiles, type Salvage } from '../../worktree/salvage/salvage-commit.ts';
import { listSalvages } from '../../worktree/salvage/salvages.ts';
import { knownSalvages, noteSalvage } from '../keeping/restore.ts';
import { type CommitFixing, fixCommits, fixWatched } from '../landing/fixed-commits.ts';
import type { Run } from '../orders.ts';
import type { CrewContext } from '../workers/crew-context.ts';
import { refuseMoved, type Uses } from '../workers/tips.ts';
import { enterTree } from '../workers/trees.ts';
import type { WorkerDraft } from './draft.ts';
import { type ForkStart, forkStart } from './fork-start.ts';
import { runSetup } from './setup-commands.ts';

interface Making {
  /** Names the step under way, for whoever reports a failure. */
  readonly at: { step: string };
  readonly onMade: (discard: () => Promise<void>) => void;
  readonly run: Run;
}

/** Makes the worktree of a new worker and writes it into the record; resolves to warnings. */
export async function makeWorktree(
  context: CrewContext,
  draft: WorkerDraft,
  { at, onMade, run }: Making,
): Promise<readonly string[]> {
  at.step = 'worktree';
  const { order, folder, settings } = draft;
  if (!order.useWorktree || folder === undefined) {
    await enterTree(context, draft);
    return [];
  }
  const fork = await forkStart(context, draft, folder);
  const worktree = await addWorktree({
    folder,
    root: settings.worktrees.dir,
    name: {
      workerName: draft.name,
      workerId: draft.id,
      ...defined({ bead: order.bead, annotation: order.annotation }),
    },
    ...defined({ branch: order.worktree?.branch, base: order.worktree?.base, from: fork?.from }),
    onBase: async (base) => {
      await refuseMoved(context, folder, usedBy(base));
      await fixBase({ context, repo: folder, run }, { sha: base.sha, isSandboxed: draft.sandbox.isOn });
    },
  });
  const saved = { workerId: draft.id, path: worktree.path, reason: spawnFailed };
  onMade(async () => {
    const onSaved = (salvage: Salvage) => noteSalvage(context, { ...saved, salvage });
    const { removed, reason } = await discardFresh({ repo: folder, ...worktree, workerId: draft.id, onSaved });
    if (!removed) throw new Error(reason ?? worktree.path);
  });
  const set = placeOf(draft, worktree, fork);
  const data = { worktree: worktree.path };
  await context.log.append([{ type: 'worker_spawning', workerId: draft.id, data, set }]);
  if (fork?.along !== undefined) await bringAlong(folder, worktree, fork.along);
  at.step = 'setup';
  const { missing } = await prepareWorktree({
    repo: folder,
    worktreePath: worktree.path,
    copyFiles: [...(await localFiles(draft)), ...settings.worktrees.copy_files, ...(order.copyFiles ?? [])],
    symlinkDirs: [...settings.worktrees.symlink_dirs, ...(order.symlinkDirs ?? [])],
    // Git's own work, which writes settings of the repository.
    setupCommands: settings.worktrees.submodules ? ['git submodule update --init --recursive'] : [],
    env: draft.env,
  });
  await runSetup(context, draft, { folder, path: worktree.path });
  const branchless = fork?.from === undefined ? await whyBranchless(folder, worktree.base) : undefined;
  const left = await unfilled({ path: worktree.path, env: context.environment.git });
  return [
    ...(fork?.warnings ?? []),
    ...missing.map((path) => `${draft.name}: ${path} is not in ${folder.mainRepoPath}, so it was not brought along.`),
    ...(branchless === undefined ? [] : [branchlessWords(draft.name, branchless)]),
    ...left.map((words) => `${draft.name}: ${words}`),
  ];
}

const branchlessWords = (name: string, why: string): string =>
  `${name}: ${why}, so its work belongs to no branch: name one with into of merge_worker, from of sync_worker, base of open_pull_request.`;

/** A worker without a sandbox starts from what those in one may have forged. */
const fixBase = (
  fixing: CommitFixing,
  { sha, isSandboxed }: { readonly sha: string; readonly isSandboxed: boolean },
): Promise<void> => (isSandboxed ? fixCommits(fixing, [sha]) : fixWatched(fixing, () => [sha]));

/** As at its start, with the commits that the base of a worker that returns has by now. */
export async function fixBaseAgain(context: CrewContext, record: WorkerRecord, run: Run): Promise<void> {
  const { mainRepoPath, worktreePath, base } = record;
  if (mainRepoPath === undefined || worktreePath === undefined || base === undefined) return;
  const repo = await inspectFolder({ path: mainRepoPath, env: context.environment.git });
  if (repo === undefined) return;
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${base.ref}^{commit}`];
  const sha = (await tryReadGit(repoPlace(repo), args)).stdout.trim() || base.sha;
  if (sha !== undefined) await fixWatched({ context, repo, run }, () => [sha]);
}

/** The local branch that its base names; the commit too, where that is the branch itself. */
function usedBy({ ref, sha }: AddedWorktree['base']): Uses {
  const branch = branchIn(ref);
  return new Map([[branch, ref.endsWith(branch) ? sha : undefined]]);
}

/** The agent's own files in the project, with all that its user allows; without them every worker would ask again. */
async function localFiles({ agent, folder }: WorkerDraft): Promise<readonly string[]> {
  if (folder === undefined || folder.isBare) return [];
  const there = await Promise.all(agent.localFiles.map((path) => exists(join(folder.mainRepoPath, path))));
  return agent.localFiles.filter((_, index) => there[index]);
}

const hasForked = ({ base }: AddedWorktree, fork: ForkStart | undefined): fork is ForkStart => base === fork?.from;

const placeOf = ({ folder }: WorkerDraft, worktree: AddedWorktree, fork: ForkStart | undefined): RecordChange => ({
  projectPath: join(worktree.path, folder?.subfolder ?? ''),
  worktreePath: worktree.path,
  worktreeGitDir: worktree.gitDir,
  ownsWorktree: true,
  ownsBranch: worktree.branchCreated,
  branch: worktree.branch,
  ...defined({ branchFolder: worktree.branchFolder }),
  ...(hasForked(worktree, fork) ? { base: fork.base, begunAt: worktree.base } : { base: worktree.base }),
});

/**
 * Makes the worktree of a closed worker again from its branch, which has everything; false where it is not gone. The
 * folder of its branch is there afterwards.
 */
export async function bringBackWorktree(context: CrewContext, record: WorkerRecord): Promise<boolean> {
  const { worktreePath: path, branch, branchFolder, mainRepoPath } = record;
  if (path === undefined || branch === undefined || mainRepoPath === undefined) return false;
  const isThere = await exists(path);
  if (isThere && branchFolder === undefined) return false;
  const folder = await inspectFolder({ path: mainRepoPath, env: context.environment.git });
  if (folder === undefined) return false;
  if (branchFolder !== undefined) await keepBranchFolder(folder, branchFolder);
  if (isThere) return false;
  await readdWorktree(folder, { path, branch });
  return true;
}

/** Throws `worktree_failed` where the folder of a worker that returns is gone. */
export async function mustHaveFolder(record: WorkerRecord): Promise<void> {
  const { projectPath: path } = record;
  if (await exists(path)) return;
  throw new CrewError(
    'worktree_failed',
    `The folder ${record.name} worked in is gone: ${path}.`,
    record.branch === undefined
      ? 'Spawn a new worker in the project.'
      : `Spawn a new worker with worktree {"branch": ${JSON.stringify(record.branch)}} and resume ${JSON.stringify(record.id)}.`,
  );
}

/** Names the salvage of what a worker had not committed, as a warning. */
export async function savedWork(
  context: CrewContext,
  { id, name, mainRepoPath }: WorkerRecord,
): Promise<readonly string[]> {
  const repo = mainRepoPath && (await inspectFolder({ path: mainRepoPath, env: context.environment.git }));
  const all = repo ? await listSalvages(repo) : [];
  const isOurs = await knownSalvages(context);
  const newest = all.find((one) => one.manifest.worker_id === id && holdsFiles(one.manifest) && isOurs(one));
  if (newest === undefined) return [];
  return [
    `${name} has its commits; what it had not committed was saved, and restore_work brings it back: ${newest.id}`,
  ];
}
