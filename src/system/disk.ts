// Small questions about paths and what lies there.
import { accessSync, statSync } from 'node:fs';
import { access, constants, lstat, mkdir, open, readdir, realpath, rm, rmdir, stat } from 'node:fs/promises';
import { delimiter, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { codeOf, isMissing } from '../model/errors.ts';

/** True for anything of that name, a broken symlink too. Throws when the disk cannot tell. */
export async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** Undefined for a path that does not exist, parents included. */
export async function unlessMissing<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** False when there is something of that name already, which is left as it is. */
export async function makeFolder(path: string): Promise<boolean> {
  try {
    await mkdir(path);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/** Removes a folder also where tools have made folders in it read-only, as that of Go's modules are. */
export async function removeWhole(path: string): Promise<void> {
  const remove = () => rm(path, { recursive: true, force: true });
  await remove().catch(async () => {
    await openFolders(path);
    await remove();
  });
}

async function openFolders(path: string): Promise<void> {
  // Opened without following a link, so that only what lies here changes its mode.
  const folder = await open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  await folder.chmod(0o700).finally(() => folder.close());
  for (const entry of await readdir(path, { withFileTypes: true }))
    if (entry.isDirectory()) await openFolders(join(path, entry.name));
}

/** Removes a file below a folder, with the folders between them that held nothing else. */
export async function removeBelow(top: string, path: string): Promise<void> {
  await rm(join(top, path), { force: true });
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
    const isLeft = await rmdir(join(top, folder)).catch(() => 'not empty');
    if (isLeft !== undefined) return;
  }
}

/** Finds a program as a shell would: by its path, or in the folders of `path`. */
export async function findProgram(
  program: string,
  { path, cwd }: { readonly path: string; readonly cwd: string },
): Promise<string | undefined> {
  const folders = path.split(delimiter).filter((folder) => folder !== '');
  const places = program.includes('/') ? [resolve(cwd, program)] : folders.map((folder) => join(folder, program));
  for (const place of places) {
    const found = await access(place, constants.X_OK).then(
      () => stat(place),
      () => undefined,
    );
    if (found?.isFile()) return place;
  }
  return undefined;
}

/** As `findProgram`, at once and without its place. */
export function hasProgram(program: string, { path, cwd }: { readonly path: string; readonly cwd: string }): boolean {
  const folders = program.includes('/') ? [cwd] : path.split(delimiter).filter((folder) => folder !== '');
  return folders.some((folder) => {
    const place = resolve(folder, program);
    try {
      accessSync(place, constants.X_OK);
      return statSync(place).isFile();
    } catch {
      return false;
    }
  });
}

/** The absolute ones of these paths that exist, each once, without symlinks on their way. */
export async function realPaths(paths: readonly string[]): Promise<readonly string[]> {
  const found = paths.filter(isAbsolute).map((path) => realpath(path).catch(() => undefined));
  return [...new Set((await Promise.all(found)).flatMap((path) => path ?? []))];
}

/** The path of `inner` below `outer`; undefined when it is not below. Only names are compared. */
export function below(outer: string, inner: string): string | undefined {
  const path = relative(outer, inner);
  return path === '' || path === '..' || path.startsWith(`..${sep}`) ? undefined : path;
}

export const hasCode = (error: unknown, code: string): boolean => codeOf(error) === code;
