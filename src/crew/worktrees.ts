// The worktrees of a repository, and whose they are.
import { CrewError } from '../model/errors.ts';
import { inspectFolder } from '../worktree/inspect.ts';
import { type ListedWorktree, listWorktrees } from '../worktree/list.ts';
import { removeOrphan } from '../worktree/orphan.ts';
import type { Crew, WorktreeView } from './api.ts';
import type { House } from './house.ts';

export async function readWorktrees(
  house: House,
  request: Parameters<Crew['worktrees']>[0],
): ReturnType<Crew['worktrees']> {
  const folder = await inspectFolder({ path: request.repo_path, env: house.env });
  if (folder === undefined) {
    throw new CrewError(
      'not_a_repository',
      `${request.repo_path} is not in a git repository.`,
      'Pass a repository or a folder in one.',
    );
  }
  const root = house.settingsFor(folder.mainRepoPath).settings.worktrees.dir;
  const owners = new Map(house.roster.records().map((record) => [record.worktreePath, record]));
  const listed = await listWorktrees({ repo: folder, root, baseOf: (path) => owners.get(path)?.base });
  const worktrees = await Promise.all(
    listed.map(async (worktree): Promise<WorktreeView> => {
      const removes = request.remove_orphans && worktree.orphan;
      const outcome = removes ? await removeOrphan({ repo: folder, root, path: worktree.path }) : { removed: false };
      const owner = owners.get(worktree.path);
      return {
        ...view(worktree),
        ...(owner === undefined ? {} : { worker: `${owner.name} (${owner.id})` }),
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

const view = ({ path, name, branch, commit, registered, dirty, ahead, behind, merged, orphan }: ListedWorktree) => ({
  path,
  name,
  branch: branch ?? null,
  commit: commit ?? null,
  registered,
  dirty,
  ahead,
  behind,
  merged,
  orphan,
});
