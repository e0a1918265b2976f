// How a worker gets the answer to its question: from its tool while that waits, else by a message; never both.
import { readlink, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { unlessMissing } from '../system/disk.ts';
import { requestsDir } from './requests.ts';

export type AnsweredBy = 'tool' | 'message';

const claimPath = (workerDir: string, requestId: string) => join(requestsDir(workerDir), `${requestId}.teller`);

/** The first claim counts; returns whose it is. */
export async function claimAnswer(workerDir: string, requestId: string, by: AnsweredBy): Promise<AnsweredBy> {
  try {
    // A symlink to nowhere: the system makes it and fills it in one step.
    await symlink(by, claimPath(workerDir, requestId));
    return by;
  } catch (error) {
    const first = await answeredBy(workerDir, requestId);
    if (first === undefined) throw error;
    return first;
  }
}

/** Undefined while nobody has claimed it. */
export async function answeredBy(workerDir: string, requestId: string): Promise<AnsweredBy | undefined> {
  const held = await unlessMissing(readlink(claimPath(workerDir, requestId)));
  return held === 'tool' || held === 'message' ? held : undefined;
}
