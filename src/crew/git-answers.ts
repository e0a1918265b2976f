// What the crew answers about branches and what they hold; the shapes of the wire.
import type { MergeStrategy, SyncStrategy, TestOutcome, TrainEnd } from '../model/train.ts';
import type { CloseOutcome, MessageOutcome } from './answers.ts';

export interface DiffResult {
  readonly session_id: string;
  readonly branch: string | null;
  readonly base: { readonly ref: string | null; readonly commit: string };
  readonly uncommitted_files: number;
  readonly files: readonly {
    readonly path: string;
    readonly old_path?: string;
    readonly status: 'added' | 'modified' | 'deleted' | 'renamed' | 'copied' | 'type_changed';
    readonly additions: number | null;
    readonly deletions: number | null;
    readonly binary: boolean;
    readonly mode?: string;
  }[];
  readonly file_count: number;
  readonly additions: number;
  readonly deletions: number;
  /** Repositories of their own, which git does not look into. */
  readonly left_out?: readonly string[];
  /** Not committed, and too large to be looked into. */
  readonly too_large?: readonly string[];
  readonly diff?: string;
  readonly truncated?: boolean;
  readonly path?: string;
  /** Why it is not the whole. */
  readonly note?: string;
}

/** What became, or would become, of one worktree. */
export interface CleanupView {
  readonly path: string;
  readonly action: 'remove' | 'keep';
  readonly reason: string;
  readonly worker?: string;
  readonly branch: string | null;
  /** Where everything in it was saved before. */
  readonly salvage?: string;
  readonly branch_action?: 'delete' | 'keep';
  readonly branch_reason?: string;
  readonly branch_deleted?: boolean;
}

export interface CleanupResult {
  readonly worktrees: readonly CleanupView[];
  readonly removed_count: number;
  readonly dry_run: boolean;
}

/** The branch and the worktree of a worker. */
export interface WorkerGit {
  readonly branch: string | null;
  readonly commit: string | null;
  /** What it is compared with. */
  readonly base: string | null;
  readonly ahead: number;
  readonly behind: number;
  readonly dirty_files: number;
  readonly untracked_files: number;
  readonly commits: readonly string[];
  /** The base has it all, by ancestry or by content, as after a squash. */
  readonly merged: boolean;
  readonly detached: boolean;
  /** Its commits are on no branch and under no tag. */
  readonly unreachable: boolean;
  readonly locked: boolean;
  readonly lock_reason?: string;
  /** A merge, rebase, cherry-pick, revert or bisect that was not finished. */
  readonly operation?: string;
  /** Repositories of their own inside, of which git tells nothing. */
  readonly nested_repositories?: readonly string[];
}

export interface WorktreeView {
  readonly path: string;
  readonly name: string;
  readonly branch: string | null;
  readonly commit: string | null;
  readonly worker?: string;
  /** Live workers. */
  readonly in_use_by?: readonly string[];
  readonly registered: boolean;
  readonly dirty: boolean;
  readonly ahead: number;
  readonly behind: number;
  readonly merged: boolean;
  /** What it is compared with. */
  readonly base?: string;
  readonly orphan: boolean;
  /** Not made by crewmux. */
  readonly foreign: boolean;
  readonly detached: boolean;
  readonly locked: boolean;
  readonly lock_reason?: string;
  /** Its folder, or the link in it, is gone. */
  readonly prunable: boolean;
  readonly prune_reason?: string;
  readonly operation?: string;
  readonly unreachable?: true;
  /** A symlink in the place of a worktree, which is not followed. */
  readonly symlink_to?: string;
  /** Why its state cannot be told; it counts as dirty then. */
  readonly unreadable?: string;
  readonly removed: boolean;
}

export interface SalvageView {
  readonly salvage_id: string;
  readonly ref: string;
  /** We have written down that we made it; all else is what it says of itself. */
  readonly ours: boolean;
  readonly repo_path: string;
  readonly session_id?: string;
  /** Of the worker, where it is still known. */
  readonly name?: string;
  readonly saved_at: string;
  readonly reason: string;
  readonly branch: string | null;
  readonly head: string | null;
  /** Where the worktree was. */
  readonly path: string;
  readonly files_changed: number;
  readonly files_deleted: number;
  readonly files_untracked: number;
  readonly conflicts: number;
}

