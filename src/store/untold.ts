// The files from which the hook at the prompt tells a manager what needs somebody, by the pid of its Claude Code.
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Makes the folder, and takes out of it what is left of processes that are gone. */
export async function openUntold(
  home: string,
  { reader, living }: { readonly reader: number; readonly living: ReadonlySet<number> },
): Promise<string> {
  const folder = join(home, 'untold');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const left = (await readdir(folder)).filter((name) => !living.has(Number.parseInt(name, 10)));
  await Promise.all(left.map((name) => rm(join(folder, name), { force: true })));
  return join(folder, String(reader));
}
