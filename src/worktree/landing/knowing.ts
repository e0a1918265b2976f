// A target that holds a branch's work by commits of its own, as a commit that git can tell it by.
import { repoPlace } from '../branch.ts';
import type { Repo } from '../inspect.ts';
import { byNobody, git } from '../repo.ts';
import { isAncestor } from './stage.ts';

/** A landing that left the branch as it was. */
export interface LandedWork {
  /** The commit of the branch that has landed, and the target's that holds it. */
  readonly source: string;
  readonly to: string;
}

/**
 * The target itself, or one of the same files that also goes back to what has landed: a merge with what was done on the
 * branch since then does not meet the landed work a second time.
 */
export async function knowing(
  repo: Repo,
  { target, source }: { readonly target: string; readonly source: string },
  landed: LandedWork | undefined,
): Promise<string> {
  if (landed === undefined || !(await holds(repo, { target, source }, landed))) return target;
  const args = ['commit-tree', `${target}^{tree}`, '-p', target, '-p', landed.source, '-m', 'As landed'];
  return (await git(repoPlace(repo), args, { gitEnv: byNobody })).trim();
}

/** Not where the branch was rewritten since, or the target was, or the commits are gone. */
async function holds(
  repo: Repo,
  { target, source }: { readonly target: string; readonly source: string },
  landed: LandedWork,
): Promise<boolean> {
  try {
    const [isIn, isOn, isKnown] = await Promise.all([
      isAncestor(repo, landed.to, target),
      isAncestor(repo, landed.source, source),
      isAncestor(repo, landed.source, target),
    ]);
    return isIn && isOn && !isKnown;
  } catch {
    return false;
  }
}
