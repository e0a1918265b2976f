// The folder of a sandboxed worker for temporary files and caches: made exclusively, kept over restarts, ours alone.
import { lstat, mkdir, realpath } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { CrewError } from '../../model/errors.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { hasCode, removeWhole } from '../../system/disk.ts';

type Env = Readonly<Record<string, string>>;
type Owner = Pick<WorkerRecord, 'id'>;

const tempOf = ({ id }: Owner, env: Env): string => join(env.TMPDIR ?? '/tmp', `crewmux-${id}`);

/**
 * Resolves to its real path; the second time it finds what it has made. Throws `start_failed` where something else has
 * that name: a link, a folder of another user, or one that others may enter.
 */
export async function makeTemp(worker: Owner, env: Env): Promise<string> {
  const path = tempOf(worker, env);
  await mkdir(dirname(path), { recursive: true });
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
    const found = await lstat(path);
    const trouble = !found.isDirectory()
      ? 'is no folder'
      : found.uid !== userInfo().uid
        ? `belongs to the user ${found.uid}`
        : (found.mode & 0o077) !== 0
          ? `has mode ${(found.mode & 0o7777).toString(8)}, which lets others in`
          : undefined;
    if (trouble !== undefined) throw foreign(path, trouble);
  }
  return realpath(path);
}

const foreign = (path: string, trouble: string) =>
  new CrewError(
    'start_failed',
    `${path}, where the worker keeps its temporary files, ${trouble}.`,
    'Look who made it and remove it, or set TMPDIR to a folder of your own; then start the worker again.',
  );

/** Removes the temporary files and caches of a closed worker. Never rejects. */
export const forgetTemp = (worker: Owner, env: Env): Promise<void> =>
  removeWhole(tempOf(worker, env)).catch(() => undefined);
