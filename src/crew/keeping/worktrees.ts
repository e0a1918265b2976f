// list_worktrees.
import { defined, unlessEmpty } from '../../model/defined.ts';
import { CrewError } from '../../model/errors.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import type { WorktreesResult, WorktreeView } from '../../wire/worktrees.ts';
import { type FolderFacts, inspectFolder } from '../../worktree/git/inspect.ts';
import { readMark } from '../../worktree/git/mark.ts';
import { type ListedWorktree, listWorktrees } from '../../worktree/removal/list.ts';
import { removeOrphan } from '../../worktree/removal/orphan.ts';
import type { CrewContext } from '../workers/crew-context.ts';
import { ownerOf, workersAt } from '../workers/trees.ts';

export async function readWorktrees(
  context: CrewContext,
  order: { readonly repoPath: string; readonly removeOrphans: boolean },
): Promise<WorktreesResult> {
  const repo = await repoAt(context, order.repoPath);
  const root = context.settingsFor(repo.mainRepoPath).settings.worktrees.dir;
  const isRecorded = (path: string) =>
    context.roster.records().some(({ worktreePath, ownsWorktree }) => ownsWorktree && worktreePath === path);
  // crewmux may forget a worker long before its worktree goes, so the mark in the worktree counts as well.
  const markOf = async (path: string) => (isRecorded(path) ? undefined : await readMark(repo, path));
  const baseOf = async (path: string) => ownerOf(context, path)?.base ?? (await markOf(path))?.base;
  const listed = await listWorktrees({ repo, root, baseOf });
  const worktrees = await Promise.all(
    listed.map(async (worktree): Promise<WorktreeView> => {
      const { path, orphan } = worktree;
      const owner = ownerOf(context, path);
      const strays = { repo, root, path, ...defined({ branch: owner?.branch }) };
      const { removed } = order.removeOrphans && orphan ? await removeOrphan(strays) : { removed: false };
      const live = workersAt(context, path).map(nameOf);
      return {
        ...view(worktree),
        foreign: !orphan && !isRecorded(path) && (await markOf(path)) === undefined,
        ...defined({ worker: owner && nameOf(owner), in_use_by: unlessEmpty(live) }),
        removed,
      };
    }),
  );
  return {
    repo_path: repo.mainRepoPath,
    worktrees,
    total: worktrees.length,
    orphan_count: worktrees.filter(({ orphan }) => orphan).length,
    removed_count: worktrees.filter(({ removed }) => removed).length,
  };
}

const view = (worktree: ListedWorktree): Omit<WorktreeView, 'removed' | 'foreign' | 'worker' | 'in_use_by'> => {
  const { path, name, registered, orphan, detached, dirty, ahead, behind, merged, locked, prunable } = worktree;
  const { branch = null, commit = null, base, operation, unreachable, unreadable } = worktree;
  const { lockReason: lock_reason, pruneReason: prune_reason, symlinkTo: symlink_to } = worktree;
  const facts = {
    path,
    name,
    branch,
    commit,
    registered,
    dirty,
    ahead,
    behind,
    merged,
    orphan,
    detached,
    locked,
    prunable,
  };
  return { ...facts, ...defined({ base, lock_reason, prune_reason, operation, unreachable, symlink_to, unreadable }) };
};

const nameOf = ({ name, id }: WorkerRecord): string => `${name} (${id})`;

async function repoAt(context: CrewContext, path: string): Promise<FolderFacts> {
  const repo = await inspectFolder({ path, env: context.environment.git });
  if (repo !== undefined) return repo;
  throw new CrewError(
    'not_a_repository',
    `${path} is not in a git repository.`,
    'Pass a repository or a folder in one.',
  );
}

/** The repository at `asked`, or else every known worker's and the one around this server's own folder. */
export async function knownRepos(context: CrewContext, asked: string | undefined): Promise<readonly FolderFacts[]> {
  if (asked !== undefined) return [await repoAt(context, asked)];
  const paths = context.roster.records().flatMap((record) => record.mainRepoPath ?? []);
  const found = await Promise.all(
    [...new Set([...paths, context.cwd])].map((path) =>
      // Somebody may have moved or removed it since.
      inspectFolder({ path, env: context.environment.git }).catch(() => undefined),
    ),
  );
  const repos = found.flatMap((repo) => repo ?? []);
  return [...new Map(repos.map((repo) => [repo.gitCommonDir, repo])).values()];
}
