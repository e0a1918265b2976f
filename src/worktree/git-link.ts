// The link between a worktree and its own folder in the repository, read both ways without git.
import { lstat, readdir, readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/** Where a `.git` file leads; undefined for anything that is no such file. */
export async function linkTarget(file: string): Promise<string | undefined> {
  if (!(await lstat(file)).isFile()) return undefined;
  const target = /^gitdir: (.*)$/m.exec(await readFile(file, 'utf8'))?.[1];
  return target === undefined ? undefined : resolve(dirname(file), target);
}

/** The repository's folder for the worktree at a path, which may be gone; undefined when it has none. */
export async function gitDirOf(gitCommonDir: string, worktreePath: string): Promise<string | undefined> {
  const all = join(gitCommonDir, 'worktrees');
  for (const name of await readdir(all).catch(() => [])) {
    const dir = join(all, name);
    const link = await readFile(join(dir, 'gitdir'), 'utf8').catch(() => '');
    if (resolve(dir, link.trimEnd()) === join(worktreePath, '.git')) return dir;
  }
  return undefined;
}
