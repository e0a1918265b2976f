// The files that a salvage could not bring back exactly. They are named, and the worktree is kept.
import { createHash } from 'node:crypto';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { newNonce } from '../../model/ids.ts';
import { exists } from '../../system/disk.ts';
import { type IndexEntry, topOf } from '../draft-index.ts';
import type { FolderFacts } from '../inspect.ts';
import { type Change, differsOnDisk, listed } from '../porcelain.ts';
import { git, type Place, readGit, tryReadGit } from '../repo.ts';

export interface Changes {
  readonly changes: readonly Change[];
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

/** Reads what git may have converted. */
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
  const { filtered, rewritten } = await convertible(top, regular);
  const named = ({ path }: IndexEntry) => isText(path);
  const fewAtOnce = pLimit(16);
  const isStored = await Promise.all(
    rewritten.filter(named).map((file) => fewAtOnce(() => isAsStored(top.path, file))),
  );
  const suspects = rewritten.filter(named).flatMap(({ path }, at) => (isStored[at] ? [] : [path]));
  const other = await notWrittenAgain(folder, suspects);
  const nameless = [...differing, ...[...filtered, ...rewritten].map(({ path }) => path)].filter(
    (path) => !isText(path),
  );
  return {
    reasons: [
      ...reason('it holds file names that are not UTF-8', nameless),
      ...reason('git would write other bytes, such as line ends, to', other),
    ],
    absent,
    converted: [...filtered.filter(named).map(({ path }) => path), ...suspects],
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

const rewriting = new Set(['text', 'crlf', 'eol', 'ident', 'working-tree-encoding']);

interface Convertible {
  /** Only a program of the user knows what it makes of these. */
  readonly filtered: readonly IndexEntry[];
  /** git itself may write these otherwise than it stores them. */
  readonly rewritten: readonly IndexEntry[];
}

async function convertible(top: Place, files: readonly IndexEntry[]): Promise<Convertible> {
  if (files.length === 0) return { filtered: [], rewritten: [] };
  const input = listed(files.map(({ path }) => path));
  const [auto, printed] = await Promise.all([
    tryReadGit(top, ['config', '--get', 'core.autocrlf']),
    readGit(top, ['check-attr', '-z', '--stdin', '--all'], { input }),
  ]);
  const parts = printed.split('\0');
  const filtered = new Set<string>();
  const rewritten = new Set<string>();
  for (let at = 0; at + 2 < parts.length; at += 3) {
    const [path = '', name = '', value = ''] = parts.slice(at, at + 3);
    if (value === 'unset') continue;
    if (name === 'filter') filtered.add(path);
    else if (rewriting.has(name)) rewritten.add(path);
  }
  const isAuto = !['', 'false', 'no', 'off', '0'].includes(auto.stdout.trim().toLowerCase());
  return {
    filtered: files.filter(({ path }) => filtered.has(path)),
    rewritten: files.filter(({ path }) => !filtered.has(path) && (isAuto || rewritten.has(path))),
  };
}

async function isAsStored(top: string, { path, sha }: IndexEntry): Promise<boolean> {
  const bytes = await readFile(join(top, path));
  const hash = createHash(sha.length === 64 ? 'sha256' : 'sha1')
    .update(`blob ${bytes.length}\0`)
    .update(bytes);
  return hash.digest('hex') === sha;
}

/** Has git write them once more beside the worktree, and compares. */
async function notWrittenAgain(folder: FolderFacts, paths: readonly string[]): Promise<readonly string[]> {
  if (paths.length === 0) return [];
  const top = topOf(folder);
  const dir = join(folder.gitDir, `crewmux-look-${newNonce()}`);
  await mkdir(dir);
  try {
    const args = ['--no-optional-locks', 'checkout-index', `--prefix=${dir}/`, '-z', '--stdin'];
    await git(top, args, { input: listed(paths) });
    const other: string[] = [];
    for (const path of paths) {
      const [now, again] = await Promise.all([readFile(join(top.path, path)), readFile(join(dir, path))]);
      if (!now.equals(again)) other.push(path);
    }
    return other;
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
