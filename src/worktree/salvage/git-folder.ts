// Saves a worktree's own folder in the repository: reflog, unfinished merges, refs and settings.
import { mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { newNonce } from '../../model/ids.ts';
import { mostBytes, readPlain } from '../../system/plain-file.ts';
import { repoPlace } from '../git/branch.ts';
import { draftGit, topOf } from '../git/draft-index.ts';
import type { FolderFacts, Repo } from '../git/inspect.ts';
import { isAside } from '../git/odd-files.ts';
import { stashLog } from '../git/own-refs.ts';
import { listed } from '../git/porcelain.ts';
import { git, gitFailed, tryReadGit } from '../git/repo.ts';
import { byteForByte } from './byte-for-byte.ts';
import { copyWholeIndex } from './salvage-trees.ts';

/** Files that git makes anew for each worktree, that a salvage holds elsewhere, or that are temporary. */
const passing =
  /^(HEAD|commondir|gitdir|index|sharedindex\..*|locked|modules|crewmux-worktree\.json|crewmux-kept)$|^crewmux-(raw|look)-|\.lock$|\.index$/;

/** Paths of the files that a salvage keeps. */
export const keptFiles = async (gitDir: string): Promise<readonly string[]> =>
  (await filesBelow(gitDir)).filter((path) => !passing.test(path.split('/')[0] ?? '') && !isAside(path));

const filesBelow = async (dir: string): Promise<readonly string[]> =>
  (await readdir(dir, { withFileTypes: true, recursive: true }))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(dir, join(parentPath, name)));

export async function copyFiles(paths: readonly string[], { from, to }: { from: string; to: string }): Promise<void> {
  for (const path of paths) {
    await mkdir(dirname(join(to, path)), { recursive: true });
    await copyPlain(join(from, path), join(to, path));
  }
}

/** Takes the place of what is there; nothing of it is opened. */
export async function copyPlain(from: string, to: string): Promise<void> {
  const bytes = await readPlain(from, mostBytes.index);
  if (bytes === undefined) return;
  const whole = `${to}.crewmux-${newNonce()}`;
  await writeFile(whole, bytes, { flag: 'wx' });
  await rename(whole, to);
}

/** A tree of the index as a file with all its marks, the names of converted files, and below `git` what git keeps. */
export const ownTree = (
  folder: FolderFacts,
  { sha, converted }: { readonly sha: string; readonly converted: readonly string[] },
): Promise<string> =>
  byteForByte({ ...folder, sha }, async (env, scratch) => {
    const own = join(scratch, 'own');
    await mkdir(own);
    await copyWholeIndex(folder, join(own, 'index'));
    await writeFile(join(own, 'filtered'), listed(converted));
    await copyFiles(await keptFiles(folder.gitDir), { from: folder.gitDir, to: join(own, 'git') });
    const stash = await stashLog(folder.gitDir);
    if (stash !== '') await writeFile(join(own, 'stash'), stash, 'latin1');
    const draft = draftGit(topOf(folder), join(scratch, 'index'), { ...env, GIT_WORK_TREE: own });
    await draft(['update-index', '--add', '-z', '--stdin'], listed(await filesBelow(own)));
    return (await draft(['write-tree'])).trim();
  });

/**
 * Commits that only this worktree knows of: amended, reset away, left on no branch, stashed. Each is the
 * newest of its line; what they build on is reached through them. Throws when git cannot tell.
 */
export async function strayCommits(repo: Repo, gitDir: string, head?: string): Promise<readonly string[]> {
  const texts = await Promise.all((await keptFiles(gitDir)).map((path) => textOf(join(gitDir, path))));
  const headText = await textOf(join(gitDir, 'HEAD')).catch(() => '');
  const named = new Set(
    [headText, await stashLog(gitDir), ...texts].flatMap(
      (text) => text.match(/\b(?:[0-9a-f]{64}|[0-9a-f]{40})\b/g) ?? [],
    ),
  );
  const names = [...named].filter((name) => !/^0+$/.test(name));
  if (names.length === 0) return [];
  const listing = (commits: readonly string[]) => {
    const input = [...commits, ...(head === undefined ? [] : [`^${head}`])].map((line) => `${line}\n`).join('');
    return tryReadGit(repoPlace(repo), [...unreached], { input });
  };
  const found = await listing(names);
  if (found.exitCode === 0) return newestOf(found.stdout);
  // Some name is of no object here, or not of a commit.
  const commits = await commitsAmong(repo, names);
  if (commits.length === 0) return [];
  const known = await listing(commits);
  if (known.exitCode !== 0) throw gitFailed(repoPlace(repo), unreached, known);
  return newestOf(known.stdout);
}

const textOf = async (path: string) => (await readPlain(path, mostBytes.index))?.toString('latin1') ?? '';

const unreached = ['rev-list', '--parents', '--stdin', '--not', '--all'] as const;

async function commitsAmong(repo: Repo, names: readonly string[]): Promise<readonly string[]> {
  const input = names.map((name) => `${name}\n`).join('');
  const result = await git(repoPlace(repo), ['cat-file', '--batch-check=%(objectname) %(objecttype)'], { input });
  return result.split('\n').flatMap((line) => (line.endsWith(' commit') ? [line.slice(0, line.indexOf(' '))] : []));
}

/** Of lines of a commit and its parents, the commits that are nobody's parent. Pure. */
export function newestOf(lines: string): readonly string[] {
  const rows = lines.split('\n').filter((line) => line !== '');
  const parents = new Set(rows.flatMap((row) => row.split(' ').slice(1)));
  return rows.map((row) => row.split(' ')[0] ?? '').filter((commit) => !parents.has(commit));
}
