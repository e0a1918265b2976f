// git's machine-readable listings, decoded.
import { defined } from '../../model/defined.ts';

/** The parts of a listing whose entries end with NUL. */
export const nulEnded = (text: string): readonly string[] => text.split('\0').filter((part) => part !== '');

/** As git takes names from its input, NUL after each. */
export const listed = (names: readonly string[]): string => names.map((name) => `${name}\0`).join('');

/** One block of `git worktree list --porcelain -z`. */
export interface RegisteredWorktree {
  readonly path: string;
  /** Undefined for a bare repository and before the first commit. */
  readonly sha?: string;
  readonly branch?: string;
  readonly bare: boolean;
  readonly detached: boolean;
  /** The reason, which may be empty; undefined when not locked. */
  readonly locked?: string;
  readonly prunable?: string;
}

/** The main worktree comes first. A field this version does not know is skipped. */
export function decodeWorktreeList(text: string): readonly RegisteredWorktree[] {
  return text
    .split('\0\0')
    .map((block) => new Map(block.split('\0').map(keyAndValue)))
    .filter((fields) => fields.has('worktree'))
    .map(decodeBlock);
}

function decodeBlock(fields: ReadonlyMap<string, string>): RegisteredWorktree {
  const [sha, branch, locked, prunable] = ['HEAD', 'branch', 'locked', 'prunable'].map((key) => fields.get(key));
  return {
    path: fields.get('worktree') ?? '',
    ...(sha === undefined || /^0+$/.test(sha) ? {} : { sha }),
    ...defined({ branch: branch?.replace('refs/heads/', '') }),
    bare: fields.has('bare'),
    detached: fields.has('detached'),
    ...defined({ locked, prunable }),
  };
}

function keyAndValue(line: string): [string, string] {
  const space = line.indexOf(' ');
  return space === -1 ? [line, ''] : [line.slice(0, space), line.slice(space + 1)];
}

export type FileChange =
  /** A tracked file; `index` and `worktree` are git's letters, `.` for no change. */
  | {
      readonly kind: 'tracked';
      readonly path: string;
      readonly index: string;
      readonly worktree: string;
      readonly submodule: boolean;
      /** Files in the submodule are changed or new, whichever commit it stands at. */
      readonly changedInside: boolean;
    }
  | { readonly kind: 'conflict'; readonly path: string }
  /** A path that ends in `/` is a repository of its own inside this one. */
  | { readonly kind: 'untracked'; readonly path: string };

/** Not where the index already has the file as it lies on disk. */
export const differsOnDisk = (change: FileChange): boolean => change.kind !== 'tracked' || change.worktree !== '.';

export interface GitStatus {
  /** Undefined before the first commit. */
  readonly sha?: string;
  /** Undefined when HEAD is detached. */
  readonly branch?: string;
  readonly changes: readonly FileChange[];
}

export const statusArgs = [
  'status',
  '--porcelain=v2',
  '--branch',
  '-z',
  '--no-renames',
  '--untracked-files=all',
  // Configuration could hide changes that are work all the same; what is changed inside is looked at by itself.
  '--ignore-submodules=dirty',
] as const;

/** Decodes what `statusArgs` print. Throws on an entry it does not know, for it might be work. */
export function decodeStatus(text: string): GitStatus {
  const records = nulEnded(text);
  const header = new Map(
    records.filter((record) => record.startsWith('# ')).map((record) => keyAndValue(record.slice(2))),
  );
  const sha = header.get('branch.oid');
  const branch = header.get('branch.head');
  if (sha === undefined || branch === undefined) throw new Error('git status printed no branch.');
  return {
    ...(sha === '(initial)' ? {} : { sha }),
    ...(branch === '(detached)' ? {} : { branch }),
    changes: records.filter((record) => !record.startsWith('# ')).map(decodeChange),
  };
}

function decodeChange(record: string): FileChange {
  const [type, letters = '..', submodule = 'N...'] = record.split(' ', 3);
  if (type === '?') return { kind: 'untracked', path: afterFields(record, 1) };
  if (type === 'u') return { kind: 'conflict', path: afterFields(record, 10) };
  if (type !== '1') throw new Error(`git status printed an entry of an unknown kind: ${record}`);
  return {
    kind: 'tracked',
    path: afterFields(record, 8),
    index: letters.charAt(0),
    worktree: letters.charAt(1),
    submodule: submodule.startsWith('S'),
    changedInside: /^S..*[MU]/.test(submodule),
  };
}

/** What follows the first `count` fields; a path may hold spaces. */
function afterFields(record: string, count: number): string {
  let at = 0;
  for (let field = 0; field < count; field++) at = record.indexOf(' ', at) + 1;
  return record.slice(at);
}
