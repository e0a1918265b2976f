// A private copy of a worktree's index, so that the worker's own is never touched.
import { copyFile, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { newNonce } from '../model/ids.ts';
import { exists, hasCode } from './disk.ts';
import type { FolderFacts } from './inspect.ts';
import { git, type Place, readGit } from './repo.ts';

/** Runs git commands that see and change only the draft. */
export type DraftGit = (args: readonly string[], input?: string) => Promise<string>;

/** The draft exists while `use` runs. Empty when the worktree has no index. */
export async function withDraftIndex<T>(folder: FolderFacts, use: (draft: DraftGit) => Promise<T>): Promise<T> {
  // git keeps its own lock beside it, and a split index looks for its other half in the same folder.
  const path = join(folder.gitDir, `crewmux-${newNonce()}.index`);
  const place = topOf(folder);
  const gitEnv = { GIT_INDEX_FILE: path };
  try {
    await copyIndex(folder, path);
    return await use((args, input) => git(place, args, input === undefined ? { gitEnv } : { gitEnv, input }));
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

export const topOf = (folder: FolderFacts): Place => ({
  path: folder.worktreeRoot ?? folder.gitCommonDir,
  env: folder.env,
});

/** Changed files that `git status` passes over, because they are marked to be assumed unchanged or left out. */
export async function hiddenChanges(folder: FolderFacts): Promise<readonly string[]> {
  const listed = await readGit(topOf(folder), ['ls-files', '-v', '-z']);
  const marked = listed.split('\0').filter((entry) => /^[a-zS] /.test(entry));
  if (marked.length === 0) return [];
  const paths = marked.map((entry) => `${entry.slice(2)}\0`).join('');
  const differing = await withDraftIndex(folder, async (draft) => {
    await draft(['update-index', '--no-assume-unchanged', '-z', '--stdin'], paths);
    await draft(['update-index', '--no-skip-worktree', '-z', '--stdin'], paths);
    return draft(['diff-files', '--name-only', '-z']);
  });
  const wanted = new Set(marked.map((entry) => entry.slice(2)));
  const candidates = differing.split('\0').filter((path) => wanted.has(path));
  // A file left out of a sparse checkout is absent, and that is no change.
  const present = await Promise.all(candidates.map((path) => exists(join(topOf(folder).path, path))));
  return candidates.filter((_, at) => present[at]);
}
