// Whether a worktree still is what was saved of it.
import { inspectFolder, type Repo } from '../inspect.ts';
import { rawStatus, type WorkTrees, workTrees } from './salvage-trees.ts';

export type SavedTrees = Pick<WorkTrees, 'index' | 'tree'>;

/** Files, modes and index, byte for byte. */
export async function isAsSaved(
  repo: Repo,
  { path, saved }: { readonly path: string; readonly saved: SavedTrees },
): Promise<boolean> {
  const folder = await inspectFolder({ path, env: repo.env });
  if (folder?.worktreeRoot !== path) return false;
  const now = await workTrees(folder, await rawStatus(folder));
  return now.tree === saved.tree && now.index === saved.index;
}
