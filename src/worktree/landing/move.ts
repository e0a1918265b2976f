// A target branch made to be another commit.

import { CrewError } from '../../model/errors.ts';
import { tryUntil } from '../../system/pace.ts';
import { notPlain } from '../../system/plain-file.ts';
import { plainBranch, repoPlace } from '../git/branch.ts';
import type { Repo } from '../git/inspect.ts';
import { oddOnWay } from '../git/odd-files.ts';
import { type GitPlace, type GitResult, tryGit, tryReadGit } from '../git/repo.ts';

export interface BranchMove {
  readonly branch: string;
  readonly from: string;
  readonly to: string;
}

/** False when the branch no longer stands at `from`; nothing has changed then. It may be another worker's. */
export async function moveBranch(repo: Repo, { branch, from, to }: BranchMove, why: string): Promise<boolean> {
  await plainBranch(repo, branch);
  const [odd] = oddOnWay(repo.gitCommonDir, `logs/refs/heads/${branch}`);
  if (odd !== undefined) throw notPlain(odd.path, odd.why);
  const input = `start\nupdate refs/heads/${branch} ${to} ${from}\ncommit\n`;
  const update = () => tryGit(repoPlace(repo), ['update-ref', '--no-deref', '-m', why, '--stdin'], { input });
  const isHeld = ({ stderr }: GitResult) => /\.lock': File exists/.test(stderr);
  const isOver = (result: GitResult) => result.exitCode === 0 || !isHeld(result);
  const result = await tryUntil(update, isOver, { tries: 10, pauseMs: 50 });
  if (result.exitCode === 0) return true;
  if (/cannot lock ref/.test(result.stderr) && !isHeld(result)) return false;
  throw notMoved(repo, branch, { words: result.stderr.trim(), isHeld: isHeld(result) });
}

const notMoved = (repo: Repo, branch: string, { words, isHeld }: { words: string; isHeld: boolean }) =>
  new CrewError(
    'git_failed',
    `git would not move ${branch} in ${repo.mainRepoPath}: ${words}`,
    isHeld
      ? 'Nothing was moved. If no git is at work there, one that was killed has left that lock file: remove it, then call again.'
      : 'Nothing was moved. Mend what git names, then call again.',
  );

/** The index holds exactly this commit's files. */
export async function isAtTree(place: GitPlace, commit: string): Promise<boolean> {
  const result = await tryReadGit(place, [
    'diff-index',
    '--cached',
    '--quiet',
    '--ignore-submodules=none',
    commit,
    '--',
  ]);
  return result.exitCode === 0;
}
