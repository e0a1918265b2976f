// The worktrees that the crew knows: whose each is, who may enter it, and the git folder it keeps.
import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import type { Disposer } from '../../model/clock.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { withLock } from '../../system/lock.ts';
import { movedLink, pinWorktree } from '../../worktree/git/git-link.ts';
import { type FolderFacts, realFolder } from '../../worktree/git/inspect.ts';
import { knowOwnRefs } from '../../worktree/git/own-refs.ts';
import type { CrewContext } from './crew-context.ts';

/** The turn shows that a process has gone before its record does. */
const isThere = (context: CrewContext, { id, phase }: WorkerRecord): boolean =>
  (phase === 'live' && context.roster.turn(id)?.is !== 'gone') || phase === 'spawning';

/** The worker that is there now, or else the last one that had it. */
export function ownerOf(context: CrewContext, worktreePath: string): WorkerRecord | undefined {
  const had = context.roster.records().filter((record) => record.worktreePath === worktreePath);
  return had.find((record) => isThere(context, record)) ?? had.toSorted((a, b) => b.createdAt - a.createdAt)[0];
}

/** Workers that are in it or about to be, whether or not it was made for them. */
export const workersAt = (context: CrewContext, worktreePath: string): readonly WorkerRecord[] =>
  context.roster
    .records()
    .filter(
      (record) =>
        isThere(context, record) &&
        (record.worktreePath === worktreePath || `${record.projectPath}/`.startsWith(`${worktreePath}/`)),
    );

const lockTimeoutMs = 120_000;

/** Runs `act` while no other server or call of ours removes, restores or enters the worktree at this path. */
export function holdingTree<T>(context: CrewContext, path: string, act: () => Promise<T>): Promise<T> {
  const name = createHash('sha256').update(path).digest('hex').slice(0, 16);
  return withLock(context.home.lockPath(`tree-${name}`), act, { me: context.me, timeoutMs: lockTimeoutMs });
}

/**
 * For a worker whose record already names an existing worktree: from now on no server of ours removes it. Waits for a
 * removal under way, and rejects when the folder is gone after it.
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

/** Pins git to the git folder in the log, whatever link a worker writes. A link that leads elsewhere needs attention. */
export function keepLinks(context: CrewContext): Disposer {
  const { roster, log } = context;
  const pin = ({ id, worktreePath, worktreeGitDir: gitDir, phase }: WorkerRecord) => {
    if (worktreePath === undefined || gitDir === undefined) return;
    knowOwnRefs(gitDir, context.home.ownRefsPath(id));
    if (phase === 'closed') return;
    pinWorktree(worktreePath, { gitDir, commonDir: dirname(dirname(gitDir)) });
  };
  for (const record of roster.records()) pin(record);
  const unlisten = log.onEvents((events) => {
    for (const { set, workerId } of events)
      if (set?.worktreeGitDir !== undefined && workerId !== undefined) pin(roster.record(workerId));
  });
  const unwatch = roster.onChange(({ workerId, before, after }) => {
    if (before.is === 'working' && after.is !== 'working') checkLink(context, workerId);
  });
  return () => {
    unlisten();
    unwatch();
  };
}

function checkLink({ roster, clock }: CrewContext, workerId: string): void {
  const { worktreePath } = roster.record(workerId);
  const words = worktreePath === undefined ? undefined : movedLink(worktreePath);
  if (words === undefined) roster.movedTrees.delete(workerId);
  else if (roster.movedTrees.get(workerId)?.words !== words)
    roster.movedTrees.set(workerId, { words, at: clock.now() });
}
