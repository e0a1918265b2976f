// Puts back what git kept for a worktree alone: reflog, unfinished merges, marks and the like.
import { copyFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { exists } from '../disk.ts';
import { git, type Place, tryReadGit } from '../repo.ts';
import { keptFiles } from './git-folder.ts';

/** Settings of a worktree that only say which files are checked out. */
const harmless = ['core.sparsecheckout', 'core.sparsecheckoutcone', 'index.sparse'];

/** `config.worktree` may name programs, so only what is harmless of it is set again. */
export async function bringBackFolder(
  place: Place,
  { from, gitDir }: { readonly from: string; readonly gitDir: string },
): Promise<void> {
  if (!(await exists(from))) return;
  for (const path of await keptFiles(from)) {
    if (path === 'config.worktree') continue;
    await mkdir(dirname(join(gitDir, path)), { recursive: true });
    await copyFile(join(from, path), join(gitDir, path));
  }
  const config = join(from, 'config.worktree');
  if (!(await exists(config))) return;
  for (const key of harmless) {
    const told = await tryReadGit(place, ['config', '--file', config, '--get', key]);
    if (told.exitCode === 0) await git(place, ['config', '--worktree', key, told.stdout.trim()]);
  }
}
