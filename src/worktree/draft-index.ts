// A private copy of a worktree's index, so that the worker's own is never touched.
import { copyFile, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { newNonce } from '../model/ids.ts';
import { hasCode } from '../system/disk.ts';
import type { FolderFacts } from './inspect.ts';
import { type Env, git, type Place, rawGit } from './repo.ts';
import { lookAtDisk, nulEnded, type RawName } from './salvage/raw-name.ts';

/** Runs git commands that see and change only the draft. */
export interface DraftGit {
  (args: readonly string[], input?: string): Promise<string>;
  /** With names as they are, one character for each byte. */
  raw(args: readonly string[], input?: string): Promise<string>;
  readonly path: string;
}

/** The draft exists while `use` runs. Empty when the worktree has no index. */
export async function withDraftIndex<T>(folder: FolderFacts, use: (draft: DraftGit) => Promise<T>): Promise<T> {
  // git keeps its own lock beside it, and a split index looks for its other half in the same folder.
  const path = join(folder.gitDir, `crewmux-${newNonce()}.index`);
  try {
    await copyIndex(folder, path);
    return await use(draftGit(topOf(folder), path, missingPlace(folder)));
  } finally {
    await Promise.all([path, `${path}.lock`].map((file) => rm(file, { force: true })));
  }
}

/** Nothing is made where the worktree has no index. */
export async function copyIndex({ gitDir }: FolderFacts, to: string): Promise<void> {
  const from = join(gitDir, 'index');
  try {
    const { atime, mtime } = await stat(from);
    await copyFile(from, to);
    // git takes a file of the same size and second as unchanged unless the index is as old as the file.
    await utimes(to, atime, mtime);
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
  }
}

/** A name that only a file system of Windows or macOS would take for git's own folder is a name like any other here. */
const anyName = ['-c', 'core.protectNTFS=false', '-c', 'core.protectHFS=false'];

/** Where the folder of the worktree is gone, git looks at its index from git's own folder for it. */
const missingPlace = ({ worktreeRoot, gitDir }: FolderFacts): Env =>
  worktreeRoot === undefined ? { GIT_DIR: gitDir, GIT_WORK_TREE: gitDir } : {};

/** git on the index at a path, which need not exist. */
export function draftGit(place: Place, path: string, more: Env = {}): DraftGit {
  const gitEnv = { ...more, GIT_INDEX_FILE: path };
  const options = (input: string | undefined) => (input === undefined ? { gitEnv } : { gitEnv, input });
  return Object.assign((args: readonly string[], input?: string) => git(place, [...anyName, ...args], options(input)), {
    path,
    raw: (args: readonly string[], input?: string) => rawGit(place, [...anyName, ...args], options(input)),
  });
}

export const topOf = (folder: FolderFacts): Place => ({
  path: folder.worktreeRoot ?? folder.gitCommonDir,
  env: folder.env,
});

export interface IndexEntry {
  /** As `git ls-files -v` marks it. */
  readonly tag: string;
  readonly mode: string;
  readonly sha: string;
  readonly stage: string;
  readonly path: RawName;
}

export async function indexEntries(folder: FolderFacts): Promise<readonly IndexEntry[]> {
  const listed = await rawGit(topOf(folder), ['--no-optional-locks', 'ls-files', '-v', '-s', '-z']);
  return nulEnded(listed).map((entry) => {
    const found = /^(.) (\d+) ([0-9a-f]+) (\d)\t(.*)$/s.exec(entry);
    if (found === null) throw new Error(`git ls-files printed ${JSON.stringify(entry)}.`);
    const [, tag = '', mode = '', sha = '', stage = '', path = ''] = found;
    return { tag, mode, sha, stage, path };
  });
}

/** Changed files that `git status` passes over, because they are marked to be assumed unchanged or left out. */
export async function hiddenChanges(folder: FolderFacts, entries: readonly IndexEntry[]): Promise<readonly RawName[]> {
  const marked = entries.filter(({ tag }) => /^[a-zS]$/.test(tag)).map(({ path }) => path);
  if (marked.length === 0) return [];
  const paths = marked.map((path) => `${path}\0`).join('');
  const differing = await withDraftIndex(folder, async (draft) => {
    await draft.raw(['update-index', '--no-assume-unchanged', '-z', '--stdin'], paths);
    await draft.raw(['update-index', '--no-skip-worktree', '-z', '--stdin'], paths);
    return draft.raw(['diff-files', '--name-only', '--ignore-submodules=dirty', '-z']);
  });
  const wanted = new Set(marked);
  const leftOut = new Set(entries.filter(({ tag }) => /^s$/i.test(tag)).map(({ path }) => path));
  const candidates = nulEnded(differing).filter((path) => wanted.has(path));
  // A file left out of a sparse checkout is absent, and that is no change.
  const present = await Promise.all(candidates.map((path) => lookAtDisk(topOf(folder).path, path)));
  return candidates.filter((path, at) => present[at] !== undefined || !leftOut.has(path));
}
