// Whether a worktree still is what was saved of it.
import { inspectFolder, type Repo } from '../inspect.ts';
import { readGit } from '../repo.ts';
import { diskTree, indexTree, rawStatus } from './salvage-trees.ts';

/** Files, modes and index, byte for byte. */
export async function isAsSaved(
  repo: Repo,
  saved: { readonly path: string; readonly sha: string; readonly index: string },
): Promise<boolean> {
  const place = { path: saved.path, env: repo.env };
  const folder = await inspectFolder(place);
  if (folder?.worktreeRoot !== saved.path) return false;
  const wanted = await readGit(place, ['rev-parse', `${saved.sha}^{tree}`, `${saved.index}^{tree}`]);
  const { tree } = await diskTree(folder, await rawStatus(folder));
  return `${tree}\n${await indexTree(folder)}\n` === wanted;
}
