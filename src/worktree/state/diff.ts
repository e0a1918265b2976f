// What a commit changes since another: files, counts and text.
import { repoPlace } from '../git/branch.ts';
import type { Repo } from '../git/inspect.ts';
import { readGit } from '../git/repo.ts';

export interface ChangedFile {
  readonly path: string;
  /** Where it was renamed or copied from. */
  readonly oldPath?: string;
  readonly status: 'added' | 'modified' | 'deleted' | 'renamed' | 'copied' | 'type_changed';
  /** Undefined for a binary file. */
  readonly additions?: number;
  readonly deletions?: number;
  readonly mode?: string;
}

export interface WorktreeDiffRequest {
  readonly repo: Repo;
  readonly from: string;
  readonly to: string;
  /** Files and folders, as they are; all when empty. */
  readonly paths: readonly string[];
}

// No program of the user's own has a say in what a model reads.
const plain = ['--no-color', '--no-ext-diff', '--no-textconv', '-M', '--submodule=short', '--ignore-submodules=none'];

const run = ({ repo, from, to, paths }: WorktreeDiffRequest, form: readonly string[]) =>
  readGit(repoPlace(repo), [
    '--literal-pathspecs',
    '-c',
    'core.quotePath=false',
    'diff',
    ...plain,
    ...form,
    from,
    to,
    '--',
    ...paths,
  ]);

export async function changedFiles(request: WorktreeDiffRequest): Promise<readonly ChangedFile[]> {
  const [raw, counts] = await Promise.all([run(request, ['--raw', '-z']), run(request, ['--numstat', '-z'])]);
  const counted = decodeCounts(counts);
  return decodeRaw(raw).map((file) => ({ ...file, ...counted.get(file.path) }));
}

/** The unified text of all of it; a binary file is named and not shown. */
export const diffText = (request: WorktreeDiffRequest): Promise<string> => run(request, ['--patch']);

const words = { A: 'added', M: 'modified', D: 'deleted', R: 'renamed', C: 'copied', T: 'type_changed' } as const;
const isWord = (letter: string): letter is keyof typeof words => letter in words;

/** `:<old mode> <new mode> <old> <new> <letter><score>` NUL path NUL, with a second path after R and C. */
export function decodeRaw(text: string): readonly ChangedFile[] {
  const parts = text.split('\0');
  const files: ChangedFile[] = [];
  for (let at = 0; at < parts.length - 1; ) {
    const [oldMode = '', mode = '', , , kind = ''] = (parts[at] ?? '').split(' ');
    const letter = kind.charAt(0);
    const hasTwo = letter === 'R' || letter === 'C';
    const first = parts[at + 1] ?? '';
    const path = hasTwo ? (parts[at + 2] ?? '') : first;
    files.push({
      path,
      ...(hasTwo ? { oldPath: first } : {}),
      status: isWord(letter) ? words[letter] : 'modified',
      ...(letter === 'M' && oldMode.slice(1) !== mode ? { mode: `${oldMode.slice(1)} -> ${mode}` } : {}),
    });
    at += hasTwo ? 3 : 2;
  }
  return files;
}

/** `<added> TAB <deleted> TAB <path>` NUL; a renamed file has no path there, and two of them after the NUL. */
export function decodeCounts(text: string): ReadonlyMap<string, Pick<ChangedFile, 'additions' | 'deletions'>> {
  const parts = text.split('\0');
  const counts = new Map<string, Pick<ChangedFile, 'additions' | 'deletions'>>();
  for (let at = 0; at < parts.length - 1; at += 1) {
    const [added = '', deleted = '', ...rest] = (parts[at] ?? '').split('\t');
    const named = rest.join('\t');
    const path = named === '' ? (parts[at + 2] ?? '') : named;
    if (named === '') at += 2;
    counts.set(path, added === '-' ? {} : { additions: Number(added), deletions: Number(deleted) });
  }
  return counts;
}
