// A worker's branch: its diff, its conflicts, and how it lands.
import { z } from 'zod';
import { mergeStrategies, syncStrategies, testOutcomes, trainEnds } from '../model/train.ts';
import { messageOutcome } from './messages.ts';
import { argWord, list, more, type Shape, sessionId, shortened, taskId, workerRef } from './parts.ts';
import { closeOutcome } from './starting.ts';

const defaultChars = 20_000;
const mostChars = 40_000;

export const diffInput = z.strictObject({
  session_id: sessionId,
  stat: z.boolean().default(false).describe('Files and counts only.'),
  paths: list(z.string().min(1)).exactOptional().describe('Only these files and folders.'),
  max_chars: z.int().min(500).max(mostChars).default(defaultChars).describe('Longest text; the whole is in a file.'),
});
export type DiffRequest = Shape<typeof diffInput>;

export const diffOutput = z.object({
  session_id: z.string(),
  branch: z.string().nullable(),
  base: z.object({ ref: z.string().nullable(), commit: z.string() }),
  uncommitted_files: z.number(),
  files: list(
    z.object({
      path: z.string(),
      old_path: z.string().exactOptional(),
      status: z.enum(['added', 'modified', 'deleted', 'renamed', 'copied', 'type_changed']),
      additions: z.number().nullable(),
      deletions: z.number().nullable(),
      binary: z.boolean(),
      mode: z.string().exactOptional(),
    }),
  ),
  file_count: z.number(),
  additions: z.number(),
  deletions: z.number(),
  /** Repositories of their own, which git does not look into. */
  left_out: list(z.string()).exactOptional(),
  /** Not committed, and too large to be looked into. */
  too_large: list(z.string()).exactOptional(),
  diff: z.string().exactOptional(),
  path: z.string().exactOptional(),
  ...shortened,
});
export type DiffResult = Shape<typeof diffOutput>;

export const conflictsInput = z.strictObject({
  session_ids: list(workerRef).exactOptional().describe('All live ones unless given.'),
});

const clash = {
  /** Files on which a merge would stop. */
  conflicts: list(z.string()),
  /** Files that both have changed, whether they would merge or not. */
  both_edited: list(z.string()),
  /** How many files more there are of each. */
  more_conflicts: z.number().exactOptional(),
  more_both_edited: z.number().exactOptional(),
};

const compared = {
  pairs: list(z.object({ a: z.string(), b: z.string(), ...clash })),
  against_base: list(z.object({ session_id: z.string(), name: z.string(), base: z.string(), ...clash })),
  unreadable: list(z.object({ session_id: z.string(), reason: z.string() })).exactOptional(),
};
const comparison = z.object(compared);
/** All pairs, with all their files. */
export type ConflictsResult = Shape<typeof comparison>;

/** Only the pairs that have something to say. */
export const conflictsOutput = z.object({ pairs_checked: z.number(), ...compared, more, ...shortened });

/** A merge that would stop, seen before anybody tries it. */
export const foreseen = z.object({
  name: z.string(),
  /** Another worker, or the base. */
  with: z.string(),
  files: list(z.string()),
});
export type Foreseen = Shape<typeof foreseen>;

const commit = z.object({
  sha: z.string(),
  subject: z.string(),
  /** The worker it came from, where that is known. */
  owner: z.string().exactOptional(),
});

/** The newest commits of the worker's branch, and of the target, that touched the file. */
const landingConflict = z.object({ file: z.string(), ours: list(commit), theirs: list(commit) });
export type LandingConflict = Shape<typeof landingConflict>;

export const mergeInput = z.strictObject({
  session_id: sessionId,
  into: argWord(1_000).exactOptional().describe('Local branch; the one it was begun from unless given.'),
  strategy: z
    .enum(mergeStrategies)
    .exactOptional()
    .describe('squash: one commit. merge: a merge commit. ff-only: its commits, rebased as a copy.'),
  message: z.string().min(1).exactOptional().describe('Commit message for squash and merge.'),
  test_command: z
    .string()
    .exactOptional()
    .describe("Shell line that must pass first; the project's own unless given; empty for none."),
  dry_run: z.boolean().default(false).describe('Do all but move the target.'),
  close: z.boolean().default(false).describe('Close the worker once it has landed.'),
  send_back: z.boolean().default(false).describe('Have the worker solve conflicts.'),
});

