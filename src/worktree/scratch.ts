// A worktree for a moment: on no branch, in a folder of ours, and gone afterwards.
import { mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { repoPlace } from './branch.ts';
import type { Repo } from './inspect.ts';
import { gitFailed, type Place, tryGit } from './repo.ts';

export interface ScratchRequest {
  /** Does not exist yet; its parent is ours alone. */
  readonly path: string;
  readonly commit: string;
}

/** Checks the commit out, runs `use` there, and takes all of it away again, also when `use` fails. */
export async function withScratch<T>(
  repo: Repo,
  { path, commit }: ScratchRequest,
  use: (place: Place) => Promise<T>,
): Promise<T> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const args = ['-c', 'checkout.workers=0', 'worktree', 'add', '--detach', path, commit];
  try {
    const told = await tryGit(repoPlace(repo), args, { timeoutMs: 600_000 });
    if (told.exitCode !== 0) throw gitFailed(repoPlace(repo), args, told);
    return await use({ path, env: repo.env });
  } finally {
    await removeScratch(repo, path);
  }
}

/** Whatever a run that was killed left in a folder that only such runs use, one at a time. */
export async function clearScratch(repo: Repo, folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) await removeScratch(repo, join(folder, name));
}

async function removeScratch(repo: Repo, path: string): Promise<void> {
  const remove = () => tryGit(repoPlace(repo), ['worktree', 'remove', '--force', '--force', path]);
  if ((await remove()).exitCode === 0) return;
  // One that was never finished git will not take away; without its folder, it forgets it.
  await rm(path, { recursive: true, force: true });
  await remove();
}
