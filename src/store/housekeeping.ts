// Removes from the state folder what has had its time: once a day by a server, and when a person asks.
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { rewriteLines } from '../jsonl/rewrite.ts';
import { isWorkerId } from '../model/ids.ts';
import type { WorkerRecord } from '../model/worker.ts';
import { type OnTrouble, readHeld, writeJson } from '../system/atomic.ts';
import { removeWhole, unlessMissing } from '../system/disk.ts';
import { withLock } from '../system/lock.ts';
import type { ProcessRef } from '../system/process.ts';
import type { Home } from './home.ts';
import { bookPath, crewsWithBooks } from './job-book.ts';
import { type KeptLaunch, type KeptWorker, outlived, type Removable } from './retention.ts';
import { shorterBook } from './shorter-book.ts';

export interface Cleaning {
  readonly home: Home;
  readonly me: ProcessRef;
  readonly now: number;
  /** As they are now; asked again before each removal. */
  readonly records: () => ReadonlyMap<string, WorkerRecord>;
  readonly onTrouble: OnTrouble;
}

export interface Cleaned {
  /** Files and folders that are gone, and books that are shorter. */
  readonly count: number;
  readonly bytes: number;
}

const everyMs = 24 * 60 * 60 * 1000;
const lockTimeoutMs = 10_000;
const doneFile = z.object({ v: z.literal(1), at: z.number() });

/** Undefined where some process has done it within a day. */
export function cleanDaily(cleaning: Cleaning): Promise<Cleaned | undefined> {
  const { home, now } = cleaning;
  return alone(cleaning, async () => {
    const done = await readHeld(donePath(home), doneFile);
    // A clock that was set back does not put it off.
    const isDone = done !== undefined && done.at <= now && now - done.at < everyMs;
    return isDone ? undefined : clean(cleaning);
  });
}

export const cleanNow = (cleaning: Cleaning): Promise<Cleaned> => alone(cleaning, () => clean(cleaning));

const donePath = ({ root }: Home): string => join(root, 'housekeeping.json');

const alone = <T>({ home, me }: Cleaning, act: () => Promise<T>): Promise<T> =>
  withLock(home.lockPath('housekeeping'), act, { me, timeoutMs: lockTimeoutMs });

async function clean(cleaning: Cleaning): Promise<Cleaned> {
  const { home, now } = cleaning;
  const gone = outlived(await keptWorkers(cleaning), now);
  const freed = [...(await removeAll(cleaning, gone)), ...(await shortenBooks(cleaning))];
  await writeJson(donePath(home), { v: 1, at: now });
  return { count: freed.length, bytes: freed.reduce((sum, bytes) => sum + bytes, 0) };
}

/** Where a log was set aside unread, it may name workers of which nothing else tells. */
async function keptWorkers({ home, records }: Cleaning): Promise<readonly KeptWorker[]> {
  const hasUnread = (await readdir(home.root)).some(
    (name) => name.startsWith('events.') && name.includes('unreadable'),
  );
  const ids = ((await unlessMissing(readdir(join(home.root, 'workers')))) ?? []).filter(isWorkerId);
  const all = records();
  const told = ids.filter((id) => !hasUnread || all.has(id));
  return Promise.all(told.map((id) => keptWorker(join(home.root, 'workers', id), id, all.get(id))));
}

async function keptWorker(dir: string, id: string, record: WorkerRecord | undefined): Promise<KeptWorker> {
  const names = await readdir(dir);
  const numbers = ((await unlessMissing(readdir(join(dir, 'launches')))) ?? []).filter((name) => /^\d+$/.test(name));
  const launches = await Promise.all(
    numbers.map(async (name) => ({ number: Number(name), ...(await lookInto(join(dir, 'launches', name))) })),
  );
  const own = await Promise.all(names.map((name) => writtenAt(join(dir, name))));
  const last = Math.max(0, ...own, ...launches.map(({ at }) => at));
  const isKnown = record !== undefined;
  const closedAt = isKnown ? (record.phase === 'closed' ? record.endedAt : undefined) : last;
  return { id, names, launches, isKnown, closedAt };
}

const writtenAt = async (path: string): Promise<number> => (await unlessMissing(lstat(path)))?.mtimeMs ?? 0;

async function lookInto(dir: string): Promise<Omit<KeptLaunch, 'number'>> {
  const names = (await unlessMissing(readdir(dir))) ?? [];
  const ages = await Promise.all(names.map((name) => writtenAt(join(dir, name))));
  return { names, at: Math.max(await writtenAt(dir), ...ages) };
}

/** Resolves to the size of each that is gone. */
async function removeAll(cleaning: Cleaning, removables: readonly Removable[]): Promise<readonly number[]> {
  const { home, records, onTrouble } = cleaning;
  const freed: number[] = [];
  for (const { workerId, path } of removables) {
    const phase = records().get(workerId)?.phase;
    // It was restarted meanwhile.
    if (phase !== undefined && phase !== 'closed') continue;
    const whole = join(home.root, 'workers', workerId, path);
    try {
      const bytes = await sizeOf(whole);
      await removeWhole(whole);
      freed.push(bytes);
    } catch (error) {
      onTrouble(`${whole} could not be removed: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return freed;
}

/** Follows no link. */
async function sizeOf(path: string): Promise<number> {
  const facts = await unlessMissing(lstat(path));
  if (facts === undefined || !facts.isDirectory()) return facts?.size ?? 0;
  const sizes = await Promise.all((await readdir(path)).map((name) => sizeOf(join(path, name))));
  return sizes.reduce((sum, bytes) => sum + bytes, 0);
}

async function shortenBooks({ home, now, onTrouble }: Cleaning): Promise<readonly number[]> {
  const freed: number[] = [];
  for (const crew of await crewsWithBooks(home.root)) {
    const path = bookPath({ home: home.root, crew });
    try {
      freed.push(await rewriteLines(path, (lines) => shorterBook(lines, now)));
    } catch (error) {
      onTrouble(`${path} could not be made shorter: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return freed.filter((bytes) => bytes > 0);
}
