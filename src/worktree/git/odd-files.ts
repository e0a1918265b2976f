// Files of a worktree that git would read or write, and that are no plain files: git would wait for them, or follow them.
import { type BigIntStats, lstatSync, readdirSync, type Stats } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isMissing } from '../../model/errors.ts';
import { newNonce } from '../../model/ids.ts';
import { below } from '../../system/disk.ts';
import { mostBytes, notPlain, oddness, readPlainSync } from '../../system/plain-file.ts';
import type { GitFolders } from './git-link.ts';

export interface OddFile {
  /** Where it belongs. */
  readonly path: string;
  readonly why: string;
  /** Where it lies, since it held every git of the repository. */
  readonly movedTo?: string;
}

/** Throws `worktree_failed` that names the first such file. Each call of git in a worktree asks this first. */
export function refuseOdd(folders: GitFolders): void {
  const [first] = oddFiles(folders);
  if (first !== undefined) throw notPlain(first.path, first.why);
}

/** Without those in subfolders of the work tree, which git alone knows whether it reads. */
export function oddFiles({ gitDir, commonDir, root }: GitFolders): readonly OddFile[] {
  return [
    ...oddInGitFolder(gitDir),
    ...(root === undefined ? [] : [...readInTree].flatMap((name) => oddInTree(root, name))),
    ...(gitDir === commonDir ? [] : oddBranch(gitDir, commonDir)),
  ];
}

/** The names under which git reads files of the work tree, in any of its folders. */
export const readInTree: ReadonlySet<string> = new Set(['.gitattributes', '.gitignore', '.gitmodules']);

/** Of these git follows a link of `.gitmodules` alone. */
export function oddInTree(folder: string, name: string): readonly OddFile[] {
  const path = join(folder, name);
  const facts = factsAt(path);
  if (facts === undefined || facts.isDirectory()) return [];
  if (facts.isSymbolicLink() && name !== '.gitmodules') return [];
  return oddAt(path, facts);
}

/** Repositories with files of any size, and what is ours or was set aside. */
const passedOver = /^(modules|objects|lfs|crewmux-.*)$/;
/** Under such a name lies what nobody could read. */
export const isAside = (name: string): boolean => name.includes('crewmux-aside-');
const isIndex = (name: string) => /^(index|sharedindex\..*)$|\.index$/.test(name);
/** What an unfinished operation keeps there may be large. */
const mayBeLarge = /^(rebase-|sequencer)/;

function oddInGitFolder(gitDir: string): readonly OddFile[] {
  const head = join(gitDir, 'HEAD');
  const missing =
    factsAt(gitDir) !== undefined && factsAt(head) === undefined ? [{ path: head, why: 'is missing' }] : [];
  return [...missing, ...oddBelow(gitDir, '')];
}

function oddBelow(gitDir: string, inside: string): readonly OddFile[] {
  return entriesOf(join(gitDir, inside)).flatMap((name) => {
    if (isAside(name) || (inside === '' && passedOver.test(name))) return [];
    const [path, relative] = [join(gitDir, inside, name), join(inside, name)];
    const moved = movedFrom(join(gitDir, inside), name);
    if (moved !== undefined) return [moved];
    const facts = factsAt(path);
    if (facts === undefined) return [];
    if (facts.isDirectory()) return isPlainName(relative) ? oddAt(path, facts) : oddBelow(gitDir, relative);
    return oddAt(path, facts, isIndex(name) || mayBeLarge.test(relative) ? mostBytes.index : mostBytes.other);
  });
}

/** A folder in its place would be read as one. */
const isPlainName = (name: string) =>
  /^(HEAD|index|commondir|gitdir|config\.worktree|locked|[A-Z]+_(HEAD|EDITMSG|MSG)|logs\/HEAD)$/.test(name);

/** The file of the branch that HEAD names, and the folders on the way to it. */
function oddBranch(gitDir: string, commonDir: string): readonly OddFile[] {
  const branch = headBranch(gitDir);
  if (branch === undefined) return [];
  const path = join(commonDir, 'refs/heads', branch);
  // It may be packed, or it was moved.
  const lost = factsAt(path) === undefined ? entriesOf(dirname(path)) : [];
  const moves = lost.flatMap((name) => movedFrom(dirname(path), name) ?? []);
  return [...moves.filter((one) => one.path === path), ...oddOnWay(commonDir, `refs/heads/${branch}`)];
}

const moved = /^(?:\.|tmp_)crewmux-odd-\w{8}-(.+)$/;

/** A name that git passes over, of a file that no git can use. */
export const movedName = (path: string, prefix: '.' | 'tmp_'): string =>
  join(dirname(path), `${prefix}crewmux-odd-${newNonce()}-${basename(path)}`);

function movedFrom(folder: string, name: string): OddFile | undefined {
  const path = moved.exec(name)?.[1];
  const movedTo = join(folder, name);
  return path === undefined
    ? undefined
    : { path: join(folder, path), why: `was no plain file, and lies at ${movedTo} now`, movedTo };
}

/** Undefined where HEAD is on none, or is no plain file. */
export function headBranch(gitDir: string): string | undefined {
  try {
    return /^ref: refs\/heads\/(.+)$/m.exec(readPlainSync(join(gitDir, 'HEAD')) ?? '')?.[1];
  } catch {
    return undefined;
  }
}

/** Of the folders between a ref's file and the repository's folder, and of the file, the first that is odd. */
export function oddOnWay(commonDir: string, ref: string): readonly OddFile[] {
  if (below(commonDir, join(commonDir, ref)) === undefined) return [];
  const names = ref.split('/');
  for (const [at] of names.entries()) {
    const path = join(commonDir, ...names.slice(0, at + 1));
    const facts = factsAt(path);
    if (facts === undefined) return [];
    const isLast = at === names.length - 1;
    // A folder there belongs to branches below it, and is no branch.
    if (facts.isDirectory()) continue;
    return isLast ? oddAt(path, facts) : [{ path, why: oddness(facts) ?? 'is no folder' }];
  }
  return [];
}

function oddAt(path: string, facts: Stats | BigIntStats, most: number = mostBytes.other): readonly OddFile[] {
  const why = oddness(facts, most);
  return why === undefined ? [] : [{ path, why }];
}

function factsAt(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function entriesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
