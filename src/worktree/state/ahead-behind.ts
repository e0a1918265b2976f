// What a branch has that its base lacks, and the other way round.
import { repoPlace } from '../git/branch.ts';
import type { Repo } from '../git/inspect.ts';
import { nulEnded } from '../git/porcelain.ts';
import { readGit } from '../git/repo.ts';
import type { Base } from './work-state.ts';

export interface AheadBehind {
  /** `<12 hex> <subject>`, newest first, up to the number asked for. */
  readonly commits: readonly string[];
  /** Commits of the base that the branch lacks. */
  readonly behind: number;
}

const nothing: AheadBehind = { commits: [], behind: 0 };

/** Nothing where the branch is gone, or was begun from nothing that is known. */
export async function aheadBehind(
  repo: Repo,
  { branch, base, most }: { readonly branch: string; readonly base: Base; readonly most: number },
): Promise<AheadBehind> {
  const place = repoPlace(repo);
  const own = `refs/heads/${branch}`;
  const wanted = ['refs/heads/', 'refs/remotes/', 'refs/tags/'].map((prefix) => prefix + base.ref);
  const listed = (await readGit(place, ['for-each-ref', '--format=%(refname)', own, ...wanted])).split('\n');
  const from = wanted.find((name) => listed.includes(name)) ?? base.sha;
  if (!listed.includes(own) || from === undefined) return nothing;
  const format = ['-z', '--no-show-signature', '--abbrev=12', '--format=%h %s', '-n', String(most)];
  const [commits, behind] = await Promise.all([
    readGit(place, ['log', ...format, `${from}..${own}`, '--']),
    readGit(place, ['rev-list', '--count', `${own}..${from}`, '--']),
  ]);
  return { commits: nulEnded(commits), behind: Number(behind.trim()) };
}
