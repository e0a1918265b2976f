// Puts files into git's object store exactly as they lie on disk.
import { lstat, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { hasCode } from './disk.ts';
import { git, type Place } from './repo.ts';

export interface StoredFile {
  readonly path: string;
  readonly mode: '100644' | '100755' | '120000';
  readonly sha: string;
}

interface Found {
  readonly path: string;
  readonly mode: StoredFile['mode'] | 'missing';
}

/** Paths are relative to the top of the worktree. `missing` are those that are no file any more. Rejects on any it cannot read. */
export async function storeFiles(
  top: Place,
  paths: readonly string[],
): Promise<{ readonly stored: readonly StoredFile[]; readonly missing: readonly string[] }> {
  const found = await Promise.all(paths.map((path) => look(top, path)));
  const of = (...modes: Found['mode'][]) => found.filter((file) => modes.includes(file.mode));
  const isLine = (file: Found) => !file.path.includes('\n');
  const regular = of('100644', '100755');
  const fewAtOnce = pLimit(4);
  const [lines, odd, links] = await Promise.all([
    storeLines(top, regular.filter(isLine)),
    Promise.all(regular.filter((file) => !isLine(file)).map((file) => fewAtOnce(() => storeOne(top, file)))),
    Promise.all(of('120000').map((file) => fewAtOnce(() => storeLink(top, file)))),
  ]);
  return { stored: [...lines, ...odd, ...links], missing: of('missing').map((file) => file.path) };
}

async function look(top: Place, path: string): Promise<Found> {
  try {
    const facts = await lstat(join(top.path, path));
    if (facts.isSymbolicLink()) return { path, mode: '120000' };
    if (facts.isFile()) return { path, mode: facts.mode & 0o100 ? '100755' : '100644' };
    if (facts.isDirectory()) return { path, mode: 'missing' };
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return { path, mode: 'missing' };
    throw error;
  }
  throw new Error(`${path} is neither a file nor a symlink.`);
}

const hashArgs = ['hash-object', '-w', '--no-filters'];

/** One process for all; `./` keeps git from reading a leading quote as the start of a quoted name. */
async function storeLines(top: Place, files: readonly Found[]): Promise<readonly StoredFile[]> {
  if (files.length === 0) return [];
  const input = files.map((file) => `./${file.path}\n`).join('');
  const shas = (await git(top, [...hashArgs, '--stdin-paths'], { input })).trimEnd().split('\n');
  if (shas.length !== files.length) throw new Error(`git stored ${shas.length} of ${files.length} files.`);
  return files.map((file, at) => stored(file, shas[at]));
}

const storeOne = async (top: Place, file: Found): Promise<StoredFile> =>
  stored(file, await git(top, [...hashArgs, '--', `./${file.path}`]));

async function storeLink(top: Place, file: Found): Promise<StoredFile> {
  const input = await readlink(join(top.path, file.path), { encoding: 'buffer' });
  return stored(file, await git(top, ['hash-object', '-w', '--stdin'], { input }));
}

function stored(file: Found, sha: string | undefined): StoredFile {
  const name = sha?.trim() ?? '';
  if (file.mode === 'missing' || !/^[0-9a-f]{40,}$/.test(name)) throw new Error(`git did not store ${file.path}.`);
  return { path: file.path, mode: file.mode, sha: name };
}
