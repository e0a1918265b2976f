// What a target would become with a worker's branch in it, made beside all worktrees.
import type { MergeStrategy, Staged } from '../../model/train.ts';
import { repoPlace } from '../git/branch.ts';
import type { Setting } from '../git/distrust.ts';
import type { Repo } from '../git/inspect.ts';
import { nulEnded } from '../git/porcelain.ts';
import {
  byCrewmux,
  byNobody,
  commitTree,
  type Env,
  type GitPlace,
  gitFailed,
  readGit,
  settingsAt,
  tryGit,
} from '../git/repo.ts';
import { withScratch } from './scratch.ts';

export interface StageRequest {
  readonly repo: Repo;
  readonly target: string;
  readonly source: string;
  /** The target as git is to take it for a merge; the target itself unless given. */
  readonly known?: string;
  readonly strategy: MergeStrategy;
  readonly message: string;
  /** A folder of ours that does not exist yet, for what needs files. */
  readonly scratchPath: string;
}

export interface StageResult {
  readonly staged: Staged;
  /** Paths on which the two sides do not agree. */
  readonly conflicts: readonly string[];
}

/** Moves no ref and touches no worktree that was there before. */
export async function stage(request: StageRequest): Promise<StageResult> {
  const { repo, target, source, strategy, known = target } = request;
  // A squash of what the target has is its own tree.
  if (strategy === 'squash') return merged(request);
  if (await isAncestor(repo, source, known)) return staged(request, { commit: target, isEmpty: true });
  if (strategy === 'merge') return merged(request);
  const isAhead = await isAncestor(repo, target, source);
  return isAhead ? staged(request, { commit: source, isEmpty: false }) : rebased(request);
}

const staged = (
  { target, source }: StageRequest,
  found: { readonly commit?: string; readonly isEmpty: boolean },
  conflicts: readonly string[] = [],
): StageResult => ({ staged: { onto: target, from: source, ...found }, conflicts });

export async function isAncestor(repo: Repo, older: string, newer: string): Promise<boolean> {
  const args = ['merge-base', '--is-ancestor', older, newer];
  const result = await tryGit(repoPlace(repo), args);
  if (result.exitCode === 0 || result.exitCode === 1) return result.exitCode === 0;
  throw gitFailed(repoPlace(repo), args, result);
}

async function merged(request: StageRequest): Promise<StageResult> {
  const { repo, target, source, strategy, message, known = target } = request;
  const { tree, conflicts } = await mergeTrees(repo, known, source);
  if (tree === undefined) return staged(request, { isEmpty: false }, conflicts);
  if (strategy === 'squash' && tree === (await treeOf(repo, target)))
    return staged(request, { commit: target, isEmpty: true });
  const parents = strategy === 'squash' ? [target] : [target, source];
  const place = repoPlace(repo);
  const commit = await commitTree(place, { tree, parents, message }, await identity(place));
  return staged(request, { commit, isEmpty: false });
}

const treeOf = async (repo: Repo, commit: string): Promise<string> =>
  (await readGit(repoPlace(repo), ['rev-parse', `${commit}^{tree}`])).trim();

export interface MergedTrees {
  /** Undefined where they conflict. */
  readonly tree?: string;
  readonly conflicts: readonly string[];
}

/** Merges two commits without any worktree. */
export async function mergeTrees(repo: Repo, ours: string, theirs: string): Promise<MergedTrees> {
  const args = ['merge-tree', '--write-tree', '--name-only', '--no-messages', '-z', ours, theirs];
  const result = await tryGit(repoPlace(repo), args);
  const [tree, ...paths] = nulEnded(result.stdout);
  if (result.exitCode === 0 && tree !== undefined) return { tree: tree.trim(), conflicts: [] };
  if (result.exitCode === 1 && tree !== undefined) return { conflicts: [...new Set(paths)] };
  throw gitFailed(repoPlace(repo), args, result);
}

/** A copy of the worker's commits on the target; the branch itself stays as it is. */
function rebased(request: StageRequest): Promise<StageResult> {
  const { repo, target, source, scratchPath, known = target } = request;
  return withScratch(repo, { path: scratchPath, commit: source }, async (place) => {
    const gitEnv = await identity(place);
    const args = [...plainly, 'rebase', ...asItIs, '--onto', target, known];
    // One such as prepare-commit-msg would refuse, or ask somebody, what was committed before.
    const result = await tryGit(place, args, { gitEnv });
    if (result.exitCode === 0) {
      const commit = (await readGit(place, ['rev-parse', 'HEAD'])).trim();
      return staged(request, { commit, isEmpty: commit === target });
    }
    const conflicts = nulEnded(await readGit(place, ['diff', '--name-only', '--diff-filter=U', '-z']));
    if (conflicts.length === 0) throw gitFailed(place, args, result);
    return staged(request, { isEmpty: false }, conflicts);
  });
}

const asItIs = ['--no-update-refs', '--no-autosquash', '--no-fork-point', '--no-verify'];
// As the repository may be set up for its people; what was once solved by hand in another place is no answer here.
const plainly = ['rebase.autoStash=false', 'rebase.rebaseMerges=false', 'rerere.enabled=false'].flatMap((setting) => [
  '-c',
  setting,
]);

/** Git's variables for who commits, where the user's configuration names nobody. */
export async function identity(place: GitPlace): Promise<Env> {
  if (namesPerson(await settingsAt(place))) return {};
  const result = await tryGit(place, ['var', 'GIT_COMMITTER_IDENT']);
  if (result.exitCode === 0 && / <[^>\s]+> /.test(result.stdout)) return {};
  return byCrewmux;
}

/** So plainly that git would say the same. Pure. */
function namesPerson(settings: readonly Setting[]): boolean {
  const value = (key: string) => settings.findLast((one) => one.key === key)?.value ?? '';
  const isPlain = !settings.some(({ key }) => /^(author|committer)\./.test(key));
  return isPlain && /^[\w .-]*\w[\w .-]*$/.test(value('user.name')) && /^[\w.+-]+@[\w.-]+$/.test(value('user.email'));
}

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
export async function targetKnowing(
  repo: Repo,
  { target, source }: { readonly target: string; readonly source: string },
  landed: LandedWork | undefined,
): Promise<string> {
  if (landed === undefined || !(await holds(repo, { target, source }, landed))) return target;
  const commit = { tree: `${target}^{tree}`, parents: [target, landed.source], message: 'As landed\n' };
  return commitTree(repoPlace(repo), commit, byNobody);
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
