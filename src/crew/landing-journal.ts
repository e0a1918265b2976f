// A landing that was killed between its two last steps is finished by whoever comes next.
import { createHash } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { readJson, readText, writeJson } from '../state/atomic.ts';
import { withLock } from '../state/lock.ts';
import { findBranch } from '../worktree/branch.ts';
import { inspectFolder, type Repo } from '../worktree/inspect.ts';
import { bringAlong, isAtTree } from '../worktree/move.ts';
import type { House } from './house.ts';

const journal = z.object({
  v: z.literal(1),
  repo: z.string(),
  branch: z.string(),
  from: z.string(),
  to: z.string(),
  /** Checkouts that were clean. */
  checkouts: z.array(z.string()),
});
export type Journal = z.output<typeof journal>;

/** One folder a repository, whatever path it is reached by. */
export const landingDir = (house: House, { gitCommonDir }: Repo): string =>
  join(house.home.root, 'landings', createHash('sha256').update(gitCommonDir).digest('hex').slice(0, 16));

const journalPath = (dir: string): string => join(dir, 'moving.json');

export async function noteMoving(dir: string, entry: Omit<Journal, 'v'>): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  await writeJson(journalPath(dir), { v: 1, ...entry });
}

/** Whether a checkout was clean when the branch was about to move. */
export async function wasClean(dir: string, path: string): Promise<boolean> {
  const noted = await readJson(journalPath(dir), journal, () => undefined);
  return noted?.checkouts.includes(path) ?? false;
}

export const noteMoved = (dir: string): Promise<void> => rm(journalPath(dir), { force: true });

/** Brings the checkouts along that a killed landing left behind. Only under the repository's landing lock. */
export async function finishLanding(house: House, dir: string): Promise<void> {
  const left = await readJson(journalPath(dir), journal, (message) => house.logger.write('warn', message));
  if (left === undefined) return;
  const repo = await inspectFolder({ path: left.repo, env: house.env }).catch(() => undefined);
  if (repo !== undefined && (await findBranch(repo, left.branch)) === left.to) {
    for (const path of left.checkouts) {
      if (await isAtTree({ path, env: house.env }, left.from).catch(() => false)) await bringAlong(repo, path, left);
    }
  }
  await noteMoved(dir);
}

export const landingLock = (house: House, dir: string): string => house.home.lockPath(`land-${dir.slice(-16)}`);

/** Finishes what servers that are gone have left, of whichever repository. A landing under way is left to whoever does it. */
export async function finishLandings(house: House): Promise<void> {
  const root = join(house.home.root, 'landings');
  for (const name of await readdir(root).catch(() => [])) {
    const dir = join(root, name);
    if ((await readText(journalPath(dir))) === undefined) continue;
    await withLock(landingLock(house, dir), () => finishLanding(house, dir), { me: house.me, timeoutMs: 0 }).catch(
      (error: unknown) => house.logger.write('warn', `a landing in ${dir} is left as it is`, error),
    );
  }
}
