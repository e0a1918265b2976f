// Finishes or undoes a landing that a kill cut short.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CrewError, messageOf } from '../../model/errors.ts';
import { exists } from '../../system/disk.ts';
import { withLock } from '../../system/lock.ts';
import { findBranch } from '../../worktree/git/branch.ts';
import { topOf } from '../../worktree/git/draft-index.ts';
import { type FolderFacts, inspectFolder, type Repo } from '../../worktree/git/inspect.ts';
import { checkoutAt, checkoutsOf, isIndexAt } from '../../worktree/landing/checkouts.ts';
import { settleLeftovers } from '../../worktree/landing/leftovers.ts';
import { clearScratch } from '../../worktree/landing/scratch.ts';
import { isAncestor } from '../../worktree/landing/stage.ts';
import type { CrewContext } from '../workers/crew-context.ts';
import { dropJournal, endTests, type Journal, landingLock, readJournal, untilGitEnded } from './landing.ts';
import { type Bringing, bringCheckouts, takeBackCheckouts } from './landing-checkouts.ts';
import { logLanded } from './landing-log.ts';

/** Afterwards the target is old or wholly new. The caller holds the landing lock of the repository. */
export async function finishLanding(context: CrewContext, dir: string): Promise<void> {
  const warn = (message: string) => context.logger.write('warn', message);
  const left = await readJournal(dir, warn);
  if (left === undefined) return dropJournal(dir);
  await endTests(left.mark, left.tests);
  await untilGitEnded(left.mark, warn);
  const repo = await inspectFolder({ path: left.repo, env: context.environment.git }).catch(() => undefined);
  if (repo !== undefined) {
    if (left.leftovers !== undefined && (await exists(left.leftovers.worktree)))
      await settleLeftovers(left.leftovers, context.environment.git);
    if (left.move !== undefined) await finishMove(context, repo, { ...left, move: left.move });
    await clearScratch(repo, dir);
  }
  await dropJournal(dir);
  warn(`a landing on ${left.target} in ${left.repo} that had been cut short was finished or undone`);
}

/** Afterwards the checkouts have the files of the target, and the log holds the landing if the branch moved. */
async function finishMove(
  context: CrewContext,
  repo: Repo,
  { move, target, strategy, workerId, lane }: Journal & { readonly move: NonNullable<Journal['move']> },
): Promise<void> {
  const { from, to, source, checkouts, tests } = move;
  const tip = await findBranch(repo, target);
  if (tip === undefined) return;
  const there = await stillThere(repo, target, checkouts);
  if (!(await isAncestor(repo, to, tip))) return takeBackCheckouts(context, { checkouts: there, from, to, tip });
  await catchUp({ context, repo, target }, { checkouts: there, from, to: tip });
  const events = await context.log.since(0);
  // The branch of a plan may land as the very commit that its job has landed there.
  if (events.some(({ type, data }) => type === 'landed' && data.to === to && data.target === target)) return;
  if (lane === undefined && context.log.records().get(workerId) === undefined) return;
  const owner = { id: workerId, lane };
  await logLanded(context, owner, {
    target,
    from,
    source,
    to,
    strategy,
    tests,
    checkout: there.length > 0 ? 'updated' : 'none',
    after: 'the server that began it was killed',
  });
}

async function stillThere(repo: Repo, target: string, noted: readonly string[]): Promise<readonly FolderFacts[]> {
  const there = await checkoutsOf(repo, target);
  return Promise.all(noted.filter((path) => there.includes(path)).map((path) => checkoutAt(repo, path)));
}

/** An earlier version moved the branch before the files. */
async function catchUp(at: { context: CrewContext; repo: Repo; target: string }, bringing: Bringing): Promise<void> {
  for (const folder of bringing.checkouts) {
    if (!(await isIndexAt(topOf(folder), bringing))) continue;
    await bringCheckouts(at, { ...bringing, checkouts: [folder] }).catch((error) =>
      at.context.logger.write(
        'warn',
        `${topOf(folder).path} shows what landed on ${at.target} as undone: ${messageOf(error)}`,
      ),
    );
  }
}

/** Finishes the landings of servers that are gone, in every repository. It skips a landing under way, and never rejects. */
export async function finishLandings(context: CrewContext): Promise<void> {
  const root = join(context.home.root, 'landings');
  for (const name of await readdir(root).catch(() => [])) {
    const dir = join(root, name);
    try {
      if (!(await isBegun(context, dir))) continue;
      await withLock(landingLock(context, dir), () => finishLanding(context, dir), { me: context.me, timeoutMs: 0 });
    } catch (error) {
      if (error instanceof CrewError && error.code === 'state_locked') continue;
      context.logger.write('warn', `a landing in ${dir} is left as it is: ${messageOf(error)}`, error);
    }
  }
}

/** A server that was killed before its first note leaves only a lock. */
const isBegun = async (context: CrewContext, dir: string): Promise<boolean> =>
  (await readdir(dir)).length > 0 || (await exists(landingLock(context, dir)));
