// The branch a worker's work belongs on, from what was recorded when it was spawned.
import { CrewError } from '../model/errors.ts';
import { findBranch, repoPlace } from './branch.ts';
import type { Repo } from './inspect.ts';
import { readGit, tryReadGit } from './repo.ts';
import { nearNames } from './start.ts';

export interface Target {
  readonly branch: string;
  readonly sha: string;
}

/** Rejects with `base_not_found` that names the branches there are. */
export async function landingTarget(
  repo: Repo,
  { asked, recorded }: { readonly asked?: string | undefined; readonly recorded?: string | undefined },
): Promise<Target> {
  const wanted = asked ?? recorded ?? (await mainBranch(repo));
  const found = wanted === undefined ? undefined : await localBranch(repo, wanted, asked === undefined);
  if (found !== undefined) return found;
  const listed = await readGit(repoPlace(repo), ['for-each-ref', '--format=%(refname:lstrip=2)', 'refs/heads']);
  const known = listed.split('\n').filter((name) => name !== '');
  throw new CrewError(
    'base_not_found',
    `${wanted === undefined ? `${repo.mainRepoPath} has no current branch` : `${JSON.stringify(wanted)} is no local branch of ${repo.mainRepoPath}`}, so there is nothing to land on.`,
    `Pass into with one of its branches${known.length === 0 ? '' : `, such as ${nearNames(wanted ?? '', known).join(', ')}`}.`,
  );
}

/** A worker that was begun from `origin/main` belongs on `main`. */
async function localBranch(repo: Repo, name: string, mayBeRemote: boolean): Promise<Target | undefined> {
  const bare = name.replace(/^refs\/heads\//, '');
  const sha = await findBranch(repo, bare);
  if (sha !== undefined) return { branch: bare, sha };
  if (!mayBeRemote) return undefined;
  const remotes = (await readGit(repoPlace(repo), ['remote'])).split('\n').filter((remote) => remote !== '');
  const remote = remotes.find((one) => bare.startsWith(`${one}/`));
  if (remote === undefined) return undefined;
  const branch = bare.slice(remote.length + 1);
  const here = await findBranch(repo, branch);
  return here === undefined ? undefined : { branch, sha: here };
}

async function mainBranch(repo: Repo): Promise<string | undefined> {
  const told = await tryReadGit(repoPlace(repo), ['symbolic-ref', '--short', 'HEAD']);
  return told.exitCode === 0 ? told.stdout.trim() : undefined;
}
