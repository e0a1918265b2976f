// Where the worktree of a fork begins: at the commit at which the branch of the forked worker stands.
import { defined } from '../../model/defined.ts';
import { isSandboxed, type WorkerRecord } from '../../model/worker.ts';
import { exists } from '../../system/disk.ts';
import { findBranch } from '../../worktree/git/branch.ts';
import type { FolderFacts, Repo } from '../../worktree/git/inspect.ts';
import { type BaseCommit, resolveBase } from '../../worktree/making/start.ts';
import { notAlong, readUncommitted, type WorkAlong } from '../../worktree/salvage/bring-along.ts';
import { type WorkState, workState } from '../../worktree/state/work-state.ts';
import { unready } from '../landing/own-branch.ts';
import type { CrewContext } from '../workers/crew-context.ts';
import type { WorkerDraft } from './draft.ts';

export interface ForkStart {
  /** Undefined where the branch is gone. */
  readonly from: BaseCommit | undefined;
  /** What its work belongs to, as the forked worker's does. */
  readonly base: NonNullable<WorkerRecord['base']>;
  readonly warnings: readonly string[];
  /** What the forked worker has not committed, where it comes along. */
  readonly along?: WorkAlong;
}

/** Undefined for what forks no worker with a branch of this repository, and where the call says where to begin. */
export async function forkStart(
  context: CrewContext,
  { name, order, resume, sandbox }: WorkerDraft,
  folder: FolderFacts,
): Promise<ForkStart | undefined> {
  const past = resume?.fork === true ? resume.past : undefined;
  const branch = past?.branch;
  if (past === undefined || branch === undefined || past.mainRepoPath !== folder.mainRepoPath) return undefined;
  const { base: asked, branch: named } = order.worktree ?? {};
  const isThere = named !== undefined && (await findBranch(folder, named)) !== undefined;
  if (isThere && order.forkChanges === true)
    throw notAlong(`the branch ${named} exists already, and is checked out as it is`);
  if (asked !== undefined || isThere) return undefined;
  const sha = await findBranch(folder, branch);
  const base = past.base ?? (await resolveBase(folder, undefined));
  const left = await leftBy(context, past);
  const leavesSandbox = isSandboxed(past.launch) && !sandbox.isOn;
  const facts = { name, past: past.name, branch, base, left, leavesSandbox, sha };
  const along = order.forkChanges === true ? await alongOf(folder, past, facts) : undefined;
  const warnings = forkWords({ ...facts, takesAll: along !== undefined });
  return { from: sha === undefined ? undefined : { ref: branch, sha }, base, warnings, ...defined({ along }) };
}

/** Rejects where the fork would not have exactly what the forked worker has. */
async function alongOf(repo: Repo, { worktreePath }: WorkerRecord, facts: ForkFacts): Promise<WorkAlong> {
  const why = whyNotAlong(facts);
  if (why !== undefined) throw notAlong(why);
  const found = worktreePath === undefined ? undefined : await readUncommitted(repo, worktreePath);
  if (found !== undefined && found.head === facts.sha) return found;
  throw notAlong(`the branch ${facts.branch} moved meanwhile`);
}

/** Undefined where the worktree can be read as it stands. Pure. */
export function whyNotAlong({ left, sha, branch, past }: ForkFacts): string | undefined {
  if (sha === undefined) return `the branch ${branch} of ${past} is gone`;
  if (left === undefined)
    return `the worktree of ${past} is gone (restore_work brings back what was saved of it, if anything)`;
  if (typeof left === 'string') return left;
  const odd = unready(left, branch);
  return odd === undefined ? undefined : `in the worktree of ${past}, ${odd}`;
}

/** Undefined where its worktree is gone; the words of git where that cannot tell. */
async function leftBy(
  { environment: { git: env } }: CrewContext,
  { worktreePath }: WorkerRecord,
): Promise<ForkFacts['left']> {
  if (worktreePath === undefined || !(await exists(worktreePath))) return undefined;
  return workState({ worktreePath, env, base: 'none' }).catch((error: unknown) =>
    error instanceof Error ? error.message : String(error),
  );
}

export interface ForkFacts {
  /** Of the fork. */
  readonly name: string;
  /** The name of the forked worker. */
  readonly past: string;
  readonly branch: string;
  /** The commit at which the branch stands; undefined where it is gone. */
  readonly sha: string | undefined;
  readonly base: NonNullable<WorkerRecord['base']>;
  readonly left: Pick<WorkState, 'dirtyFiles' | 'untrackedFiles' | 'operation' | 'branch'> | string | undefined;
  readonly leavesSandbox: boolean;
  /** The files that are in no commit come along. */
  readonly takesAll?: boolean;
}

/** What its manager must know of a fork. Pure. */
export function forkWords(facts: ForkFacts): readonly string[] {
  const { name, past, branch, sha, base, left, leavesSandbox } = facts;
  if (sha === undefined)
    return [`${name}: the branch ${branch} of ${past} is gone, so the fork begins at the current HEAD.`];
  const begins =
    sha === base.sha
      ? []
      : [`${name} begins at ${sha.slice(0, 12)}, where ${branch} of ${past} stands: landing ${name} lands that too.`];
  const outside = leavesSandbox
    ? [
        `${name}: ${past} works in a sandbox and this fork does not. Programs and settings that ${past} ${facts.takesAll === true ? 'left' : 'committed'} can run.`,
      ]
    : [];
  return [...begins, ...(facts.takesAll === true ? [] : leftWords(facts, left)), ...outside];
}

function leftWords({ name, past, branch }: ForkFacts, left: ForkFacts['left']): readonly string[] {
  if (left === undefined) return [];
  if (typeof left === 'string')
    return [`${name}: crewmux cannot tell what ${past} has not committed (${left}); nothing of it was brought along.`];
  const files = left.dirtyFiles + left.untrackedFiles;
  const named = files === 1 ? '1 file that is in no commit; it was' : `${files} files that are in no commit; they were`;
  const odd = unready(left, branch);
  return [
    ...(odd === undefined
      ? []
      : [`${name}: in the worktree of ${past}, ${odd}; the fork begins where the branch stands.`]),
    ...(files === 0 ? [] : [`${name}: ${past} has ${named} not brought along.`]),
  ];
}
