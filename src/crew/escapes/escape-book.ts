// What is known of one main checkout: how it looked last, and what appeared there. Shared by all servers.
import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { Escapes, Sight } from '../../model/escape.ts';
import { readJson, writeJson } from '../../system/atomic.ts';
import { withLock } from '../../system/lock.ts';
import type { Repo } from '../../worktree/inspect.ts';
import type { CrewContext } from '../workers/roster.ts';

const witnessed = {
  at: z.number(),
  workers: z.array(z.string()),
  tool: z.string().exactOptional(),
  isDoubtful: z.literal(true).exactOptional(),
};
const book = z.object({
  v: z.literal(1),
  repo: z.string(),
  sight: z.object({
    at: z.number(),
    branch: z.string().exactOptional(),
    head: z.string().exactOptional(),
    marks: z.record(z.string(), z.object({ print: z.string(), at: z.number().exactOptional() })),
  }),
  files: z.array(z.object({ path: z.string(), ...witnessed })),
  commits: z.array(z.object({ commit: z.string(), subject: z.string(), ...witnessed })),
  undone: z.array(z.object({ path: z.string(), ...witnessed })).default([]),
});

export interface Book {
  readonly sight: Sight;
  /** What is doubtful too: a call may still name it. */
  readonly escapes: Escapes;
}

/** All that names a book: known from a worker's record, so that reading one asks no git. */
type Checkout = Pick<Repo, 'mainRepoPath'>;

const keyOf = ({ mainRepoPath }: Checkout): string =>
  createHash('sha256').update(mainRepoPath).digest('hex').slice(0, 16);

const pathOf = (context: CrewContext, of: Checkout): string => join(context.home.root, 'escapes', `${keyOf(of)}.json`);

/** Undefined before the first look. */
export async function readBook(context: CrewContext, repo: Checkout): Promise<Book | undefined> {
  const read = await readJson(pathOf(context, repo), book, (message) => context.logger.write('warn', message));
  return read && { sight: read.sight, escapes: { files: read.files, commits: read.commits, undone: read.undone } };
}

export async function writeBook(context: CrewContext, repo: Checkout, { sight, escapes }: Book): Promise<void> {
  const path = pathOf(context, repo);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeJson(path, { v: 1, repo: repo.mainRepoPath, sight, ...escapes });
}

const lockTimeoutMs = 30_000;

/** One look at a time, whichever server takes it: what is new is told by one of them. */
export const withBook = <T>(context: CrewContext, repo: Checkout, act: () => Promise<T>): Promise<T> =>
  withLock(context.home.lockPath(`escapes-${keyOf(repo)}`), act, { me: context.me, timeoutMs: lockTimeoutMs });
