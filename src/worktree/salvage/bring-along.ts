// Brings the uncommitted work of one worktree into a fresh one of the same commit: files and index, byte for byte.
import { CrewError, messageOf } from '../../model/errors.ts';
import { removeBelow } from '../../system/disk.ts';
import { topOf } from '../git/draft-index.ts';
import { unpinWorktree } from '../git/git-link.ts';
import { inspectFolder, type Repo } from '../git/inspect.ts';
import { changesBetween, pathsOf } from '../git/path-changes.ts';
import { git } from '../git/repo.ts';
import { readStatus } from '../state/status.ts';
import { checkOut, compared, takeBack } from './restore.ts';
import { isAsSaved, type WorkTrees, workTrees } from './salvage-trees.ts';

export interface WorkAlong extends Omit<WorkTrees, 'converted'> {
  /** The commit at which HEAD stands. */
  readonly head: string;
}

const mostReads = 3;

/** Undefined for a worktree without a commit. Throws what could not be brought along exactly; makes objects alone. */
export async function readUncommitted(repo: Repo, worktreePath: string): Promise<WorkAlong | undefined> {
  for (let reads = 1; reads <= mostReads; reads++) {
    const folder = await inspectFolder({ path: worktreePath, env: repo.env });
    if (folder?.worktreeRoot === undefined) return undefined;
    const status = await readStatus(topOf(folder));
    if (status.sha === undefined) return undefined;
    const { converted: _, ...saved } = await workTrees(folder, status).catch((thrown: unknown) => {
      throw notAlong(messageOf(thrown).replace(/\.$/, ''));
    });
    if (saved.counts.conflicts > 0) throw notAlong('some of its files have conflicts');
    if (await isAsSaved(repo, { path: folder.worktreeRoot, saved })) return { ...saved, head: status.sha };
  }
  throw notAlong('its files change while crewmux reads them');
}

export const notAlong = (why: string): CrewError =>
  new CrewError(
    'worktree_failed',
    `The uncommitted work cannot be brought along exactly: ${why}.`,
    'Leave fork_changes out, or let the forked worker commit first.',
  );

interface Fresh {
  readonly path: string;
  readonly gitDir: string;
}

/** Into a clean checkout of the same commit. Rejects with that worktree gone where the outcome is not exact. */
export async function bringAlong(repo: Repo, fresh: Fresh, work: WorkAlong): Promise<void> {
  try {
    await putInto(repo, fresh, work);
    const { exact, notes } = await compared(repo, fresh.path, work);
    if (!exact) throw notAlong(notes.join('; ') || 'what came out is not what was there');
  } catch (thrown) {
    await takeBack(repo, fresh.path);
    unpinWorktree(fresh.path);
    throw thrown;
  }
}

async function putInto(repo: Repo, { path, gitDir }: Fresh, { head, tree, index }: WorkAlong): Promise<void> {
  const place = { path, env: repo.env };
  const changes = await changesBetween(place, { from: head, to: tree });
  for (const gone of pathsOf(changes, 'D')) await removeBelow(path, gone);
  const paths = changes.filter(({ letter }) => letter !== 'D').map((change) => change.path);
  if (paths.length > 0) await checkOut(repo, { gitDir }, { tree, into: path, paths });
  await git(place, ['read-tree', index]);
}
