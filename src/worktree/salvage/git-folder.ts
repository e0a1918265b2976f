// A worktree's own folder in the repository: reflog, unfinished merges, refs and settings that nobody else has.
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { newNonce } from '../../model/ids.ts';
import { repoPlace } from '../branch.ts';
import { draftGit } from '../draft-index.ts';
import type { FolderFacts, Repo } from '../inspect.ts';
import { git, type Place, readGit } from '../repo.ts';
import { storeFiles } from './store-files.ts';

/** What git makes anew for each worktree, what is saved in other ways, and what is only passing. */
const passing =
  /^(HEAD|commondir|gitdir|index|sharedindex\..*|locked|modules|crewmux-worktree\.json|crewmux-kept)$|^crewmux-(raw|look)-|\.lock$|\.index$/;

/** Paths below the folder of everything that is to be kept of it. */
export async function keptFiles(gitDir: string): Promise<readonly string[]> {
  const entries = await readdir(gitDir, { withFileTypes: true });
  const kept = entries.filter(({ name }) => !passing.test(name));
  const nested = kept.map(async (entry) =>
    entry.isDirectory()
      ? (await filesBelow(join(gitDir, entry.name))).map((path) => `${entry.name}/${path}`)
      : entry.isFile()
        ? [entry.name]
        : [],
  );
  return (await Promise.all(nested)).flat();
}

async function filesBelow(dir: string): Promise<readonly string[]> {
  const entries = await readdir(dir, { withFileTypes: true });
  const nested = entries.map(async (entry) =>
    entry.isDirectory()
      ? (await filesBelow(join(dir, entry.name))).map((path) => `${entry.name}/${path}`)
      : entry.isFile()
        ? [entry.name]
        : [],
  );
  return (await Promise.all(nested)).flat();
}

export interface TreeEntry {
  readonly mode: string;
  readonly sha: string;
  /** Below the top of the tree. */
  readonly path: string;
}

/** The folder's files as entries of a tree, below `git/`; some more of its files at the places they are given. */
export async function gitFolderEntries(
  folder: FolderFacts,
  more: ReadonlyMap<string, string>,
): Promise<readonly TreeEntry[]> {
  const paths = [...more.keys(), ...(await keptFiles(folder.gitDir))];
  const { stored } = await storeFiles({ path: folder.gitDir, env: folder.env }, paths);
  return stored.map(({ mode, sha, path }) => ({ mode, sha, path: more.get(path) ?? `git/${path}` }));
}

/** A tree of these entries. */
export async function treeOf(folder: FolderFacts, place: Place, entries: readonly TreeEntry[]): Promise<string> {
  const path = join(folder.gitDir, `crewmux-${newNonce()}.index`);
  const draft = draftGit(place, path);
  try {
    const lines = entries.map((entry) => `${entry.mode} ${entry.sha}\t${entry.path}\0`).join('');
    if (lines !== '') await draft.raw(['update-index', '--add', '-z', '--index-info'], lines);
    return (await draft(['write-tree'])).trim();
  } finally {
    await Promise.all([path, `${path}.lock`].map((file) => rm(file, { force: true })));
  }
}

/**
 * Commits that only this worktree knows of: amended, reset away, left on no branch, stashed by a rebase. Each is the
 * newest of its line; what they build on is reached through them. Throws when git cannot tell.
 */
export async function strayCommits(repo: Repo, gitDir: string, head?: string): Promise<readonly string[]> {
  const texts = await Promise.all((await keptFiles(gitDir)).map((path) => readFile(join(gitDir, path), 'latin1')));
  const headText = await readFile(join(gitDir, 'HEAD'), 'latin1').catch(() => '');
  const named = new Set([headText, ...texts].flatMap((text) => text.match(/\b(?:[0-9a-f]{64}|[0-9a-f]{40})\b/g) ?? []));
  const commits = await commitsAmong(repo, [...named]);
  if (commits.length === 0) return [];
  const lines = [...commits, ...(head === undefined ? [] : [`^${head}`])];
  const input = lines.map((line) => `${line}\n`).join('');
  const printed = await readGit(repoPlace(repo), ['rev-list', '--parents', '--stdin', '--not', '--all'], { input });
  return newestOf(printed);
}

async function commitsAmong(repo: Repo, names: readonly string[]): Promise<readonly string[]> {
  if (names.length === 0) return [];
  const input = names.map((name) => `${name}\n`).join('');
  const told = await git(repoPlace(repo), ['cat-file', '--batch-check=%(objectname) %(objecttype)'], { input });
  return told.split('\n').flatMap((line) => (line.endsWith(' commit') ? [line.slice(0, line.indexOf(' '))] : []));
}

/** Of lines of a commit and its parents, the commits that are nobody's parent. Pure. */
export function newestOf(lines: string): readonly string[] {
  const rows = lines.split('\n').filter((line) => line !== '');
  const parents = new Set(rows.flatMap((row) => row.split(' ').slice(1)));
  return rows.map((row) => row.split(' ')[0] ?? '').filter((commit) => !parents.has(commit));
}
