// Before crewmux uses commits of a repository, whatever they reach is fixed in packs that no sandboxed worker can write.
import { mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isSandboxed } from '../../model/worker.ts';
import { exists } from '../../system/disk.ts';
import { withLock } from '../../system/lock.ts';
import type { Repo } from '../../worktree/git/inspect.ts';
import { fixObjects } from '../../worktree/objects/fixed-objects.ts';
import type { Run } from '../orders.ts';
import type { CrewContext } from '../workers/crew-context.ts';
import { landingDir } from './landing.ts';

const packingMs = 30 * 60_000;

export interface CommitFixing {
  readonly context: CrewContext;
  readonly repo: Repo;
  readonly run: Pick<Run, 'tell'>;
}

/** Rejects with `worktree_failed` and names the object where one is forged, damaged or missing. */
export async function fixCommits({ context, repo, run }: CommitFixing, commits: readonly string[]): Promise<void> {
  const path = memoryPath(context, repo);
  await mkdir(join(context.home.root, 'objects'), { recursive: true, mode: 0o700 });
  const lock = context.home.lockPath(`objects-${basename(path, '.json')}`);
  const alone = (act: () => Promise<void>) => withLock(lock, act, { me: context.me, timeoutMs: packingMs });
  await fixObjects({ repo, path, alone, tell: run.tell }, commits);
}

/** The same where a worker in a sandbox has ever started; without one nobody is kept from anything. */
export async function fixWatched(
  fixing: CommitFixing,
  commits: () => readonly string[] | Promise<readonly string[]>,
): Promise<void> {
  if (await isWatched(fixing)) await fixCommits(fixing, await commits());
}

const isWatched = async ({ context, repo }: CommitFixing): Promise<boolean> =>
  context.roster.records().some((one) => one.mainRepoPath === repo.mainRepoPath && isSandboxed(one.launch)) ||
  exists(memoryPath(context, repo));

const memoryPath = (context: CrewContext, repo: Repo): string =>
  join(context.home.root, 'objects', `${basename(landingDir(context, repo))}.json`);
