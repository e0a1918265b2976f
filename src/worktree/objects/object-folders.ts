// What lies in the object folders of a repository: packs, and loose files that git would open.
import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CrewError } from '../../model/errors.ts';
import { digestOf } from '../../system/digest.ts';
import { exists, unlessMissing } from '../../system/disk.ts';
import { readPlain } from '../../system/plain-file.ts';
import { repoPlace } from '../git/branch.ts';
import type { Repo } from '../git/inspect.ts';
import { readGit, settingsAt } from '../git/repo.ts';

export interface ObjectsSeen {
  /** The repository's own, then those it borrows from. */
  readonly folders: readonly string[];
  /** Paths without their endings. */
  readonly packs: readonly string[];
  /** Tells one depth of a shallow clone from another; '' for a whole one. */
  readonly depth: string;
  /** Objects of a partial clone may be absent by intent. */
  readonly isPartial: boolean;
}

export const packFolder = ({ gitCommonDir }: Pick<Repo, 'gitCommonDir'>): string =>
  join(gitCommonDir, 'objects', 'pack');

export async function lookAtObjects(repo: Repo): Promise<ObjectsSeen> {
  const own = join(repo.gitCommonDir, 'objects');
  const folders = [own, ...(await borrowedFrom(repo, own))];
  const [packs, shallow, settings] = await Promise.all([
    Promise.all(folders.map(packsIn)),
    readPlain(join(repo.gitCommonDir, 'shallow')),
    settingsAt(repoPlace(repo)),
  ]);
  return {
    folders,
    packs: packs.flat(),
    depth: shallow === undefined ? '' : digestOf(shallow.toString('latin1')),
    isPartial: settings.some(({ key }) => /^(extensions\.partialclone|remote\..+\.promisor)$/.test(key)),
  };
}

/** Git opens a pack only where it has an index. */
async function packsIn(folder: string): Promise<readonly string[]> {
  const names = (await unlessMissing(readdir(join(folder, 'pack')))) ?? [];
  return names.filter((name) => name.endsWith('.idx')).map((name) => join(folder, 'pack', name.slice(0, -4)));
}

async function borrowedFrom(repo: Repo, own: string): Promise<readonly string[]> {
  if (!(await exists(join(own, 'info', 'alternates')))) return [];
  const lines = (await readGit(repoPlace(repo), ['count-objects', '-v'])).split('\n');
  const paths = lines.flatMap((line) => /^alternate: (.*)$/.exec(line)?.[1] ?? []);
  const odd = paths.find((path) => path.startsWith('"'));
  if (odd === undefined) return paths;
  throw new CrewError(
    'worktree_failed',
    `${repo.mainRepoPath} borrows objects from ${odd}, a path with characters that crewmux does not read.`,
    'Rename that folder and put its new path into objects/info/alternates.',
  );
}

export interface Loose {
  readonly count: number;
  /** Neither a plain file nor a folder: git would wait for it, or read what lies elsewhere. */
  readonly odd: readonly string[];
}

export async function looseIn(folders: readonly string[]): Promise<Loose> {
  const inAll = await Promise.all(folders.map(looseInOne));
  return { count: inAll.reduce((sum, { count }) => sum + count, 0), odd: inAll.flatMap(({ odd }) => odd) };
}

async function looseInOne(folder: string): Promise<Loose> {
  const fans = (await list(folder)).filter(({ name }) => /^[0-9a-f]{2}$/.test(name));
  const files = await Promise.all(
    fans.map(async (fan) => {
      const path = join(folder, fan.name);
      if (!fan.isDirectory()) return { count: 0, odd: [path] };
      const all = await list(path);
      return { count: all.length, odd: all.filter((one) => !one.isFile()).map(({ name }) => join(path, name)) };
    }),
  );
  return { count: files.reduce((sum, { count }) => sum + count, 0), odd: files.flatMap(({ odd }) => odd) };
}

const list = async (folder: string): Promise<readonly Dirent[]> =>
  (await unlessMissing(readdir(folder, { withFileTypes: true }))) ?? [];
