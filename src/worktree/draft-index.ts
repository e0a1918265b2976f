// A private copy of a worktree's index, so that the worker's own is never touched.
import { copyFile, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { newNonce } from '../model/ids.ts';
import { hasCode } from './disk.ts';
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

/** Changed files that `git status` passes over, because they are marked to be assumed unchanged or left out. */
export async function hiddenChanges(folder: FolderFacts): Promise<readonly RawName[]> {
  const listed = nulEnded(await rawGit(topOf(folder), ['--no-optional-locks', 'ls-files', '-v', '-z']));
  const marked = listed.filter((entry) => /^[a-zS] /.test(entry)).map((entry) => entry.slice(2));
  if (marked.length === 0) return [];
  const paths = marked.map((path) => `${path}\0`).join('');
  const differing = await withDraftIndex(folder, async (draft) => {
    await draft.raw(['update-index', '--no-assume-unchanged', '-z', '--stdin'], paths);
    await draft.raw(['update-index', '--no-skip-worktree', '-z', '--stdin'], paths);
    return draft.raw(['diff-files', '--name-only', '-z']);
  });
  const wanted = new Set(marked);
  const leftOut = new Set(listed.filter((entry) => /^s /i.test(entry)).map((entry) => entry.slice(2)));
  const candidates = nulEnded(differing).filter((path) => wanted.has(path));
  // A file left out of a sparse checkout is absent, and that is no change.
  const present = await Promise.all(candidates.map((path) => lookAtDisk(topOf(folder).path, path)));
  return candidates.filter((path, at) => present[at] !== undefined || !leftOut.has(path));
}
