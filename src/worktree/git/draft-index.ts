// A private copy of a worktree's index, so that the worker's own is never touched.
import { lstat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { defined } from '../../model/defined.ts';
import { exists, unlessMissing } from '../../system/disk.ts';
import { mostBytes, readPlain } from '../../system/plain-file.ts';
import { withPrivateFolder } from '../../system/private-folder.ts';
import type { FolderFacts } from './inspect.ts';
import { listed, nulEnded } from './porcelain.ts';
import { type Env, type GitPlace, git, readGit } from './repo.ts';

/** Runs git commands that see and change only the draft. */
export interface DraftGit {
  (args: readonly string[], input?: string): Promise<string>;
  readonly path: string;
}

/** The draft exists while `use` runs. Empty when the worktree has no index. */
export async function withDraftIndex<T>(folder: FolderFacts, use: (draft: DraftGit) => Promise<T>): Promise<T> {
  // Beside the worktree's own a worker could put a link in its place, which git would follow as it writes.
  return withPrivateFolder(async (own) => {
    const path = join(own, 'index');
    await copyIndex(folder, path);
    return use(draftGit(topOf(folder), path));
  });
}

/** Nothing is made where the worktree has no index. */
async function copyIndex({ gitDir }: FolderFacts, to: string): Promise<void> {
  const from = join(gitDir, 'index');
  const facts = await unlessMissing(lstat(from));
  const bytes = await readPlain(from, mostBytes.index);
  if (bytes === undefined || facts === undefined) return;
  await writeFile(to, bytes, { flag: 'wx', mode: 0o600 });
  // git takes a file of the same size and second as unchanged unless the index is as old as the file.
  await utimes(to, facts.atime, facts.mtime);
}

/** A name that only a file system of Windows or macOS would take for git's own folder is a name like any other here. */
const anyName = ['-c', 'core.protectNTFS=false', '-c', 'core.protectHFS=false'];

/** git on the index at a path, which need not exist. */
export function draftGit(place: GitPlace, path: string, more: Env = {}): DraftGit {
  const gitEnv = { ...more, GIT_INDEX_FILE: path };
  const run = (args: readonly string[], input?: string) =>
    git(place, [...anyName, ...args], { gitEnv, ...defined({ input }) });
  return Object.assign(run, { path });
}

export const topOf = (folder: FolderFacts): GitPlace => ({
  path: folder.worktreeRoot ?? folder.gitCommonDir,
  env: folder.env,
});

export interface IndexEntry {
  /** As `git ls-files -v` marks it. */
  readonly tag: string;
  readonly mode: string;
  readonly sha: string;
  readonly stage: string;
  readonly path: string;
}

export async function indexEntries(folder: FolderFacts): Promise<readonly IndexEntry[]> {
  return nulEnded(await readGit(topOf(folder), ['ls-files', '-v', '-s', '-z'])).map((entry) => {
    const found = /^(.) (\d+) ([0-9a-f]+) (\d)\t(.*)$/s.exec(entry);
    if (found === null) throw new Error(`git ls-files printed ${JSON.stringify(entry)}.`);
    const [, tag = '', mode = '', sha = '', stage = '', path = ''] = found;
    return { tag, mode, sha, stage, path };
  });
}

/** Changed files that `git status` passes over, because they are marked to be assumed unchanged or left out. */
export async function hiddenChanges(folder: FolderFacts, entries: readonly IndexEntry[]): Promise<readonly string[]> {
  const marked = entries.filter(({ tag }) => /^[a-zS]$/.test(tag)).map(({ path }) => path);
  if (marked.length === 0) return [];
  const paths = listed(marked);
  const differing = await withDraftIndex(folder, async (draft) => {
    await draft(['update-index', '--no-assume-unchanged', '-z', '--stdin'], paths);
    await draft(['update-index', '--no-skip-worktree', '-z', '--stdin'], paths);
    return draft(['diff-files', '--name-only', '--ignore-submodules=dirty', '-z']);
  });
  const wanted = new Set(marked);
  const leftOut = new Set(entries.filter(({ tag }) => /^s$/i.test(tag)).map(({ path }) => path));
  const candidates = nulEnded(differing).filter((path) => wanted.has(path));
  // A file left out of a sparse checkout is absent, and that is no change.
  const present = await Promise.all(candidates.map((path) => exists(join(topOf(folder).path, path))));
  return candidates.filter((path, at) => present[at] || !leftOut.has(path));
}
