// One at a time at a worktree: whoever removes it, and whoever is about to work there.
import { createHash } from 'node:crypto';
import { withLock } from '../../system/lock.ts';
import { type FolderFacts, realFolder } from '../../worktree/inspect.ts';
import type { CrewContext } from '../workers/roster.ts';

const timeoutMs = 120_000;

/** Runs `act` while no other server or call of ours removes, restores or enters the worktree at this path. */
export function holdingTree<T>(context: CrewContext, path: string, act: () => Promise<T>): Promise<T> {
  const name = createHash('sha256').update(path).digest('hex').slice(0, 16);
  return withLock(context.home.lockPath(`tree-${name}`), act, { me: context.me, timeoutMs });
}

/**
 * For a worker that is to work in a worktree that is there and is written down already: nobody of ours removes it from
 * now on, and who has begun to is waited for. Rejects when the folder is gone then.
 */
export async function enterTree(
  context: CrewContext,
  { folder, projectPath }: { readonly folder: FolderFacts | undefined; readonly projectPath: string },
): Promise<void> {
  const root = folder?.worktreeRoot;
  if (root === undefined || root === folder?.mainRepoPath) return;
  await holdingTree(context, root, async () => {});
  await realFolder(projectPath);
}
