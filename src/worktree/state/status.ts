// What is not committed. git itself would enter every repository inside, and run what that one names.
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { exists } from '../../system/disk.ts';
import { mostBytes, readPlain } from '../../system/plain-file.ts';
import { gitFoldersOf } from '../git/git-link.ts';
import { refuseOdd } from '../git/odd-files.ts';
import { decodeStatus, type FileChange, type GitStatus, nulEnded, statusArgs } from '../git/porcelain.ts';
import { type GitPlace, readGit } from '../git/repo.ts';

interface StatusOptions {
  readonly untracked?: boolean;
}

/** Of the worktree whose top is the place, with all that is changed in the repositories that its index points at. */
export async function readStatus(place: GitPlace, options: StatusOptions = {}): Promise<GitStatus> {
  const { untracked = true } = options;
  const args = [...statusArgs, ...(untracked ? [] : ['--untracked-files=no'])];
  const [printed, inside] = await Promise.all([readGit(place, args), changedInside(place, options)]);
  const status = decodeStatus(printed);
  return { ...status, changes: withInside(status.changes, inside) };
}

/** Pure. */
function withInside(changes: readonly FileChange[], inside: readonly string[]): readonly FileChange[] {
  const known = changes.map((change) =>
    change.kind === 'tracked' && inside.includes(change.path) ? { ...change, changedInside: true } : change,
  );
  const more = inside.filter((path) => !changes.some((change) => change.path === path));
  return [
    ...known,
    ...more.map(
      (path): FileChange => ({
        kind: 'tracked',
        path,
        index: '.',
        worktree: 'M',
        submodule: true,
        changedInside: true,
      }),
    ),
  ];
}

async function changedInside(place: GitPlace, { untracked = true }: StatusOptions): Promise<readonly string[]> {
  if (!(await mayPoint(place))) return [];
  const listed = nulEnded(await readGit(place, ['ls-files', '--stage', '-z']));
  const paths = listed.flatMap((entry) => /^160000 [0-9a-f]+ \d\t(.*)$/s.exec(entry)?.[1] ?? []);
  const changed = await Promise.all(
    paths.map(async (path) => {
      // A name that is no text cannot be looked at here.
      if (path.includes('\ufffd')) return true;
      const inner = join(place.path, path);
      if (!(await exists(join(inner, '.git')))) return false;
      const folders = gitFoldersOf(await realpath(inner));
      if (folders !== undefined) refuseOdd(folders);
      return (await readStatus({ path: inner, env: place.env }, { untracked })).changes.length > 0;
    }),
  );
  return paths.filter((_, at) => changed[at]);
}

/** The mode of an entry that points at a commit of another repository, as the index has it. */
const pointer = Buffer.from([0, 0, 0xe0, 0]);
const sharedIndex = Buffer.from('link');

/** False where the index surely points at no other repository. */
async function mayPoint(place: GitPlace): Promise<boolean> {
  const folders = gitFoldersOf(await realpath(place.path));
  const index = folders && (await readPlain(join(folders.gitDir, 'index'), mostBytes.index));
  return index !== undefined && (index.includes(pointer) || index.includes(sharedIndex));
}
