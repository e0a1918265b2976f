// Restores git's state files and prepared files from a salvage. Its data may name any path, so only harmless ones count.
import { copyFile, lstat, mkdir, readlink, realpath, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { below, exists } from '../../system/disk.ts';
import type { Repo } from '../git/inspect.ts';
import { hashFile, type PreparedItem, preparedItems } from '../git/prepared.ts';
import { type GitPlace, tryGit, tryReadGit } from '../git/repo.ts';
import { copyFiles, keptFiles } from './git-folder.ts';

/** Some file systems ignore these characters in a name. */
const unseen = /[\u{200c}-\u{200f}\u{202a}-\u{202e}\u{206a}-\u{206f}\u{feff}]/gu;

/** Whether a path of an index leads out of the worktree, or to git's own files. Pure. */
export const escapes = (path: string): boolean =>
  path.split('/').some((part) => ['', '.', '..', '.git'].includes(part.replace(unseen, '').toLowerCase()));

export const isFile = (path: string): Promise<boolean> => isOfKind(path, 'isFile');

/** A link to one is none. */
const isOfKind = (path: string, kind: 'isFile' | 'isDirectory'): Promise<boolean> =>
  lstat(path).then(
    (facts) => facts[kind](),
    () => false,
  );

/** Settings of a worktree that only say which files are checked out. */
const harmless = ['core.sparsecheckout', 'core.sparsecheckoutcone', 'index.sparse'];

/** These files only record the state of work. Any other file may lead git elsewhere, or name programs. */
const states = [
  /^(ORIG|FETCH|MERGE|CHERRY_PICK|REVERT|REBASE)_HEAD$/,
  /^(MERGE_(MODE|MSG|RR|AUTOSTASH)|AUTO_MERGE|SQUASH_MSG|COMMIT_EDITMSG|BISECT_[A-Z_]+|NOTES_MERGE_[A-Z]+)$/,
  /^(logs|rebase-merge|rebase-apply|sequencer|NOTES_MERGE_WORKTREE)\/./,
  /^refs\/(bisect|worktree|rewritten)\/./,
  /^info\/sparse-checkout$/,
  /^crewmux-prepared\.json$/,
];

/** Whether a file of a worktree's own git folder is put back there. Pure. */
export const isState = (path: string): boolean => states.some((pattern) => pattern.test(path));

/** `config.worktree` may name programs, so only what is harmless of it is set again. */
export async function putGitFolderBack(
  place: GitPlace,
  { from, gitDir }: { readonly from: string; readonly gitDir: string },
): Promise<void> {
  if (!(await isOfKind(from, 'isDirectory'))) return;
  await copyFiles((await keptFiles(from)).filter(isState), { from, to: gitDir });
  const config = join(from, 'config.worktree');
  if (!(await isFile(config))) return;
  for (const key of harmless) {
    const result = await tryReadGit(place, ['config', '--file', config, '--type=bool', '--get', key]);
    // This fails in a repository without settings per worktree; the comparison at the end then finds the difference.
    if (result.exitCode === 0) await tryGit(place, ['config', '--worktree', key, result.stdout.trim()]);
  }
}

/** Makes the copies and links of `prepareWorktree` again. Returns a note for each that the main checkout no longer has. */
export async function putPreparedBack(
  repo: Repo,
  { path, gitDir }: { readonly path: string; readonly gitDir: string },
): Promise<readonly string[]> {
  const notes: string[] = [];
  for (const item of await preparedItems(gitDir)) {
    const to = join(path, item.path);
    if (escapes(item.path) || (await exists(to)) || !(await makeParents(path, to))) continue;
    const from = join(repo.mainRepoPath, item.path);
    if (item.kind === 'link' && (await isOurLink(from, item))) await symlink(item.target, to);
    else if (item.kind === 'copy' && (await isSameCopy(repo, from, item))) await copyFile(from, to);
    else
      notes.push(
        `${item.path} was a ${item.kind === 'link' ? 'link' : 'copy'} from ${repo.mainRepoPath} that has changed or gone there since; it was left out`,
      );
  }
  return notes;
}

type Item<Kind> = Extract<PreparedItem, { readonly kind: Kind }>;

/** To the folder of that name in the main checkout, or the same as the link of that name there. */
async function isOurLink(from: string, { target }: Item<'link'>): Promise<boolean> {
  if (target === from) return true;
  const there = await lstat(from).catch(() => undefined);
  return there?.isSymbolicLink() === true && (await readlink(from)) === target;
}

async function isSameCopy(repo: Repo, from: string, { sha256 }: Item<'copy'>): Promise<boolean> {
  const real = await realpath(from).catch(() => '/');
  if (below(repo.mainRepoPath, real) === undefined || !(await isFile(from))) return false;
  return (await hashFile(from)) === sha256;
}

/** Makes the folders above `to`, and tells whether they lie in `top`; where a link leads out of it nothing is made. */
async function makeParents(top: string, to: string): Promise<boolean> {
  if (below(top, to) === undefined) return false;
  const nearest = await nearestThere(dirname(to));
  const real = await realpath(nearest).catch(() => '/');
  if (real !== top && below(top, real) === undefined) return false;
  if (!(await lstat(real)).isDirectory()) return false;
  await mkdir(dirname(to), { recursive: true });
  return true;
}

const nearestThere = async (path: string): Promise<string> =>
  (await exists(path)) || dirname(path) === path ? path : nearestThere(dirname(path));
