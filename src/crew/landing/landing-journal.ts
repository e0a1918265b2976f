// What a landing is about to do, on disk before it does it, so that whoever comes after a kill can set it right.
import { createHash } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { mergeStrategies, testOutcomes } from '../../model/train.ts';
import { type OnTrouble, readJson, writeJson } from '../../system/atomic.ts';
import type { Repo } from '../../worktree/inspect.ts';
import type { CrewContext } from '../workers/roster.ts';

const journal = z.object({
  v: z.literal(1),
  /** In the environment of everything the landing starts. */
  mark: z.string(),
  workerId: z.string(),
  repo: z.string(),
  target: z.string(),
  strategy: z.enum(mergeStrategies),
  /** Leads the tests. */
  tests: z.object({ pid: z.number(), processStart: z.string() }).exactOptional(),
  leftovers: z.object({ worktree: z.string(), head: z.string(), index: z.string() }).exactOptional(),
  move: z
    .object({
      from: z.string(),
      /** The worker's commit that is in it. */
      source: z.string(),
      to: z.string(),
      /** Checkouts of the target, which come along before it moves. */
      checkouts: z.array(z.string()),
      tests: z.enum(testOutcomes),
    })
    .exactOptional(),
});
export type Journal = z.output<typeof journal>;

/** One folder a repository, whatever path it is reached by. */
export const landingDir = (context: CrewContext, { gitCommonDir }: Repo): string =>
  join(context.home.root, 'landings', createHash('sha256').update(gitCommonDir).digest('hex').slice(0, 16));

export const landingLock = (context: CrewContext, dir: string): string =>
  context.home.lockPath(`land-${dir.slice(-16)}`);

const journalPath = (dir: string): string => join(dir, 'landing.json');

export const readJournal = (dir: string, onTrouble: OnTrouble): Promise<Journal | undefined> =>
  readJson(journalPath(dir), journal, onTrouble);

export const dropJournal = (dir: string): Promise<void> => rm(journalPath(dir), { force: true });

/** What the landing under way has noted. */
export class LandingNotes {
  readonly #dir: string;
  #entry: Journal;

  private constructor(dir: string, entry: Journal) {
    this.#dir = dir;
    this.#entry = entry;
  }

  static async begin(dir: string, entry: Omit<Journal, 'v'>): Promise<LandingNotes> {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    const notes = new LandingNotes(dir, { v: 1, ...entry });
    await notes.note({});
    return notes;
  }

  /** On disk when it resolves. */
  async note(more: Pick<Journal, 'tests' | 'leftovers' | 'move'>): Promise<void> {
    this.#entry = { ...this.#entry, ...more };
    await writeJson(journalPath(this.#dir), this.#entry);
  }

  get mark(): string {
    return this.#entry.mark;
  }
}
