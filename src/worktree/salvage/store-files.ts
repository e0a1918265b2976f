// Puts files into git's object store exactly as they lie on disk.
import { readFile, readlink } from 'node:fs/promises';
import pLimit from 'p-limit';
import { git, type Place, rawGit } from '../repo.ts';
import { diskPath, lookAtDisk, type RawName, shownName } from './raw-name.ts';

export interface StoredFile {
  readonly path: RawName;
  readonly mode: '100644' | '100755' | '120000';
  readonly sha: string;
}

interface Found {
  readonly path: RawName;
  readonly mode: StoredFile['mode'] | 'missing';
}

/** Paths are relative to the top of the worktree. `missing` are those that are no file any more. Rejects on any it cannot read. */
export async function storeFiles(
  top: Place,
  paths: readonly RawName[],
): Promise<{ readonly stored: readonly StoredFile[]; readonly missing: readonly RawName[] }> {
  const found = await Promise.all(paths.map((path) => look(top, path)));
  const of = (...modes: Found['mode'][]) => found.filter((file) => modes.includes(file.mode));
  const regular = of('100644', '100755');
  const fewAtOnce = pLimit(4);
  const [lines, odd, links] = await Promise.all([
    storeLines(top, regular.filter(isLine)),
    Promise.all(regular.filter((file) => !isLine(file)).map((file) => fewAtOnce(() => storeOne(top, file)))),
    Promise.all(of('120000').map((file) => fewAtOnce(() => storeLink(top, file)))),
  ]);
  return { stored: [...lines, ...odd, ...links], missing: of('missing').map((file) => file.path) };
}

async function look(top: Place, path: RawName): Promise<Found> {
  const facts = await lookAtDisk(top.path, path);
  if (facts === undefined || facts.isDirectory()) return { path, mode: 'missing' };
  if (facts.isSymbolicLink()) return { path, mode: '120000' };
  if (facts.isFile()) return { path, mode: facts.mode & 0o100 ? '100755' : '100644' };
  throw new Error(`${shownName(path)} is neither a file nor a symlink.`);
}

/** git takes a return before the end of a line for a part of that end. */
const isLine = (file: Found) => !/\n|\r$/.test(file.path);

const hashArgs = ['hash-object', '-w', '--no-filters'];

/** One process for all; `./` keeps git from reading a leading quote as the start of a quoted name. */
async function storeLines(top: Place, files: readonly Found[]): Promise<readonly StoredFile[]> {
  if (files.length === 0) return [];
  const input = files.map((file) => `./${file.path}\n`).join('');
  const shas = (await rawGit(top, [...hashArgs, '--stdin-paths'], { input, timeoutMs: 600_000 })).trimEnd().split('\n');
  if (shas.length !== files.length) throw new Error(`git stored ${shas.length} of ${files.length} files.`);
  return files.map((file, at) => stored(file, shas[at]));
}

const storeOne = async (top: Place, file: Found): Promise<StoredFile> =>
  stored(file, await storeBytes(top, await readFile(diskPath(top.path, file.path))));

async function storeLink(top: Place, file: Found): Promise<StoredFile> {
  return stored(file, await storeBytes(top, await readlink(diskPath(top.path, file.path), { encoding: 'buffer' })));
}

/** The name of the blob that holds these bytes from now on. */
export const storeBytes = async (place: Place, bytes: Buffer): Promise<string> =>
  // git is given no empty input, for which its library would leave it waiting.
  bytes.length === 0
    ? (await git(place, [...hashArgs, '--', '/dev/null'])).trim()
    : (await git(place, [...hashArgs, '--stdin'], { input: bytes })).trim();
function stored(file: Found, sha: string | undefined): StoredFile {
  const name = sha?.trim() ?? '';
  if (file.mode === 'missing' || !/^[0-9a-f]{40,}$/.test(name))
    throw new Error(`git did not store ${shownName(file.path)}.`);
  return { path: file.path, mode: file.mode, sha: name };
}
