// Puts back what git kept for a worktree alone: reflog, unfinished merges, marks and the like.
import { copyFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Place, tryGit, tryReadGit } from '../repo.ts';
import { isFile, isFolder } from './escaping.ts';
import { keptFiles } from './git-folder.ts';

/** Settings of a worktree that only say which files are checked out. */
const harmless = ['core.sparsecheckout', 'core.sparsecheckoutcone', 'index.sparse'];

/** What only tells git where some work stands. All else may lead git elsewhere, or name programs. */
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
export async function bringBackFolder(
  place: Place,
  { from, gitDir }: { readonly from: string; readonly gitDir: string },
): Promise<void> {
  if (!(await isFolder(from))) return;
  for (const path of (await keptFiles(from)).filter(isState)) {
    await mkdir(dirname(join(gitDir, path)), { recursive: true });
    await copyFile(join(from, path), join(gitDir, path));
  }
  const config = join(from, 'config.worktree');
  if (!(await isFile(config))) return;
  for (const key of harmless) {
    const told = await tryReadGit(place, ['config', '--file', config, '--type=bool', '--get', key]);
    // A repository that keeps no settings for a worktree alone does without; the last look tells what differs then.
    if (told.exitCode === 0) await tryGit(place, ['config', '--worktree', key, told.stdout.trim()]);
  }
}
