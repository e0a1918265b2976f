// list_worktrees, and the worktrees that the crew knows: whose each is, who may enter it, and the git folder it keeps.
import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import type { Disposer } from '../../model/clock.ts';
import { defined, unlessEmpty } from '../../model/defined.ts';
import { CrewError } from '../../model/errors.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { withLock } from '../../system/lock.ts';
import type { WorktreesResult, WorktreeView } from '../../wire/worktrees.ts';
import { movedLink, pinWorktree } from '../../worktree/git/git-link.ts';
import { type FolderFacts, inspectFolder, realFolder } from '../../worktree/git/inspect.ts';
import { readMark } from '../../worktree/git/mark.ts';
import { knowOwnRefs } from '../../worktree/git/own-refs.ts';
import { type ListedWorktree, listWorktrees } from '../../worktree/removal/list.ts';
import { removeOrphan } from '../../worktree/removal/orphan.ts';
import type { CrewContext } from '../workers/roster.ts';

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
  const repo = await inspectFolder({ path, env: context.env });
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
      inspectFolder({ path, env: context.env }).catch(() => undefined),
    ),
  );
  const repos = found.flatMap((repo) => repo ?? []);
  return [...new Map(repos.map((repo) => [repo.gitCommonDir, repo])).values()];
}

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