export const mergeOutput = z.object({
  /** The target holds the worker's work now; in a dry run, it could. */
  success: z.boolean(),
  session_id: z.string(),
  outcome: z.enum(trainEnds),
  target: z.string(),
  branch: z.string(),
  from_commit: z.string(),
  to_commit: z.string(),
  strategy: z.enum(mergeStrategies),
  leftovers_committed: z.number(),
  tests: z.object({
    status: z.enum(testOutcomes),
    command: z.string().nullable(),
    output: z.string(),
    path: z.string().exactOptional(),
  }),
  conflicts: list(landingConflict),
  /** Files that it changes and was not to change; they keep it from landing. */
  outside: list(z.string()).exactOptional(),
  /** Files that landed or would land, up to a number of them; `file_count` has all. */
  files: list(z.string()),
  file_count: z.number(),
  /** Of the target, where it is checked out. */
  checkout: z.enum(['updated', 'none']),
  reason: z.string().exactOptional(),
  /** For the worker that is to solve the conflicts; sent where that was asked for. */
  prompt: z.string().exactOptional(),
  sent_back: messageOutcome.exactOptional(),
  closed: closeOutcome.exactOptional(),
  /** Parts of the configuration that were left aside: a test command among them has not been run. */
  warnings: list(z.string()).exactOptional(),
  ...shortened,
});
export type LandingResult = Shape<typeof mergeOutput>;

export const syncInput = z.strictObject({
  session_id: sessionId,
  strategy: z
    .enum(syncStrategies)
    .exactOptional()
    .describe('rebase unless given; merge where its commits were pushed.'),
  from: argWord(1_000).exactOptional().describe('Another branch, or a fetched one such as origin/main.'),
});

export const syncOutput = z.object({
  /** The branch holds all of the base now. */
  success: z.boolean(),
  session_id: z.string(),
  outcome: z.enum(['synced', 'nothing', 'conflict', 'refused']),
  strategy: z.enum(syncStrategies),
  branch: z.string(),
  /** The base it was brought up to, and its commit. */
  from: z.string(),
  from_commit: z.string(),
  before: z.string(),
  after: z.string(),
  commits_replayed: z.number(),
  conflicts: list(landingConflict),
  /** Keeps the branch as it was. */
  backup_ref: z.string().nullable(),
  reason: z.string().exactOptional(),
  hint: z.string().exactOptional(),
  /** For the worker that is to solve the conflicts. */
  prompt: z.string().exactOptional(),
  ...shortened,
});
export type SyncResult = Shape<typeof syncOutput>;

export const pullRequestInput = z.strictObject({
  session_id: sessionId.exactOptional().describe('Id, name or tmux:%12.'),
  plan_id: taskId.exactOptional().describe('A plan, in place of a worker.'),
  title: z.string().min(1).max(250).exactOptional().describe('Its only commit or its label unless given.'),
  body: z
    .string()
    .max(60_000)
    .exactOptional()
    .describe("Made of its report, commits and the project's template unless given."),
  draft: z.boolean().default(false).describe('As a draft.'),
  base: argWord(1_000).exactOptional().describe('The branch it was begun from unless given.'),
  remote: argWord(1_000).exactOptional().describe("The branch's own, else origin, unless given."),
});

/** Pieces that a pull request needs. */
const missingPiece = z.enum(['remote', 'github_remote', 'gh', 'gh_login', 'base']);
export type MissingPiece = Shape<typeof missingPiece>;

export const pullRequestOutput = z.object({
  /** It is open, with all of the branch. */
  success: z.boolean(),
  /** Of a worker; a plan has `plan_id`. */
  session_id: z.string().exactOptional(),
  plan_id: z.string().exactOptional(),
  url: z.string().exactOptional(),
  branch: z.string(),
  remote: z.string().nullable(),
  /** The branch it is to be merged into, as the remote calls it. */
  base: z.string(),
  title: z.string(),
  /** The file that keeps its text. */
  body_path: z.string(),
  commits: z.number(),
  pushed: z.boolean(),
  /** It was open before. */
  existing: z.boolean(),
  missing: list(missingPiece),
  reason: z.string().exactOptional(),
  hint: z.string().exactOptional(),
  ...shortened,
});
export type PullRequestResult = Shape<typeof pullRequestOutput>;
