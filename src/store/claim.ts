// Who tells a worker what was answered: its tool, as long as it waits, or a message; never both.
import { readlink, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { unlessMissing } from '../system/disk.ts';
import { requestsDir } from './requests.ts';

export type Teller = 'tool' | 'message';

const claimPath = (workerDir: string, requestId: string) => join(requestsDir(workerDir), `${requestId}.teller`);

/** The first claim counts; returns whose it is. */
export async function claimTelling(workerDir: string, requestId: string, teller: Teller): Promise<Teller> {
  try {
    // A link that points to nothing holds who made it: made and filled in one step.
    await symlink(teller, claimPath(workerDir, requestId));
    return teller;
  } catch (error) {
    const first = await tellerOf(workerDir, requestId);
    if (first === undefined) throw error;
    return first;
  }
}

/** Undefined while nobody has claimed it. */
export async function tellerOf(workerDir: string, requestId: string): Promise<Teller | undefined> {
  const held = await unlessMissing(readlink(claimPath(workerDir, requestId)));
  return held === 'tool' || held === 'message' ? held : undefined;
}
