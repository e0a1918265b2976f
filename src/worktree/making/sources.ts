// Finds what is to be brought into a worktree, and refuses what lies outside the repository.
import { lstat, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { CrewError } from '../../model/errors.ts';
import { isPattern, matches } from '../../model/glob.ts';
import { below } from '../../system/disk.ts';
import { escapes, fixedFolder, plainPath } from './pattern.ts';

export interface SourceRequest {
  readonly root: string;
  /** Where they go; the path must stay inside there as well. */
  readonly worktreePath: string;
  readonly files: readonly string[];
  readonly dirs: readonly string[];
}

/** All paths are relative to the root. */
export interface Sources {
  readonly files: readonly string[];
  readonly dirs: readonly string[];
  readonly missing: readonly string[];
}

/** Rejects with `invalid_argument` for the first path that leads out; touches nothing. */
export async function findSources(request: SourceRequest): Promise<Sources> {
  for (const path of request.files) assertInside(path, 'copy_files', escapes(path));
  for (const path of request.dirs) assertInside(path, 'symlink_dirs', escapes(path) ?? patternReason(path));
  const [files, dirs] = await Promise.all([
    Promise.all(request.files.map((path) => expand(request.root, path))),
    Promise.all(request.dirs.map(async (path) => ((await kindOf(join(request.root, path))) ? [plainPath(path)] : []))),
  ]);
  const found = { files: unique(files.flat()), dirs: unique(dirs.flat()) };
  for (const path of found.files) await assertReally(request, path, 'copy_files');
  for (const path of found.dirs) await assertReally(request, path, 'symlink_dirs');
  const missing = [
    ...request.files.filter((path, at) => !isPattern(path) && files[at]?.length === 0),
    ...request.dirs.filter((_, at) => dirs[at]?.length === 0),
  ];
  return { ...found, missing };
}

const patternReason = (path: string) => (isPattern(path) ? 'patterns are for copy_files' : undefined);

const unique = (paths: readonly string[]) => [...new Set(paths)];

function assertInside(path: string, field: string, reason: string | undefined): void {
  if (reason === undefined) return;
  throw new CrewError(
    'invalid_argument',
    `${field} has ${JSON.stringify(path)}, which is refused: ${reason}.`,
    'Use paths relative to the main repository, such as ".env" or "config/*.local".',
  );
}

/** Symlinks on the way may lead anywhere, at the source as well as at the destination. */
async function assertReally(request: SourceRequest, path: string, field: string): Promise<void> {
  const root = await realpath(request.root);
  const source = await realpath(join(request.root, path)).catch(() => undefined);
  const inside = source !== undefined && below(root, source) !== undefined;
  assertInside(path, field, inside ? undefined : 'it is a symlink that leads out of the repository');
  const target = await realAncestor(request.worktreePath, path);
  const worktree = await realpath(request.worktreePath);
  const stays = target === worktree || below(worktree, target) !== undefined;
  assertInside(path, field, stays ? undefined : 'its place in the worktree leads out through a symlink');
}

/** The deepest folder of the path that exists, where it really is. */
async function realAncestor(top: string, path: string): Promise<string> {
  const names = path.split('/').slice(0, -1);
  for (let depth = names.length; depth > 0; depth--) {
    const real = await realpath(join(top, ...names.slice(0, depth))).catch(() => undefined);
    if (real !== undefined) return real;
  }
  return realpath(top);
}

async function expand(root: string, path: string): Promise<readonly string[]> {
  if (isPattern(path)) {
    const all = await filesBelow(root, fixedFolder(path), path.includes(packages) ? [] : [packages]);
    return all.filter((file) => matches(path, file));
  }
  const kind = await kindOf(join(root, path));
  if (kind === 'folder') return filesBelow(root, plainPath(path), []);
  return kind === 'file' ? [plainPath(path)] : [];
}

async function kindOf(path: string): Promise<'folder' | 'file' | undefined> {
  const facts = await lstat(path).catch(() => undefined);
  if (facts?.isDirectory()) return 'folder';
  return facts?.isFile() || facts?.isSymbolicLink() ? 'file' : undefined;
}

/** Large, and never what a pattern such as `**\/.env` means. */
const packages = 'node_modules';

/** Other repositories and worktrees are not entered, nor are symlinks. */
async function filesBelow(root: string, folder: string, skipped: readonly string[]): Promise<readonly string[]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
  if (folder !== '' && entries.some((entry) => entry.name === '.git')) return [];
  const nested = entries.map(async (entry): Promise<readonly string[]> => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) return ['.git', ...skipped].includes(entry.name) ? [] : filesBelow(root, path, skipped);
    return entry.isFile() || entry.isSymbolicLink() ? [path] : [];
  });
  return (await Promise.all(nested)).flat().sort();
}
