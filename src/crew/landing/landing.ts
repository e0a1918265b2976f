// One landing: whose and where, its journal on disk, and the mark on every process that it starts.
import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { type MergeStrategy, mergeStrategies, testOutcomes, type WhereRed } from '../../model/train.ts';
import { type OnTrouble, readJson, removeAtomic, writeJson } from '../../system/atomic.ts';
import { endMarked, marksGone, type ProcessMark, processesMarked } from '../../system/marked.ts';
import { endProcesses, isAlive, type ProcessRef, processTree } from '../../system/process.ts';
import { argvOf } from '../../system/process-traces.ts';
import type { Repo } from '../../worktree/git/inspect.ts';
import type { PlanBranch } from '../orders.ts';
import type { CrewContext } from '../workers/crew-context.ts';
import type { LandedBefore } from './landing-log.ts';
import type { OwnedBranch } from './own-branch.ts';

export interface LandOrder {
  /** A worker's branch, or that of a plan. */
  readonly worker: string | PlanBranch;
  /** Globs of the only paths it may change; where it changes another, nothing lands. */
  readonly touchSet?: readonly string[];
  /** The branch it started from unless given. */
  readonly target?: string;
  readonly strategy?: MergeStrategy;
  readonly message?: string;
  /** Empty for no tests; the configured one unless given. */
  readonly testCommand?: string;
  /** What to do where its tests fail on the target too; unless given, they do not run there. */
  readonly whereRed?: WhereRed;
  /** Epoch ms; what was found of the target's tests before it does not count. */
  readonly testedSince?: number;
  readonly dryRun: boolean;
  /** The answer to an earlier order may be lost: what has landed by that has landed. */
  readonly isAgain?: boolean;
}

export interface BranchLanding extends OwnedBranch<LandOrder> {
  readonly target: string;
  /** What of the branch has landed there before. */
  readonly landed: LandedBefore | undefined;
  /** Undefined where the worker's worktree is gone. */
  readonly worktree: string | undefined;
  readonly strategy: MergeStrategy;
  /** The folder for the landings of this repository. */
  readonly dir: string;
  readonly notes: LandingNotes;
}

const journal = z.object({
  v: z.literal(1),
  /** In the environment of every process that the landing starts. */
  mark: z.string(),
  workerId: z.string(),
  /** Where `workerId` is the plan that the branch belongs to. */
  lane: z.object({ name: z.string(), crew: z.string() }).exactOptional(),
  repo: z.string(),
  target: z.string(),
  strategy: z.enum(mergeStrategies),
  /** The process that crewmux started for the tests. */
  tests: z.object({ pid: z.number(), processStart: z.string() }).exactOptional(),
  leftovers: z
    .object({ worktree: z.string(), branch: z.string().exactOptional(), head: z.string(), index: z.string() })
    .exactOptional(),
  move: z
    .object({
      from: z.string(),
      /** The commit of the branch that `to` holds. */
      source: z.string(),
      to: z.string(),
      /** Checkouts of the target; their files change before the branch moves. */
      checkouts: z.array(z.string()),
      tests: z.enum(testOutcomes),
    })
    .exactOptional(),
});
/** The landing writes each step here before it takes it, so that the next server can finish or undo it. */
export type Journal = z.output<typeof journal>;

/** One folder for each repository, whatever path leads to it. */
export const landingDir = (context: CrewContext, { gitCommonDir }: Repo): string =>
  join(context.home.root, 'landings', createHash('sha256').update(gitCommonDir).digest('hex').slice(0, 16));

export const landingLock = (context: CrewContext, dir: string): string =>
  context.home.lockPath(`land-${dir.slice(-16)}`);

const journalPath = (dir: string): string => join(dir, 'landing.json');

export const readJournal = (dir: string, onTrouble: OnTrouble): Promise<Journal | undefined> =>
  readJson(journalPath(dir), journal, onTrouble);

export const dropJournal = (dir: string): Promise<void> => removeAtomic(journalPath(dir));

/** Writes the journal of the landing under way. */
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

  /** The note is on disk when the promise resolves. */
  async note(more: Pick<Journal, 'tests' | 'leftovers' | 'move'>): Promise<void> {
    this.#entry = { ...this.#entry, ...more };
    await writeJson(journalPath(this.#dir), this.#entry);
  }

  get mark(): string {
    return this.#entry.mark;
  }
}

/** On git, its hooks and the tests. */
const landingMark = (value: string): ProcessMark => ({ name: 'CREWMUX_LANDING', value });
/** On the tests alone. */
const testsMark = (value: string): ProcessMark => ({ name: 'CREWMUX_LANDING_TESTS', value });

const environment = (...marks: readonly ProcessMark[]): Record<string, string> =>
  Object.fromEntries(marks.map(({ name, value }) => [name, value]));

export const markedGit = (mark: string) => environment(landingMark(mark));
export const markedTests = (mark: string) => environment(landingMark(mark), testsMark(mark));

const graceMs = 1_000;
const gitCeilingMs = 10_000;

/** Ends every process that the tests left behind. The leader's pid alone proves nothing, so its start time counts too. */
export async function endTests(mark: string, leader?: ProcessRef): Promise<void> {
  const tree = leader !== undefined && (await isAlive(leader)) ? await processTree(leader.pid) : [];
  await endProcesses(tree, { graceMs });
  await endMarked(testsMark(mark), { graceMs });
}

/** Waits for the git of a landing whose server is gone, since a git that is killed may leave a checkout half written. */
export async function untilGitEnded(mark: string, onTrouble: OnTrouble): Promise<void> {
  if (await marksGone(landingMark(mark), gitCeilingMs)) return;
  const left = await processesMarked(landingMark(mark));
  const names = await Promise.all(
    left.map(async ({ pid }) => `${pid} (${(await argvOf(pid)).join(' ').slice(0, 100)})`),
  );
  onTrouble(`processes of a landing did not end within ${gitCeilingMs} ms, and crewmux ends them: ${names.join(', ')}`);
  await endMarked(landingMark(mark), { graceMs });
}
