// The worktrees of a repository, and whose they are.
import { CrewError } from '../../model/errors.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { below } from '../../system/disk.ts';
import type { WorktreesResult, WorktreeView } from '../../wire/worktrees.ts';
import { inspectFolder } from '../../worktree/inspect.ts';
import { type ListedWorktree, listWorktrees } from '../../worktree/list.ts';
import { readMark } from '../../worktree/mark.ts';
import { removeOrphan } from '../../worktree/orphan.ts';
import type { CrewContext } from '../workers/roster.ts';

export async function readWorktrees(
  context: CrewContext,
  order: { readonly repoPath: string; readonly removeOrphans: boolean },
): Promise<WorktreesResult> {
  const folder = await inspectFolder({ path: order.repoPath, env: context.env });
  if (folder === undefined) {
    throw new CrewError(
      'not_a_repository',
      `${order.repoPath} is not in a git repository.`,
      'Pass a repository or a folder in one.',
    );
  }
  const root = context.settingsFor(folder.mainRepoPath).settings.worktrees.dir;
  const owners = ownersIn(context);
  // The record of a worker may have been forgotten long before its worktree is.
  const markOf = async (path: string) => (owners.isOurs(path) ? undefined : await readMark(folder, path));
  const baseOf = async (path: string) => owners.of(path)?.base ?? (await markOf(path))?.base;
  const listed = await listWorktrees({ repo: folder, root, baseOf });
  const worktrees = await Promise.all(
    listed.map(async (worktree): Promise<WorktreeView> => {
      const removes = order.removeOrphans && worktree.orphan;
      const outcome = removes ? await removeOrphan({ repo: folder, root, path: worktree.path }) : { removed: false };
      const owner = owners.of(worktree.path);
      const live = owners.liveIn(worktree.path);
      return {
        ...view(worktree),
        foreign: !worktree.orphan && !owners.isOurs(worktree.path) && (await markOf(worktree.path)) === undefined,
        ...(owner === undefined ? {} : { worker: nameOf(owner) }),
        ...(live.length === 0 ? {} : { in_use_by: live }),
        removed: outcome.removed,
      };
    }),
  );
  return {
    repo_path: folder.mainRepoPath,
    worktrees,
    total: worktrees.length,
    orphan_count: worktrees.filter((worktree) => worktree.orphan).length,
    removed_count: worktrees.filter((worktree) => worktree.removed).length,
  };
}

const view = (worktree: ListedWorktree): Omit<WorktreeView, 'removed' | 'foreign' | 'worker' | 'in_use_by'> => {
  const { path, name, registered, orphan, detached, dirty, ahead, behind, merged, locked, prunable } = worktree;
  const { branch, commit, base, lockReason, pruneReason, operation, unreachable, symlinkTo, unreadable } = worktree;
  return {
    path,
    name,
    branch: branch ?? null,
    commit: commit ?? null,
    registered,
    dirty,
    ahead,
    behind,
    merged,
    ...(base === undefined ? {} : { base }),
    orphan,
    detached,
    locked,
    ...(lockReason === undefined ? {} : { lock_reason: lockReason }),
    prunable,
    ...(pruneReason === undefined ? {} : { prune_reason: pruneReason }),
    ...(operation === undefined ? {} : { operation }),
    ...(unreachable === undefined ? {} : { unreachable }),
    ...(symlinkTo === undefined ? {} : { symlink_to: symlinkTo }),
    ...(unreadable === undefined ? {} : { unreadable }),
  };
};

/** Whose they are, by what is remembered: the worker it was made for, and those who work in it now. */
function ownersIn(context: CrewContext) {
  const records = context.roster.records();
  const made = new Map(records.flatMap((one) => (one.worktreePath === undefined ? [] : [[one.worktreePath, one]])));
  const isIn = (record: WorkerRecord, path: string) =>
    record.worktreePath === path || record.projectPath === path || below(path, record.projectPath) !== undefined;
  return {
    of: (path: string) => made.get(path),
    isOurs: (path: string) => records.some(({ worktreePath, ownsWorktree }) => ownsWorktree && worktreePath === path),
    liveIn: (path: string) =>
      records.filter((one) => (one.phase === 'live' || one.phase === 'spawning') && isIn(one, path)).map(nameOf),
  };
}

const nameOf = ({ name, id }: WorkerRecord): string => `${name} (${id})`;
