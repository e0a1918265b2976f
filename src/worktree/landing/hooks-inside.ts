// The hooks of a commit that crewmux makes, run inside a sandbox while git itself stays outside.
import { constants } from 'node:fs';
import { access, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { quoted } from '../../model/quote.ts';
import { hasCode } from '../../system/disk.ts';
import type { Repo } from '../inspect.ts';

export interface GitPlaces {
  readonly hidden: readonly string[];
  readonly writable: readonly string[];
  readonly fixed: readonly string[];
}

/**
 * What a hook may write of git's folders: what `git add` and `git stash` write. Branches, settings and hooks it only
 * reads, and a file that it adds to the repository's folder is gone with it: git would follow a new `commondir` there.
 */
export async function placesOfGit({ gitCommonDir: common }: Repo, gitDir: string): Promise<GitPlaces> {
  const open = ['objects', 'refs', 'logs'];
  const others = (await readdir(common)).filter((name) => !open.includes(name));
  const closed = [
    'objects/info',
    'refs/heads',
    'refs/tags',
    'refs/remotes',
    'refs/crewmux',
    'logs/HEAD',
    'logs/refs/heads',
  ];
  const at = (name: string): string => join(common, name);
  return { hidden: [common], writable: [...open.map(at), gitDir], fixed: [...others, ...closed].map(at) };
}

/**
 * Runs `use` with a folder whose hooks are those of `hooks`, each behind the words of `inside`. The folder is made at
 * `path`; without a sandbox `use` gets the hooks as they are.
 */
export async function withHooksInside<T>(
  { hooks, inside, path }: { readonly hooks: string; readonly inside: readonly string[]; readonly path: string },
  use: (folder: string) => Promise<T>,
): Promise<T> {
  if (inside.length === 0) return use(hooks);
  await mkdir(path, { recursive: true, mode: 0o700 });
  try {
    for (const name of await programsIn(hooks)) {
      const line = [...inside, join(hooks, name)].map(quoted).join(' ');
      await writeFile(join(path, name), `#!/bin/sh\nexec ${line} "$@"\n`, { mode: 0o700 });
    }
    return await use(path);
  } finally {
    await rm(path, { recursive: true, force: true });
  }
}

/** git passes over what nobody may run. */
async function programsIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch((error) => {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  });
  const looked = names.map(async (name) => {
    const path = join(folder, name);
    const isProgram = await access(path, constants.X_OK).then(
      async () => (await stat(path)).isFile(),
      () => false,
    );
    return isProgram ? [name] : [];
  });
  return (await Promise.all(looked)).flat();
}
