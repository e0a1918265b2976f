// The files in a worktree's index, and for which of them git may change bytes on the way in or out.

import { type IndexEntry, topOf } from '../draft-index.ts';
import type { FolderFacts } from '../inspect.ts';
import { rawGit, tryReadGit } from '../repo.ts';
import { nulEnded, type RawName } from './raw-name.ts';

export interface TrackedFile {
  readonly path: RawName;
  readonly mode: string;
  readonly sha: string;
  /** Marked to be left out of the checkout. */
  readonly leftOut: boolean;
}

/** Of all entries of the index those that are in no conflict and no submodules. */
export const trackedFiles = (entries: readonly IndexEntry[]): readonly TrackedFile[] =>
  entries
    .filter(({ stage, mode }) => stage === '0' && mode !== '160000')
    .map(({ path, mode, sha, tag }) => ({ path, mode, sha, leftOut: /s/i.test(tag) }));

/**
 * What git does with the bytes of a file: nothing, take away returns at the ends of lines, more than that but the same
 * each time, or what only a program of the user's knows.
 */
export type Conversion = 'none' | 'lines' | 'rewritten' | 'filtered';

const attributes = ['text', 'crlf', 'eol', 'ident', 'working-tree-encoding', 'filter'] as const;

/** By attributes and configuration; a file not named here is converted in no way. */
export async function conversionsOf(
  folder: FolderFacts,
  files: readonly TrackedFile[],
): Promise<ReadonlyMap<RawName, Conversion>> {
  const top = topOf(folder);
  const regular = files.filter((file) => file.mode !== '120000');
  if (regular.length === 0) return new Map();
  const [endings, printed] = await Promise.all([
    endingsOf(folder),
    rawGit(top, ['--no-optional-locks', 'check-attr', '-z', '--stdin', ...attributes], {
      input: regular.map((file) => `${file.path}\0`).join(''),
    }),
  ]);
  const values = new Map<RawName, Map<string, string>>();
  const parts = printed.split('\0');
  for (let at = 0; at + 2 < parts.length; at += 3) {
    const [path = '', name = '', value = ''] = parts.slice(at, at + 3);
    values.set(path, (values.get(path) ?? new Map()).set(name, value));
  }
  return new Map([...values].map(([path, of]) => [path, conversionBy(Object.fromEntries(of), endings)]));
}

export interface Endings {
  /** Files that no attribute speaks of are converted too. */
  readonly auto: boolean;
  /** Lines of a text get a return on disk unless an attribute says otherwise. */
  readonly returns: boolean;
}

async function endingsOf(folder: FolderFacts): Promise<Endings> {
  const told = await tryReadGit(topOf(folder), ['config', '-z', '--get-regexp', '^core\\.(autocrlf|eol)$']);
  // Of several values the last one counts.
  const set = new Map(nulEnded(told.stdout).map((each) => [each.split('\n')[0], each.split('\n').slice(1).join()]));
  const [auto = '', eol = ''] = ['core.autocrlf', 'core.eol'].map((key) => (set.get(key) ?? '').trim().toLowerCase());
  const isOn = !['', 'false', 'no', 'off', '0'].includes(auto);
  return { auto: isOn, returns: isOn ? auto !== 'input' : eol === 'crlf' };
}

/** Pure. */
export function conversionBy(of: Readonly<Record<string, string>>, { auto, returns }: Endings): Conversion {
  const isGiven = (name: string) => of[name] !== undefined && of[name] !== 'unspecified';
  const isSet = (name: string) => isGiven(name) && of[name] !== 'unset';
  if (isSet('filter')) return 'filtered';
  if (isSet('ident') || isSet('working-tree-encoding')) return 'rewritten';
  const isText = isSet('text') || isSet('crlf') || isSet('eol');
  const isBinary = of.text === 'unset' || (of.crlf === 'unset' && !isGiven('text'));
  if (isBinary || !(isText || auto)) return 'none';
  const getsReturns = of.eol === 'crlf' || (of.eol !== 'lf' && of.crlf !== 'input' && returns);
  return getsReturns ? 'rewritten' : 'lines';
}
