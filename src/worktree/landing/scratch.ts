// A worktree for a moment: on no branch, in a folder of ours, and gone afterwards.
import { mkdir, readdir, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { newNonce } from '../../model/ids.ts';
import { readPlain } from '../../system/plain-file.ts';
import { repoPlace } from '../git/branch.ts';
import type { Repo } from '../git/inspect.ts';
import { type GitPlace, gitFailed, tryGit } from '../git/repo.ts';

export interface ScratchRequest {
  /** Does not exist yet; its parent is ours alone. */
  readonly path: string;
  readonly commit: string;
}

/** Checks the commit out, runs `use` there, and takes all of it away again, also when `use` fails. */
export async function withScratch<T>(
  repo: Repo,
  { path, commit }: ScratchRequest,
  use: (place: GitPlace) => Promise<T>,
): Promise<T> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const args = ['-c', 'checkout.workers=0', 'worktree', 'add', '--detach', path, commit];
  try {
    const result = await tryGit(repoPlace(repo), args, { timeoutMs: 600_000 });
    if (result.exitCode !== 0) throw gitFailed(repoPlace(repo), args, result);
    return await use({ path, env: repo.env });
  } finally {
    await removeScratch(repo, path);
  }
}

/** A name that no other worktree has, below a folder of ours. */
export const scratchPath = (folder: string): string => join(folder, `${prefix}${newNonce()}`);

const prefix = 'crewmux-scratch-';

/** Whatever runs that were killed left in a folder that only such runs use, one at a time. */
export async function clearScratch(repo: Repo, folder: string): Promise<void> {
  const below = await readdir(folder).catch(() => []);
  // One that was killed as it began is known to nobody, and its folder may not be there yet.
  const known = await readdir(join(repo.gitCommonDir, 'worktrees')).catch(() => []);
  for (const name of below.filter(isScratch)) await removeScratch(repo, join(folder, name));
  for (const name of known.filter(isScratch)) await forgetScratch(repo, { folder, name });
}

const isScratch = (name: string) => name.startsWith(prefix);

async function removeScratch(repo: Repo, path: string): Promise<void> {
  const remove = () => tryGit(repoPlace(repo), ['worktree', 'remove', '--force', '--force', path]);
  if ((await remove()).exitCode === 0) return;
  // One that was never finished git will not take away; without its folder, it forgets it.
  await rm(path, { recursive: true, force: true });
  await remove();
}

/** Another home may land in the same repository, and its scratch worktrees lie in a folder of its own. */
async function forgetScratch(repo: Repo, { folder, name }: { folder: string; name: string }): Promise<void> {
  const own = join(repo.gitCommonDir, 'worktrees', name);
  const link = (await readPlain(join(own, 'gitdir')).catch(() => undefined))?.toString('utf8');
  if (link === undefined || dirname(dirname(link.trim())) === folder) await rm(own, { recursive: true, force: true });
}

export const modules = 'node_modules';

/** Test runners write there. Each run begins without. */
const caches = new Set(['.cache', '.vite', '.vite-temp', '.vitest']);

/** Links the installed packages of the main checkout, where the scratch worktree may not write: a folder of its own, so that caches can be made in it, with a link for each package. Nothing may be there yet. */
export async function linkModules({ from, to }: { from: string; to: string }): Promise<void> {
  const [source, folder] = [join(from, modules), join(to, modules)];
  await mkdir(folder);
  const names = (await readdir(source)).filter((name) => !caches.has(name));
  await Promise.all(names.map((name) => symlink(join(source, name), join(folder, name))));
}
