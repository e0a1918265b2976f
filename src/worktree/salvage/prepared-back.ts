// Copies and links that we put into a worktree, put there once more.
import { copyFile, lstat, readlink, realpath, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { below, exists } from '../../system/disk.ts';
import type { Repo } from '../inspect.ts';
import { hashFile, type PreparedItem, preparedItems } from '../making/prepared.ts';
import { escapes, isFile, makeParents } from './escaping.ts';
import { rawName } from './raw-name.ts';

/** Returns in words which could not be had any more. What the list says otherwise than we would is left out. */
export async function bringBackPrepared(
  repo: Repo,
  { path, gitDir }: { readonly path: string; readonly gitDir: string },
): Promise<readonly string[]> {
  const notes: string[] = [];
  for (const item of await preparedItems(gitDir)) {
    const to = join(path, item.path);
    if (escapes(rawName(item.path)) || (await exists(to)) || !(await makeParents(path, to))) continue;
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
