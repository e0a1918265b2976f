// The link between a worktree and its own folder in the repository, read both ways without git.
import { lstatSync, statSync } from 'node:fs';
import { readdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { newNonce } from '../../model/ids.ts';
import { plainText, readPlainSync } from '../../system/plain-file.ts';

/** Where a `.git` file leads; undefined for anything that is no such file. Throws when there is nothing. */
export function linkTarget(file: string): string | undefined {
  if (!lstatSync(file).isFile()) return undefined;
  const target = /^gitdir: (.*)$/m.exec(readPlainSync(file) ?? '')?.[1];
  return target === undefined ? undefined : resolve(dirname(file), target);
}

/** The folders of git that a path belongs to. */
export interface GitFolders {
  readonly gitDir: string;
  readonly commonDir: string;
  /** The top of a worktree that has its git folder elsewhere. */
  readonly root?: string;
}

/**
 * As git would find them, without git; undefined where there is no repository. Each call of git asks this, so it asks the
 * disk without waiting for its turn.
 */
export function gitFoldersOf(path: string): GitFolders | undefined {
  for (let folder = path; ; folder = dirname(folder)) {
    const found = gitFoldersAt(folder);
    if (found !== undefined || dirname(folder) === folder) return found;
  }
}

function gitFoldersAt(root: string): GitFolders | undefined {
  const known = pins.get(root);
  if (known !== undefined) return { ...known, root };
  const link = join(root, '.git');
  if (isFolder(link)) return withCommon(link);
  const gitDir = orNothing(() => linkTarget(link));
  if (gitDir !== undefined) return { ...withCommon(gitDir), root };
  return isThere(join(root, 'HEAD')) && isThere(join(root, 'objects')) ? withCommon(root) : undefined;
}

const isThere = (path: string) => orNothing(() => lstatSync(path)) !== undefined;
const isOwnFolder = (path: string) => orNothing(() => lstatSync(path))?.isDirectory() ?? false;
const isFolder = (path: string) => orNothing(() => statSync(path))?.isDirectory() ?? false;

function orNothing<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}

function withCommon(gitDir: string): GitFolders {
  const common = orNothing(() => readPlainSync(join(gitDir, 'commondir')));
  return { gitDir, commonDir: common === undefined ? gitDir : resolve(gitDir, common.trimEnd()) };
}

export type Pin = Required<Omit<GitFolders, 'root'>>;

const pins = new Map<string, Pin>();

/** From now on crewmux passes the worktree's folders to git, whatever lies in the worktree. */
export function pinWorktree(root: string, pin: Pin): void {
  pins.set(root, pin);
}

export function unpinWorktree(root: string): void {
  pins.delete(root);
}

/** What of the links of a pinned worktree leads elsewhere than at its making; undefined where all is as it was, or gone. */
export function movedLink(root: string): string | undefined {
  const pin = pins.get(root);
  if (pin === undefined || !isThere(root)) return undefined;
  const link = join(root, '.git');
  const target = orNothing(() => linkTarget(link));
  if (target !== pin.gitDir) return `${link} leads to ${target ?? 'no git folder'} and not to ${pin.gitDir}`;
  return brokenLink({ ...pin, root });
}

/**
 * Writes the links of a pinned worktree as they were at its making. They hold no work, unlike a repository in the place of
 * one: there, and where git's own folder for it is gone, nothing is done.
 */
export async function tieAgain(root: string): Promise<void> {
  const pin = pins.get(root);
  if (pin === undefined || movedLink(root) === undefined) return;
  const { gitDir, commonDir } = pin;
  const link = join(root, '.git');
  if (!isOwnFolder(gitDir) || isOwnFolder(link) || dirname(gitDir) !== join(commonDir, 'worktrees')) return;
  const links = { [join(gitDir, 'commondir')]: '../..', [join(gitDir, 'gitdir')]: link, [link]: `gitdir: ${gitDir}` };
  for (const [file, text] of Object.entries(links)) {
    // Another git may read the file at this moment, and fails where it is empty or missing. A rename replaces it at once.
    const whole = `${file}.crewmux-${newNonce()}`;
    await writeFile(whole, `${text}\n`, { flag: 'wx' });
    await rename(whole, file);
  }
}

/** Whether a worktree's own git folder belongs to it and to the repository that it lies in. */
function brokenLink({ gitDir, commonDir, root }: Required<GitFolders>): string | undefined {
  if (!isOwnFolder(gitDir)) return `${gitDir} is no folder`;
  const { commonDir: common } = withCommon(gitDir);
  if (common !== commonDir) return `${join(gitDir, 'commondir')} names ${common} and not ${commonDir}`;
  if (dirname(gitDir) !== join(commonDir, 'worktrees')) return `${gitDir} does not lie in ${commonDir}/worktrees`;
  const back = orNothing(() => readPlainSync(join(gitDir, 'gitdir'))) ?? '';
  const link = join(root, '.git');
  return resolve(gitDir, back.trimEnd()) === link ? undefined : `${join(gitDir, 'gitdir')} names ${back.trim()}`;
}

/** The environment that keeps git to a linked worktree's folders; empty where they do not fit together. */
export function pinEnvironment(folders: GitFolders): Readonly<Record<string, string>> {
  const { gitDir, commonDir, root } = folders;
  if (root === undefined) return {};
  if (!pins.has(root) && brokenLink({ gitDir, commonDir, root }) !== undefined) return {};
  return { GIT_DIR: gitDir, GIT_COMMON_DIR: commonDir, GIT_WORK_TREE: root };
}

/** The repository's folder for the worktree at a path, which may be gone; undefined when it has none. */
export async function gitDirOf(gitCommonDir: string, worktreePath: string): Promise<string | undefined> {
  const all = join(gitCommonDir, 'worktrees');
  for (const name of await readdir(all).catch(() => [])) {
    const dir = join(all, name);
    const link = await plainText(join(dir, 'gitdir'));
    if (resolve(dir, link.trimEnd()) === join(worktreePath, '.git')) return dir;
  }
  return undefined;
}
