// The hooks that a landing or a push runs: as the project has them in a commit, never as a worktree has them.
import { constants } from 'node:fs';
import { access, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, normalize } from 'node:path';
import { quoted } from '../../model/quote.ts';
import { below, hasCode } from '../../system/disk.ts';
import { withPrivateFolder } from '../../system/private-folder.ts';
import type { Repo } from './inspect.ts';
import { settingsAt, tryReadGit } from './repo.ts';

/**
 * Runs `use` with the folder of the repository's hooks. Where its configuration names a folder that lies in the work
 * tree, as those of Husky do, it is the one of the commit `base`, laid out in a temporary folder.
 */
export async function withHooks<T>(repo: Repo, base: string, use: (folder: string) => Promise<T>): Promise<T> {
  const named = await configured(repo);
  if (named === undefined) return use(join(repo.gitCommonDir, 'hooks'));
  const inside = isAbsolute(named) ? below(repo.mainRepoPath, named) : normalize(named);
  if (inside === undefined || below(repo.gitCommonDir, named) !== undefined) return use(named);
  return withPrivateFolder(async (folder) => {
    await layOut(repo, { tree: `${base}:${inside.replace(/\/$/, '')}`, folder });
    return use(folder);
  });
}

/** What the repository or its user says, and neither what we overrule it with nor what a worktree says for itself. */
async function configured(repo: Repo): Promise<string | undefined> {
  const place = { path: repo.gitCommonDir, env: repo.env };
  if (!(await settingsAt(place)).some(({ key }) => key === 'core.hookspath')) return undefined;
  const args = ['config', '-z', '--show-scope', '--type=path', '--get-all', 'core.hooksPath'];
  const parts = (await tryReadGit(place, args)).stdout.split('\0');
  const values = parts.flatMap((scope, at) =>
    at % 2 === 0 && scope !== 'command' && scope !== 'worktree' ? [parts[at + 1] ?? ''] : [],
  );
  return values.findLast((value) => value !== '');
}

/** Files alone; a link could lead anywhere. */
async function layOut(repo: Repo, { tree, folder }: { tree: string; folder: string }): Promise<void> {
  const place = { path: repo.gitCommonDir, env: repo.env };
  const result = await tryReadGit(place, ['ls-tree', '-r', '-z', tree]);
  for (const entry of result.stdout.split('\0')) {
    const [, mode, sha, name] = /^(100644|100755) blob ([0-9a-f]+)\t(.+)$/s.exec(entry) ?? [];
    if (mode === undefined || sha === undefined || name === undefined) continue;
    const path = join(folder, name);
    if (below(folder, path) === undefined) continue;
    await mkdir(dirname(path), { recursive: true });
    const { exitCode, bytes } = await tryReadGit(place, ['cat-file', 'blob', sha]);
    if (exitCode !== 0) throw new Error(`git cannot read the hook ${name}, ${sha}.`);
    await writeFile(path, bytes, { mode: mode === '100755' ? 0o700 : 0o600 });
  }
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
export async function programsIn(folder: string): Promise<readonly string[]> {
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
