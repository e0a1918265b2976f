// Hides paths through `info/exclude`, which no commit ever carries.
import { appendFile, mkdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hasCode, unlessMissing } from '../../system/disk.ts';
import { tryUntil } from '../../system/pace.ts';

/** Hides one path of every worktree. Nothing changes when its line is there already. */
export async function hidePath(gitCommonDir: string, path: string): Promise<void> {
  const line = excludeLine(path);
  const named = join(gitCommonDir, 'info', 'exclude');
  // A symlink to the user's own list stays a symlink.
  const file = await realpath(named).catch(() => named);
  await mkdir(dirname(file), { recursive: true });
  const add = async () => hasLine(await readText(file), line) || addLocked(file, line);
  const isHidden = await tryUntil(add, Boolean, { tries: 100, pauseMs: 10 });
  // The lock of a process that died: a line too many is better than none.
  if (!isHidden) await appendFile(file, `\n${line}\n`);
}

/** Anchored at the top, with everything a pattern would give a meaning to taken literally. */
export const excludeLine = (path: string): string => `/${path.replace(/[\\*?[\]!# ]/g, '\\$&')}`;

const hasLine = (text: string, line: string) => text.split('\n').includes(line);

/** False when another process holds the lock. The file is replaced whole or not at all, as git does with its own. */
async function addLocked(file: string, line: string): Promise<boolean> {
  const lock = `${file}.lock`;
  if (!(await createAlone(lock, await modeOf(file)))) return false;
  try {
    const text = await readText(file);
    const start = text === '' || text.endsWith('\n') ? text : `${text}\n`;
    await writeFile(lock, hasLine(text, line) ? text : `${start}${line}\n`);
    await rename(lock, file);
    return true;
  } catch (error) {
    await rm(lock, { force: true });
    throw error;
  }
}

/** True when the file did not exist and does now. */
async function createAlone(path: string, mode: number): Promise<boolean> {
  try {
    await writeFile(path, '', { flag: 'wx', mode });
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

const readText = async (file: string): Promise<string> => (await unlessMissing(readFile(file, 'utf8'))) ?? '';

const modeOf = async (file: string): Promise<number> =>
  stat(file).then(
    (facts) => facts.mode & 0o777,
    () => 0o644,
  );
