// Finds the files that a salvage could not bring back exactly. Removal names them and keeps the worktree.
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { exists } from '../../system/disk.ts';
import { mostBytes, readPlain } from '../../system/plain-file.ts';
import { withPrivateFolder } from '../../system/private-folder.ts';
import { type IndexEntry, topOf } from '../git/draft-index.ts';
import type { FolderFacts } from '../git/inspect.ts';
import { differsOnDisk, type FileChange, listed } from '../git/porcelain.ts';
import { type GitPlace, git, readGit, settingsAt } from '../git/repo.ts';

export interface Changes {
  readonly changes: readonly FileChange[];
  /** Changed files that git status passes over. */
  readonly hidden: readonly string[];
  readonly entries: readonly IndexEntry[];
}

/** The files that are not on disk as the index has them. */
export const differingFiles = ({ changes, hidden }: Changes): ReadonlySet<string> =>
  new Set([...changes.filter(differsOnDisk).map(({ path }) => path), ...hidden]);

export interface Savable {
  /** Why the worktree cannot be saved; empty where it can. */
  readonly reasons: readonly string[];
  /** Unchanged files that a sparse checkout has left out. */
  readonly absent: readonly string[];
  /** Unchanged files that git has to convert again when they come back. */
  readonly converted: readonly string[];
}

/** Reads only the files that git has converted. */
export async function savable(folder: FolderFacts, seen: Changes): Promise<Savable> {
  const top = topOf(folder);
  const differing = differingFiles(seen);
  const same = seen.entries.filter(
    ({ stage, mode, path }) => stage === '0' && mode !== '160000' && !differing.has(path),
  );
  const leftOut = same.filter(({ tag }) => /s/i.test(tag)).map(({ path }) => path);
  const there = await Promise.all(leftOut.map((path) => exists(join(top.path, path))));
  const absent = leftOut.filter((_, at) => !there[at]);
  const gone = new Set(absent);
  const regular = same.filter(({ mode, path }) => mode !== '120000' && !gone.has(path));
  const { filtered, encoded, rewritten } = await convertible(top, regular);
  const paths = (entries: readonly IndexEntry[]) => entries.map(({ path }) => path);
  const named = (entries: readonly IndexEntry[]) => entries.filter(({ path }) => isText(path));
  const suspects = [...paths(named(encoded)), ...(await withOtherSizes(top, named(rewritten)))];
  const other = await notWrittenAgain(folder, suspects);
  const nameless = [...differing, ...paths([...filtered, ...encoded, ...rewritten])].filter((path) => !isText(path));
  return {
    reasons: [
      ...reason('it holds file names that are not UTF-8', nameless),
      ...reason('git would write other bytes, such as line ends, to', other),
    ],
    absent,
    converted: [...paths(named(filtered)), ...suspects],
  };
}

/** git prints bytes that are not UTF-8, and they become this character. */
export const isText = (path: string): boolean => !path.includes('\u{fffd}');

const mostNamed = 5;

function reason(words: string, paths: readonly string[]): readonly string[] {
  if (paths.length === 0) return [];
  const more = paths.length > mostNamed ? ` and ${paths.length - mostNamed} more` : '';
  return [`${words}: ${paths.slice(0, mostNamed).join(', ')}${more}`];
}

type Conversion = 'filtered' | 'encoded' | 'rewritten';

/** The stronger first. */
const conversions: readonly (readonly [Conversion, readonly string[]])[] = [
  // Only a program of the user knows what it makes of a file.
  ['filtered', ['filter']],
  ['encoded', ['working-tree-encoding']],
  ['rewritten', ['text', 'crlf', 'eol', 'ident']],
];

/** The files that git may write otherwise than it stores them. */
async function convertible(
  top: GitPlace,
  files: readonly IndexEntry[],
): Promise<Readonly<Record<Conversion, readonly IndexEntry[]>>> {
  if (files.length === 0) return { filtered: [], encoded: [], rewritten: [] };
  const input = listed(files.map(({ path }) => path));
  const [settings, printed] = await Promise.all([
    settingsAt(top),
    readGit(top, ['check-attr', '-z', '--stdin', '--all'], { input }),
  ]);
  const auto = settings.findLast(({ key }) => key === 'core.autocrlf')?.value ?? '';
  const parts = printed.split('\0');
  const given = new Set<string>();
  for (let at = 0; at + 2 < parts.length; at += 3)
    if (parts[at + 2] !== 'unset') given.add(`${parts[at + 1]} ${parts[at]}`);
  const isAuto = !['', 'false', 'no', 'off', '0'].includes(auto.trim().toLowerCase());
  const conversionOf = ({ path }: IndexEntry): Conversion | undefined =>
    conversions.find(([, names]) => names.some((name) => given.has(`${name} ${path}`)))?.[0] ??
    (isAuto ? 'rewritten' : undefined);
  const of = (wanted: Conversion) => files.filter((file) => conversionOf(file) === wanted);
  return { filtered: of('filtered'), encoded: of('encoded'), rewritten: of('rewritten') };
}

/** On the way in git only takes line ends and idents away, so a file of the same size has the same bytes. */
async function withOtherSizes(top: GitPlace, files: readonly IndexEntry[]): Promise<readonly string[]> {
  if (files.length === 0) return [];
  const input = files.map(({ sha }) => `${sha}\n`).join('');
  const printed = await readGit(top, ['cat-file', '--buffer', '--batch-check=%(objectsize)'], { input });
  const stored = printed.split('\n');
  const fewAtOnce = pLimit(32);
  const sizes = await Promise.all(
    files.map(({ path }) => fewAtOnce(async () => String((await lstat(join(top.path, path))).size))),
  );
  return files.flatMap(({ path }, at) => (sizes[at] === stored[at] ? [] : [path]));
}

/** Lets git write them once more beside the worktree, and compares. */
async function notWrittenAgain(folder: FolderFacts, paths: readonly string[]): Promise<readonly string[]> {
  if (paths.length === 0) return [];
  const top = topOf(folder);
  return withPrivateFolder(async (dir) => {
    const args = ['--no-optional-locks', 'checkout-index', `--prefix=${dir}/`, '-z', '--stdin'];
    await git(top, args, { input: listed(paths) });
    const other: string[] = [];
    for (const path of paths) {
      const [now, again] = await Promise.all([top.path, dir].map((one) => readPlain(join(one, path), mostBytes.index)));
      if (now === undefined || again === undefined || !now.equals(again)) other.push(path);
    }
    return other;
  });
}
