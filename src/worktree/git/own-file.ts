// A file of ours in a worktree, among those of its agent, which git does not see.
import { lstat, mkdir, realpath, rm, rmdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { CrewError } from '../../model/errors.ts';
import { below, exists } from '../../system/disk.ts';
import { plainText, readPlain } from '../../system/plain-file.ts';
import { hidePath } from './hide.ts';
import { type Env, tryReadGit } from './repo.ts';

export interface OwnFile {
  /** Where the agent runs, in the worktree: the real path, and the same below the worktree's top. */
  readonly root: string;
  readonly subfolder: string;
  readonly gitCommonDir: string;
  readonly env: Env;
  /** Below `root`. */
  readonly path: string;
}

/** Throws, naming the file, where it belongs to somebody else: git tracks it, or a link leads to another place. */
export async function checkOwnFile(file: OwnFile): Promise<void> {
  const { root, path, env } = file;
  const listed = await tryReadGit({ path: root, env }, ['ls-files', '-z', '--', `:(literal)${path}`]);
  if (listed.exitCode !== 0 || listed.stdout !== '') throw notOurs(path, 'git tracks it');
  const folder = join(root, dirname(path));
  const real = await realpath(folder).catch(() => folder);
  const isLinked = await lstat(join(root, path)).then(
    (stats) => stats.isSymbolicLink(),
    () => false,
  );
  if (isLinked || below(root, real) === undefined) throw notOurs(path, 'a link leads to another place');
}

/** What the file holds; undefined where there is none. Throws, naming it, for anything but a plain file. */
export const readOwnFile = async ({ root, path }: Pick<OwnFile, 'root' | 'path'>): Promise<string | undefined> =>
  (await readPlain(join(root, path)))?.toString('utf8');

const notOurs = (path: string, why: string): CrewError =>
  new CrewError(
    'invalid_argument',
    `crewmux does not write ${path} of the worktree, because ${why}.`,
    'Write the rules there yourself.',
  );

/** Makes the file's folder, and hides the file from git before it is there. A list beside it, which hides itself, leaves the repository's alone. */
export async function hideOwnFile(file: OwnFile): Promise<void> {
  const { root, path, env } = file;
  await mkdir(join(root, dirname(path)), { recursive: true });
  const isHidden = await tryReadGit({ path: root, env }, ['check-ignore', '-q', '--no-index', '--', path]);
  if (isHidden.exitCode === 0) return;
  const list = join(root, dirname(path), '.gitignore');
  if (await exists(list)) return hidePath(file.gitCommonDir, join(file.subfolder, path));
  await writeFile(list, hidingBoth(path), { flag: 'wx' });
}

/** Removes the file, what hid it where that is ours, and a folder that is empty then. */
export async function removeOwnFile({ root, path }: Pick<OwnFile, 'root' | 'path'>): Promise<void> {
  await rm(join(root, path), { force: true });
  const folder = join(root, dirname(path));
  const list = join(folder, '.gitignore');
  if ((await plainText(list)) === hidingBoth(path)) await rm(list);
  // Where other files lie in it, it stays.
  await rmdir(folder).catch(() => undefined);
}

const hidingBoth = (path: string): string => `/.gitignore\n/${basename(path)}\n`;
