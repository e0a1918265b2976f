// Where branches of a repository stood while workers could move them; no sandboxed worker reaches this file.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { parseJson } from '../model/json.ts';
import { type OnTrouble, readJson, writeJson } from '../system/atomic.ts';

const moved = z.object({
  to: z.string(),
  at: z.number(),
  /** Ids of all workers that could have moved it. */
  workers: z.array(z.string()),
});

const head = z.object({
  branch: z.string().exactOptional(),
  rebase: z.object({ branch: z.string().exactOptional(), from: z.string() }).exactOptional(),
  /** The one branch of which its history counts. */
  only: z.string().exactOptional(),
  /** Of its history: how long it was, and its last line then. */
  bytes: z.number(),
  last: z.string(),
});

const tipBook = z.object({
  v: z.literal(1),
  repo: z.string(),
  /** Newest event of the log that was counted. */
  seq: z.number(),
  lookedAt: z.number(),
  /** By branch: the commits at which it was known to stand, the newest last. */
  kept: z.record(z.string(), z.array(z.string()).readonly()),
  /** By branch: where nobody who may has led it. */
  moved: z.record(z.string(), moved),
  /** By git folder: the checkouts that are no worker's. */
  heads: z.record(z.string(), head),
});
export type TipBook = z.output<typeof tipBook>;
export type MovedTip = z.output<typeof moved>;
export type KnownHead = z.output<typeof head>;

/** One file for each main checkout. */
export const tipBookName = (repo: string): string => createHash('sha256').update(repo).digest('hex').slice(0, 16);

export const tipBookPath = (home: string, repo: string): string => join(home, 'tips', `${tipBookName(repo)}.json`);

export const readTipBook = (home: string, repo: string, onTrouble: OnTrouble): Promise<TipBook | undefined> =>
  readJson(tipBookPath(home, repo), tipBook, onTrouble);

/** As it is now; undefined where there is none, or it cannot be read. */
export function peekTipBook(home: string, repo: string): TipBook | undefined {
  try {
    return tipBook.safeParse(parseJson(readFileSync(tipBookPath(home, repo), 'utf8'))).data;
  } catch {
    return undefined;
  }
}

export async function writeTipBook(home: string, book: TipBook): Promise<void> {
  const path = tipBookPath(home, book.repo);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeJson(path, book);
}

export const dropTipBook = (home: string, repo: string): Promise<void> => rm(tipBookPath(home, repo), { force: true });
