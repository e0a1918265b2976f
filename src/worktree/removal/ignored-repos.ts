// Repositories in ignored folders, which git status does not tell of and removing a worktree takes along.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { type Place, readGit } from '../repo.ts';

/** More folders than this are not looked through; then it cannot be told. */
const maxFolders = 200_000;

/** Paths below the top of the worktree. Throws when it cannot be told. */
export async function ignoredRepos(top: Place): Promise<readonly string[]> {
  const args = ['ls-files', '--others', '--ignored', '--exclude-standard', '--directory', '-z'];
  const ignored = (await readGit(top, args)).split('\0').filter((path) => path.endsWith('/'));
  const found: string[] = [];
  const fewAtOnce = pLimit(16);
  let folders = 0;
  const search = async (path: string): Promise<void> => {
    folders += 1;
    if (folders > maxFolders) throw new Error(`more than ${maxFolders} ignored folders lie in ${top.path}.`);
    const entries = await fewAtOnce(() => readdir(join(top.path, path), { withFileTypes: true }));
    if (entries.some(({ name }) => name === '.git')) found.push(path);
    else
      await Promise.all(
        entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).map((name) => search(`${path}/${name}`)),
      );
  };
  await Promise.all(ignored.map((path) => search(path.slice(0, -1))));
  return found.sort();
}
