// The checkouts of a target that has moved: brought along where they were clean, else left and said.
import type { Repo } from '../../worktree/inspect.ts';
import { bringAlong, bringAlongLine, checkoutsOf, isAtTree, type Move } from '../../worktree/landing/move.ts';
import { tryReadGit } from '../../worktree/repo.ts';
import type { LandingResult } from '../api.ts';
import type { House } from '../house.ts';

export interface Brought {
  readonly checkout: LandingResult['checkout'];
  readonly reason?: string;
}

/** `clean` are those that had no changes before the target moved; afterwards every checkout of it looks changed. */
export async function bringCheckouts(
  { house, repo, target }: { readonly house: House; readonly repo: Repo; readonly target: string },
  { clean, ...move }: { readonly from: string; readonly to: string; readonly clean: readonly string[] },
): Promise<Brought> {
  // These first and at once: whoever commits there before they are brought along takes back what has landed.
  const brought = new Set<string>();
  for (const path of clean) if (await comesAlong(repo, path, { ...move, branch: target })) brought.add(path);
  const checkouts = await checkoutsOf(repo, target);
  const left: string[] = [];
  for (const { path } of checkouts) {
    if (!brought.has(path) && !(await isAtTree({ path, env: repo.env }, move.to))) left.push(path);
  }
  if (checkouts.length === 0) return { checkout: 'none' };
  if (left.length === 0) return { checkout: 'updated' };
  const lines = await Promise.all(left.map((path) => bringAlongLine(repo, path, { ...move, branch: target })));
  return {
    checkout: 'left',
    reason: `${target} has moved, and its checkout in ${left.map((path) => named(house, path)).join(', ')} has changes of its own, so it was left alone. Until it is brought along git shows what landed there as if it were undone: do not commit there before running: ${lines.join(' && ')}`,
  };
}

function named(house: House, path: string): string {
  const live = house.roster.records().filter(({ phase, worktreePath }) => phase === 'live' && worktreePath === path);
  return live.length === 0 ? path : `${path} (${live.map(({ name }) => name).join(' and ')} works there)`;
}

/** Only where it is still on the branch, and its index as the branch was. */
async function comesAlong(repo: Repo, path: string, move: Move): Promise<boolean> {
  const place = { path, env: repo.env };
  try {
    const [head, isOld] = await Promise.all([tryReadGit(place, ['symbolic-ref', 'HEAD']), isAtTree(place, move.from)]);
    return isOld && head.stdout.trim() === `refs/heads/${move.branch}` && (await bringAlong(repo, path, move));
  } catch {
    return false;
  }
}
