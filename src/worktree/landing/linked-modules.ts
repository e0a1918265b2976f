// The installed packages of the main checkout for a scratch worktree that may not write there.
import { mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';

export const modules = 'node_modules';

/** Test runners write there. Each run begins without. */
const caches = new Set(['.cache', '.vite', '.vite-temp', '.vitest']);

/** A folder of its own, so that caches can be made in it, with a link for each package. Nothing may be there yet. */
export async function linkModules({ from, to }: { from: string; to: string }): Promise<void> {
  const [source, folder] = [join(from, modules), join(to, modules)];
  await mkdir(folder);
  const names = (await readdir(source)).filter((name) => !caches.has(name));
  await Promise.all(names.map((name) => symlink(join(source, name), join(folder, name))));
}