export interface RestoreResult {
  readonly salvages: readonly SalvageView[];
  readonly count: number;
  readonly restored?: {
    readonly path: string;
    readonly at_original_path: boolean;
    readonly branch: string | null;
    readonly head: string | null;
    /** Files, modes and index were compared with what was saved. */
    readonly exact: boolean;
    readonly notes: readonly string[];
    /** The call that lets a worker go on there. */
    readonly next: string;
  };
}

export interface LandingConflict {
  readonly file: string;
  /** Newest commits of the worker's branch, and of the target, that touched it. */
  readonly ours: readonly LandingCommit[];
  readonly theirs: readonly LandingCommit[];
}

export interface LandingCommit {
  readonly sha: string;
  readonly subject: string;
  /** The worker it came from, where that is known. */
  readonly owner?: string;
}

export interface LandingResult {
  /** The target holds the worker's work now; in a dry run, it could. */
  readonly success: boolean;
  readonly session_id: string;
  readonly outcome: TrainEnd;
  readonly target: string;
  readonly branch: string;
  readonly from_commit: string;
  readonly to_commit: string;
  readonly strategy: MergeStrategy;
  readonly leftovers_committed: number;
  readonly tests: {
    readonly status: TestOutcome;
    readonly command: string | null;
    readonly output: string;
    readonly path?: string;
  };
  readonly conflicts: readonly LandingConflict[];
  /** What landed or would land, up to a number of them; `file_count` has all. */
  readonly files: readonly string[];
  readonly file_count: number;
  /** Of the target, where it is checked out. */
  readonly checkout: 'updated' | 'none';
  readonly reason?: string;
  /** For the worker that is to solve the conflicts; sent where that was asked for. */
  readonly prompt?: string;
  readonly sent_back?: MessageOutcome;
  readonly closed?: CloseOutcome;
  /** What of the configuration was left aside: a test command among it has not been run. */
  readonly warnings?: readonly string[];
}

export interface SyncResult {
  /** The branch holds all of the base now. */
  readonly success: boolean;
  readonly session_id: string;
  readonly outcome: 'synced' | 'nothing' | 'conflict' | 'refused';
  readonly strategy: SyncStrategy;
  readonly branch: string;
  /** The base it was brought up to, and its commit. */
  readonly from: string;
  readonly from_commit: string;
  readonly before: string;
  readonly after: string;
  readonly commits_replayed: number;
  readonly conflicts: readonly LandingConflict[];
  /** Keeps the branch as it was. */
  readonly backup_ref: string | null;
  readonly reason?: string;
  readonly hint?: string;
  /** For the worker that is to solve the conflicts. */
  readonly prompt?: string;
}

/** What there must be for a pull request, and is not. */
export type MissingPiece = 'remote' | 'github_remote' | 'gh' | 'gh_login' | 'base';

export interface PullRequestResult {
  /** It is open, with all of the branch. */
  readonly success: boolean;
  readonly session_id: string;
  readonly url?: string;
  readonly branch: string;
  readonly remote: string | null;
  /** The branch it is to be merged into, as the remote calls it. */
  readonly base: string;
  readonly title: string;
  /** Where its text is kept. */
  readonly body_path: string;
  readonly commits: number;
  readonly pushed: boolean;
  /** It was open before. */
  readonly existing: boolean;
  readonly missing: readonly MissingPiece[];
  readonly reason?: string;
  readonly hint?: string;
}

interface ClashView {
  /** Files on which a merge would stop. */
  readonly conflicts: readonly string[];
  /** Files that both have changed, whether they would merge or not. */
  readonly both_edited: readonly string[];
}

export interface ConflictsResult {
  readonly pairs: readonly (ClashView & { readonly a: string; readonly b: string })[];
  readonly against_base: readonly (ClashView & {
    readonly session_id: string;
    readonly name: string;
    readonly base: string;
  })[];
  readonly unreadable?: readonly { readonly session_id: string; readonly reason: string }[];
}

/** What appeared in a main checkout while these workers worked in worktrees of their own. */
export interface EscapeView {
  readonly checkout: string;
  /** By name: all who worked then, or the one whose tool call names it. */
  readonly workers: readonly string[];
  /** The tool of that call. */
  readonly named_by?: string;
  readonly files: readonly string[];
  readonly file_count: number;
  readonly commits: readonly { readonly commit: string; readonly subject: string; readonly at: string }[];
  /** Changes that were not committed there and are gone. */
  readonly undone?: readonly string[];
  readonly since: string;
  readonly detail: string;
}

/** A merge that would stop, seen before anybody tries it. */
export interface Foreseen {
  readonly name: string;
  /** Another worker, or the base. */
  readonly with: string;
  readonly files: readonly string[];
}
