// One holder at a time, across processes; a dead holder's lock is broken.
import { lstat, readdir, readlink, symlink, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { CrewError } from '../model/errors.ts';
import { newNonce } from '../model/ids.ts';
import { parseJson } from '../model/json.ts';
import { unreadable } from './atomic.ts';
import { pause, systemClock } from './clock.ts';
import { hasCode, unlessMissing } from './disk.ts';
import { isAlive, type ProcessRef } from './process.ts';

export interface LockOptions {
  /** The process that holds it: ours. */
  readonly me: ProcessRef;
  readonly timeoutMs: number;
}

const holderSchema = z.object({ v: z.literal(1), pid: z.number(), processStart: z.string(), nonce: z.string() });
type Holder = z.infer<typeof holderSchema>;

/**
 * Runs `fn` while nobody else runs one under the same path. Not re-entrant.
 * A living holder is waited for up to the timeout, then named in a `state_locked` error.
 */
export async function withLock<T>(path: string, fn: () => Promise<T>, options: LockOptions): Promise<T> {
  await acquire(path, options);
  try {
    return await fn();
  } finally {
    await unlessMissing(unlink(path));
  }
}

async function acquire(path: string, options: LockOptions): Promise<void> {
  const deadline = systemClock.now() + options.timeoutMs;
  const mine: Holder = { v: 1, ...options.me, nonce: newNonce() };
  for (let delayMs = 1; !(await tryTake(path, mine)); ) {
    const holder = await holderOf(path);
    if (holder === undefined) continue;
    if (!(await isAlive(holder))) {
      await breakLock(path, holder, options);
      continue;
    }
    if (systemClock.now() >= deadline) throw lockedBy(path, holder, options.timeoutMs);
    await pause(delayMs * (0.5 + Math.random()));
    delayMs = Math.min(delayMs * 2, 16);
  }
}

// A link that points to nothing holds who made it: made and filled in one step, so it is never seen empty.
async function tryTake(path: string, mine: Holder): Promise<boolean> {
  try {
    await symlink(JSON.stringify(mine), path);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/** Who holds it now and lives, and since when, epoch ms. Changes nothing. */
export async function heldBy(path: string): Promise<(ProcessRef & { readonly at: number }) | undefined> {
  const [holder, link] = await Promise.all([holderOf(path), unlessMissing(lstat(path))]);
  if (holder === undefined || link === undefined || !(await isAlive(holder))) return undefined;
  return { pid: holder.pid, processStart: holder.processStart, at: link.mtimeMs };
}

/** Undefined when it was let go of meanwhile. */
async function holderOf(path: string): Promise<Holder | undefined> {
  const text = await unlessMissing(readlink(path)).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  if (text === undefined) return undefined;
  const holder = holderSchema.safeParse(parseJson(text));
  if (holder.success) return holder.data;
  throw unreadable(path, 'it is not a lock of this version');
}

// Only who holds the lock named after this very holder may remove its lock, so a fresh one is never taken for it.
async function breakLock(path: string, dead: Holder, options: LockOptions): Promise<void> {
  await withLock(
    `${path}.${dead.nonce}`,
    async () => {
      if ((await holderOf(path))?.nonce === dead.nonce) await unlink(path);
    },
    options,
  );
}

/** Names of the locks in a folder whose holders have ended; none when there is no folder. Changes nothing. */
export async function deadLocks(folder: string): Promise<readonly string[]> {
  const names = (await unlessMissing(readdir(folder))) ?? [];
  const dead = await Promise.all(
    names.map(async (name) => {
      const holder = await holderOf(join(folder, name)).catch(() => undefined);
      return holder !== undefined && !(await isAlive(holder));
    }),
  );
  return names.filter((_, index) => dead[index]);
}

const lockedBy = (path: string, holder: Holder, timeoutMs: number): CrewError =>
  new CrewError(
    'state_locked',
    `${path} is held by process ${holder.pid}, which did not let go within ${timeoutMs} ms.`,
    `Try again. If process ${holder.pid} hangs, end it; its lock is then taken over.`,
  );
