// Copies and links that we put into a worktree, put there once more.
import { copyFile, mkdir, realpath, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { below, exists } from '../disk.ts';
import type { Repo } from '../inspect.ts';
import { hashFile, preparedItems } from '../making/prepared.ts';

/** Makes its folder, and tells whether that lies in the worktree and not behind a link that leads out of it. */
async function isInside(path: string, to: string): Promise<boolean> {
  if (below(path, to) === undefined) return false;
  await mkdir(dirname(to), { recursive: true });
  const real = await realpath(dirname(to));
  return real === path || below(path, real) !== undefined;
}

/** Returns in words which could not be had any more. */
export async function bringBackPrepared(
  repo: Repo,
  { path, gitDir }: { readonly path: string; readonly gitDir: string },
): Promise<readonly string[]> {
  const notes: string[] = [];
  for (const item of await preparedItems(gitDir)) {
    const to = join(path, item.path);
    if (await exists(to)) continue;
    if (!(await isInside(path, to))) continue;
    const from = join(repo.mainRepoPath, item.path);
    if (item.kind === 'link') await symlink(item.target, to);
    else if ((await hashFile(from).catch(() => '')) === item.sha256) await copyFile(from, to);
    else
      notes.push(
        `${item.path} was a copy from ${repo.mainRepoPath} that has changed or gone there since; it was left out`,
      );
  }
  return notes;
}
