// Branches as worktrees need them: made, found, moved and taken back.
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CrewError } from '../../model/errors.ts';
import { exists } from '../../system/disk.ts';
import { notPlain, readPlain } from '../../system/plain-file.ts';
import { withPrivateFolder } from '../../system/private-folder.ts';
import { releaseBranchFolder } from './branch-folder.ts';
import type { Repo } from './inspect.ts';
import { oddOnWay } from './odd-files.ts';
import { type GitPlace, gitFailed, readGit, tryGit, tryReadGit } from './repo.ts';

export const repoPlace = (repo: Repo): GitPlace => ({ path: repo.gitCommonDir, env: repo.env });

/** False when the name is taken, or blocked by a branch above or below it. Writes no configuration. */
export const createBranch = (repo: Repo, name: string, sha: string): Promise<boolean> =>
  createRef(repo, { ref: `refs/heads/${name}`, sha, why: 'crewmux: new worktree' });

/** False when the ref exists, or another stands in its way. */
export async function createRef(repo: Repo, wanted: { ref: string; sha: string; why: string }): Promise<boolean> {
  // Its answer on stdout spares the wait the git library adds after a silent command.
  const input = `start\ncreate ${wanted.ref} ${wanted.sha}\ncommit\n`;
  const args = ['update-ref', '--no-deref', '-m', wanted.why, '--stdin'];
  const result = await tryGit(repoPlace(repo), args, { input });
  if (result.exitCode === 0) return true;
  if (/cannot lock ref/.test(result.stderr)) return false;
  throw gitFailed(repoPlace(repo), args, result);
}

/** Deletes a branch, and a folder kept for it alone, only while it still stands at `sha`; false when it does not. */
export async function deleteBranchAt(repo: Repo, name: string, sha: string): Promise<boolean> {
  const input = `start\ndelete refs/heads/${name} ${sha}\ncommit\n`;
  const result = await tryGit(repoPlace(repo), ['update-ref', '--no-deref', '--stdin'], { input });
  if (result.exitCode !== 0) return false;
  await releaseBranchFolder(repo, name);
  return true;
}

/** Throws `worktree_failed`, naming its file, unless that holds a commit's name and nothing else, or git has packed it. */
export async function plainBranch(repo: Repo, name: string): Promise<void> {
  const ref = `refs/heads/${name}`;
  const [odd] = oddOnWay(repo.gitCommonDir, ref);
  if (odd !== undefined) throw notPlain(odd.path, odd.why);
  const path = join(repo.gitCommonDir, ref);
  const text = await readPlain(path);
  if (text === undefined || /^(?:[0-9a-f]{64}|[0-9a-f]{40})\n?$/.test(text.toString('latin1'))) return;
  throw notPlain(path, 'holds no commit alone, as the file of a branch does, and git might take another for it');
}

export interface OwnMove {
  readonly branch: string;
  readonly from: string;
  readonly to: string;
}

/**
 * Moves the branch of a worker, and no other that its file names. False when it does not stand at `from`. git keeps no
 * history of it: that lies in files that a worker can make links of.
 */
export async function moveOwnBranch(repo: Repo, { branch, from, to }: OwnMove): Promise<boolean> {
  await plainBranch(repo, branch);
  const args = ['update-ref', '--no-deref', '--stdin'];
  const input = `start\nupdate refs/heads/${branch} ${to} ${from}\ncommit\n`;
  const { gitCommonDir: common } = repo;
  // Such refs lie in no files of their own.
  if (await exists(join(common, 'reftable'))) return (await tryGit(repoPlace(repo), args, { input })).exitCode === 0;
  return withPrivateFolder(async (own) => {
    // A repository of the same refs and objects, and without a folder for their history.
    const hash = to.length === 64 ? '[extensions]\nobjectformat = sha256\n' : '';
    await writeFile(join(own, 'HEAD'), `ref: refs/heads/${branch}\n`);
    await writeFile(
      join(own, 'config'),
      `[core]\nrepositoryformatversion = 1\nbare = true\nlogAllRefUpdates = false\n${hash}`,
    );
    for (const name of ['refs', 'packed-refs', 'objects']) await symlink(join(common, name), join(own, name));
    const gitEnv = { GIT_DIR: own };
    return (await tryGit(repoPlace(repo), args, { input, gitEnv })).exitCode === 0;
  });
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
