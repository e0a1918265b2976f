// A target branch made to be another commit, and the checkouts of it brought along.
import { join } from 'node:path';
import { pause } from '../../clock.ts';
import { CrewError } from '../../model/errors.ts';
import { quote } from '../../model/shell/quote.ts';
import { repoPlace } from '../branch.ts';
import { inspectFolder, type Repo } from '../inspect.ts';
import { decodeStatus, statusArgs } from '../porcelain.ts';
import { registeredWorktrees } from '../removal/remove.ts';
import { type Place, readGit, tryGit, tryReadGit } from '../repo.ts';
import { findOperation } from '../work-state.ts';
import { inTheWay } from './in-the-way.ts';

export interface Move {
  readonly branch: string;
  readonly from: string;
  readonly to: string;
}

const maxTries = 10;
const pauseMs = 50;

/** False when the branch no longer stands at `from`; nothing has changed then. */
export async function moveBranch(repo: Repo, { branch, from, to }: Move, why: string): Promise<boolean> {
  const input = `start\nupdate refs/heads/${branch} ${to} ${from}\ncommit\n`;
  for (let attempt = 1; ; attempt += 1) {
    const told = await tryGit(repoPlace(repo), ['update-ref', '-m', why, '--stdin'], { input });
    if (told.exitCode === 0) return true;
    const isHeld = /\.lock': File exists/.test(told.stderr);
    if (/cannot lock ref/.test(told.stderr) && !isHeld) return false;
    if (!isHeld || attempt === maxTries) throw notMoved(repo, branch, { words: told.stderr.trim(), isHeld });
    await pause(pauseMs);
  }
}

const notMoved = (repo: Repo, branch: string, { words, isHeld }: { words: string; isHeld: boolean }) =>
  new CrewError(
    'git_failed',
    `git would not move ${branch} in ${repo.mainRepoPath}: ${words}`,
    isHeld
      ? 'Nothing was moved. If no git is at work there, one that was killed has left that lock file: remove it, then call again.'
      : 'Nothing was moved. Mend what git names, then call again.',
  );

export interface Checkout {
  readonly path: string;
  readonly isClean: boolean;
}

/** Where the branch is checked out, and whether anything there would be in the way. What cannot be read is not clean. */
export async function checkoutsOf(repo: Repo, branch: string): Promise<readonly Checkout[]> {
  const list = await registeredWorktrees(repo);
  const at = list.filter((entry) => entry.branch === branch && !entry.bare && entry.prunable === undefined);
  return Promise.all(
    at.map(async ({ path }) => ({ path, isClean: await isClean({ path, env: repo.env }).catch(() => false) })),
  );
}

async function isClean(place: Place): Promise<boolean> {
  const { changes } = decodeStatus(await readGit(place, statusArgs));
  if (changes.some((change) => change.kind !== 'untracked')) return false;
  const folder = await inspectFolder(place);
  return folder !== undefined && (await findOperation(folder.gitDir)) === undefined;
}

/** Files and index of a checkout whose branch has moved. False, and nothing changed, where something is in the way. */
export async function bringAlong(repo: Repo, path: string, { from, to }: Omit<Move, 'branch'>): Promise<boolean> {
  const place = { path, env: repo.env };
  if ((await inTheWay(place, { from, to })).length > 0) return false;
  const told = await tryGit(place, ['read-tree', '--no-recurse-submodules', '-m', '-u', from, to]);
  return told.exitCode === 0;
}

/** What a person types to do the same once they are ready; their own changes stay. */
export async function bringAlongLine(repo: Repo, path: string, { branch, from, to }: Move): Promise<string> {
  const git = `git -C ${quote(path)}`;
  const [old, now] = [from.slice(0, 12), to.slice(0, 12)];
  const place = { path, env: repo.env };
  const [tried, blocked] = await Promise.all([
    tryReadGit(place, ['read-tree', '-n', '-m', '-u', from, to]),
    inTheWay(place, { from, to }),
  ]);
  // One that git ignores it would write over; it is moved aside by hand.
  if (tried.exitCode === 0 && blocked.length > 0) {
    const aside = blocked.map((file) => join(path, file)).map((file) => `mv ${quote(file)} ${quote(`${file}.mine`)}`);
    return [...aside, `${git} read-tree -m -u ${old} ${now}`].join(' && ');
  }
  if (tried.exitCode === 0) return `${git} read-tree -m -u ${old} ${now}`;
  // What landed touches the same files: on the old commit again, the changes are what they were, and can be put aside.
  const steps = [`update-ref --no-deref HEAD ${old}`, 'stash push -u', `checkout ${quote(branch)}`, 'stash pop'];
  return steps.map((step) => `${git} ${step}`).join(' && ');
}

/** The index holds exactly this commit's files. */
export async function isAtTree(place: Place, commit: string): Promise<boolean> {
  const told = await tryReadGit(place, ['diff-index', '--cached', '--quiet', '--ignore-submodules=none', commit, '--']);
  return told.exitCode === 0;
}
