// A target branch made to be another commit, and the checkouts of it brought along.
import { CrewError } from '../model/errors.ts';
import { repoPlace } from './branch.ts';
import type { Repo } from './inspect.ts';
import { decodeStatus, statusArgs } from './porcelain.ts';
import { registeredWorktrees } from './remove.ts';
import { type Place, readGit, tryGit, tryReadGit } from './repo.ts';

export interface Move {
  readonly branch: string;
  readonly from: string;
  readonly to: string;
}

/** False when the branch no longer stands at `from`; nothing has changed then. */
export async function moveBranch(repo: Repo, { branch, from, to }: Move, why: string): Promise<boolean> {
  const input = `start\nupdate refs/heads/${branch} ${to} ${from}\ncommit\n`;
  const told = await tryGit(repoPlace(repo), ['update-ref', '-m', why, '--stdin'], { input });
  if (told.exitCode === 0) return true;
  if (/cannot lock ref/.test(told.stderr)) return false;
  throw new CrewError(
    'git_failed',
    `git would not move ${branch} in ${repo.mainRepoPath}: ${told.stderr.trim()}`,
    'Nothing was moved. Mend what git names, then call again.',
  );
}

export interface Checkout {
  readonly path: string;
  readonly isClean: boolean;
}

/** Where the branch is checked out, and whether anything there would be in the way. */
export async function checkoutsOf(repo: Repo, branch: string): Promise<readonly Checkout[]> {
  const list = await registeredWorktrees(repo);
  const at = list.filter((entry) => entry.branch === branch && !entry.bare && entry.prunable === undefined);
  return Promise.all(
    at.map(async ({ path }) => {
      const { changes } = decodeStatus(await readGit({ path, env: repo.env }, statusArgs));
      return { path, isClean: changes.every((change) => change.kind === 'untracked') };
    }),
  );
}

/** Files and index of a checkout whose branch has moved. False, and nothing changed, where something is in the way. */
export async function bringAlong(repo: Repo, path: string, { from, to }: Omit<Move, 'branch'>): Promise<boolean> {
  const told = await tryGit({ path, env: repo.env }, ['read-tree', '-m', '-u', from, to]);
  return told.exitCode === 0;
}

/** What a person types to do the same once they are ready; their own changes stay. */
export const bringAlongLine = (path: string, { from, to }: Omit<Move, 'branch'>): string =>
  `git -C ${/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`} read-tree -m -u ${from.slice(0, 12)} ${to.slice(0, 12)}`;

/** The index holds exactly this commit's files. */
export async function isAtTree(place: Place, commit: string): Promise<boolean> {
  const told = await tryReadGit(place, ['diff-index', '--cached', '--quiet', '--ignore-submodules=none', commit, '--']);
  return told.exitCode === 0;
}
