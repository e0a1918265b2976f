// The files in a worktree's index, and for which of them git may change bytes on the way in or out.

import { topOf } from '../draft-index.ts';
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

/** Every entry of the index that is in no conflict; submodules are not among them. */
export async function trackedFiles(folder: FolderFacts): Promise<readonly TrackedFile[]> {
  const listed = await rawGit(topOf(folder), ['--no-optional-locks', 'ls-files', '-v', '-s', '-z']);
  return nulEnded(listed).flatMap((entry) => {
    const [, tag = '', mode = '', sha = '', stage, path = ''] = /^(.) (\d+) ([0-9a-f]+) (\d)\t(.*)$/s.exec(entry) ?? [];
    if (tag === '') throw new Error(`git ls-files printed ${JSON.stringify(entry)}.`);
    return stage !== '0' || mode === '160000' ? [] : [{ path, mode, sha, leftOut: /s/i.test(tag) }];
  });
}

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
  const read = async (key: string) => {
    const told = await tryReadGit(topOf(folder), ['config', '--get', key]);
    return told.stdout.trim().toLowerCase();
  };
  const [auto, eol] = await Promise.all([read('core.autocrlf'), read('core.eol')]);
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
