// Work in a worktree that no commit has, made a commit of its own branch.
import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CrewError } from '../model/errors.ts';
import { newNonce } from '../model/ids.ts';
import { topOf } from './draft-index.ts';
import { type FolderFacts, inspectFolder, type Repo } from './inspect.ts';
import { uncommittedIn } from './present.ts';
import { git, lastLines, tryGit } from './repo.ts';
import { identity } from './stage.ts';
import { workState } from './work-state.ts';

export interface Leftovers {
  readonly folder: FolderFacts;
  /** Changed and untracked paths, ignored ones and our own left out. */
  readonly paths: readonly string[];
}

/**
 * What a worktree holds uncommitted. Rejects with `would_lose_work` where no simple commit could hold it: an unfinished
 * merge, a repository of its own inside, or a HEAD that is not on the branch.
 */
export async function findLeftovers(at: { path: string; repo: Repo; branch: string }): Promise<Leftovers> {
  const folder = await inspectFolder({ path: at.path, env: at.repo.env });
  if (folder?.worktreeRoot === undefined || folder.subfolder !== '')
    throw notReady(at.path, 'git knows no worktree there');
  const state = await workState({ worktreePath: at.path, env: at.repo.env });
  if (state.operation !== undefined) throw notReady(at.path, `a ${state.operation} was begun there and not finished`);
  if (state.branch !== at.branch)
    throw notReady(at.path, `it is on ${state.branch ?? 'no branch'}, not on ${at.branch}`);
  if (state.nestedRepos.length > 0)
    throw notReady(at.path, `repositories of their own lie in it: ${state.nestedRepos.join(', ')}`);
  return { folder, paths: (await uncommittedIn(folder)).paths };
}

const notReady = (path: string, why: string) =>
  new CrewError(
    'would_lose_work',
    `The work in ${path} cannot be landed as it stands: ${why}.`,
    'Nothing was changed. Have the worker put it right, then call again.',
  );

const pathsOf = (paths: readonly string[]): string => paths.map((path) => `${path}\0`).join('');
const fromStdin = ['--pathspec-from-file=-', '--pathspec-file-nul'];

/** Commits them on the branch with the user's hooks; when those refuse, the index is as it was. */
export async function commitLeftovers({ folder, paths }: Leftovers, message: string): Promise<void> {
  const place = topOf(folder);
  const index = join(folder.gitDir, 'index');
  const kept = `${index}.crewmux-${newNonce()}`;
  await copyFile(index, kept);
  try {
    const env = { ...(await identity(place)), GIT_LITERAL_PATHSPECS: '1' };
    await git(place, ['add', '--all', ...fromStdin], { gitEnv: env, input: pathsOf(paths) });
    const told = await tryGit(place, ['-c', 'commit.gpgSign=false', 'commit', '--quiet', '--file=-'], {
      gitEnv: env,
      input: message,
    });
    if (told.exitCode === 0) return;
    await copyFile(kept, index);
    throw new CrewError(
      'checks_failed',
      `The uncommitted work in ${place.path} could not be committed (exit ${told.exitCode}): ${lastLines(told.stderr || told.stdout)}`,
      'A hook of the repository may have refused it. The worktree is as it was: have the worker mend and commit, then call again.',
    );
  } finally {
    await rm(kept, { force: true });
  }
}
