// Branches as worktrees need them: made, found and taken back, never moved.
import { CrewError } from '../model/errors.ts';
import { releaseBranchFolder } from './branch-folder.ts';
import type { Repo } from './inspect.ts';
import { gitFailed, type Place, readGit, tryGit, tryReadGit } from './repo.ts';

export const repoPlace = (repo: Repo): Place => ({ path: repo.gitCommonDir, env: repo.env });

/** False when the name is taken, or blocked by a branch above or below it. Writes no configuration. */
export const createBranch = (repo: Repo, name: string, sha: string): Promise<boolean> =>
  createRef(repo, { ref: `refs/heads/${name}`, sha, why: 'crewmux: new worktree' });

/** False when the ref exists, or another stands in its way. */
export async function createRef(repo: Repo, wanted: { ref: string; sha: string; why: string }): Promise<boolean> {
  // Its answer on stdout spares the wait the git library adds after a silent command.
  const input = `start\ncreate ${wanted.ref} ${wanted.sha}\ncommit\n`;
  const args = ['update-ref', '-m', wanted.why, '--stdin'];
  const result = await tryGit(repoPlace(repo), args, { input });
  if (result.exitCode === 0) return true;
  if (/cannot lock ref/.test(result.stderr)) return false;
  throw gitFailed(repoPlace(repo), args, result);
}

/** Deletes a branch, and a folder kept for it alone, only while it still stands at `sha`; false when it does not. */
export async function deleteBranchAt(repo: Repo, name: string, sha: string): Promise<boolean> {
  const input = `start\ndelete refs/heads/${name} ${sha}\ncommit\n`;
  const result = await tryGit(repoPlace(repo), ['update-ref', '--stdin'], { input });
  if (result.exitCode !== 0) return false;
  await releaseBranchFolder(repo, name);
  return true;
}

/** The commit of a branch of exactly this name; undefined when there is none. */
export async function findBranch(repo: Repo, name: string): Promise<string | undefined> {
  return (await findBranches(repo, [name])).get(name);
}

/** The commits of those branches that are there, as of one moment. */
export async function findBranches(repo: Repo, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const refs = names.map((name) => `refs/heads/${name}`);
  const listed = await readGit(repoPlace(repo), ['for-each-ref', '--format=%(objectname) %(refname)', ...refs]);
  // A pattern also matches whatever lies below it.
  const found = new Map(listed.split('\n').map((line) => [line.slice(line.indexOf(' ') + 1), line.split(' ')[0]]));
  return new Map(
    names.flatMap((name) => {
      const sha = found.get(`refs/heads/${name}`);
      return sha === undefined ? [] : [[name, sha] as const];
    }),
  );
}

/** Rejects a name git would not take as a branch. */
export async function assertBranchName(repo: Repo, name: string): Promise<void> {
  const odd = name.startsWith('-') || name.includes('@{');
  const result = odd ? undefined : await tryReadGit(repoPlace(repo), ['check-ref-format', '--branch', name]);
  if (result?.exitCode === 0) return;
  throw new CrewError(
    'invalid_argument',
    `${JSON.stringify(name)} is not a name git takes for a branch.`,
    'Use letters, digits, dashes and single slashes, such as "feature/login".',
  );
}
