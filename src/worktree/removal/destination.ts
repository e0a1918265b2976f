// Finds where the work of a commit has gone: into its target branch, to a remote, or nowhere yet.
import { repoPlace } from '../git/branch.ts';
import type { Repo } from '../git/inspect.ts';
import { readGit, tryReadGit } from '../git/repo.ts';
import { isContained } from '../state/contained.ts';

export type Destination =
  /** It holds nothing that the branch did not have before. */
  | { readonly is: 'nothing' }
  | { readonly is: 'merged'; readonly into: string }
  | { readonly is: 'pushed'; readonly to: string }
  | { readonly is: 'nowhere' };

export interface DestinationRequest {
  readonly repo: Repo;
  readonly commit: string;
  /** The branch that holds the commit; work merged into itself is merged nowhere. */
  readonly branch?: string;
  /** Branches the work was meant for, as they were named. */
  readonly targets: readonly string[];
  /** Where it was begun. */
  readonly start?: string;
}

/** By ancestry or by content, as after a squash. Throws when git cannot tell. */
export async function destinationOf(request: DestinationRequest): Promise<Destination> {
  const { repo, commit, start } = request;
  if (start === commit) return { is: 'nothing' };
  const refs = await branchRefs(repo);
  for (const ref of targetsAmong(refs, request)) {
    if (await isIn(repo, { tip: ref, commit })) return { is: 'merged', into: shortName(ref) };
  }
  const args = ['for-each-ref', '--count=1', '--format=%(refname)', `--contains=${commit}`, 'refs/remotes'];
  const remote = (await readGit(repoPlace(repo), args)).trim();
  return remote === '' ? { is: 'nowhere' } : { is: 'pushed', to: shortName(remote) };
}

async function branchRefs(repo: Repo): Promise<readonly string[]> {
  const listed = await readGit(repoPlace(repo), ['for-each-ref', '--format=%(refname)', 'refs/heads', 'refs/remotes']);
  return listed.split('\n').filter((ref) => ref !== '');
}

/** The branch itself and, for one of that name, what a remote has of it. Pure. */
export function targetsAmong(
  refs: readonly string[],
  { branch, targets }: Pick<DestinationRequest, 'branch' | 'targets'>,
): readonly string[] {
  const own = branch === undefined ? [] : [`refs/heads/${branch}`];
  const wanted = targets.flatMap((target) => {
    const name = target.replace(/^refs\/(heads|remotes)\//, '');
    if (name === branch) return [];
    const isTarget = (ref: string) =>
      ref === `refs/heads/${name}` || ref === `refs/remotes/${name}` || remoteBranch(ref) === name;
    return refs.filter(isTarget);
  });
  return [...new Set(wanted)].filter((ref) => !own.includes(ref));
}

/** `refs/remotes/origin/feature/x` is `feature/x` there. */
const remoteBranch = (ref: string): string | undefined => /^refs\/remotes\/[^/]+\/(.+)$/.exec(ref)?.[1];

const shortName = (ref: string): string => ref.replace(/^refs\/(heads|remotes)\//, '');

async function isIn(repo: Repo, { tip, commit }: { tip: string; commit: string }): Promise<boolean> {
  const place = repoPlace(repo);
  const result = await tryReadGit(place, ['merge-base', '--is-ancestor', commit, tip]);
  if (result.exitCode === 0) return true;
  return isContained(place, tip, commit);
}
