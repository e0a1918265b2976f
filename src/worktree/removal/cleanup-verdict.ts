// Whether a worktree that nobody may need any more is cleaned up: a judgement over facts, and no for every doubt.
import type { Fate } from './fate.ts';
import type { Obstacle } from './verdict.ts';

export interface CleanupFacts {
  /** A record or our mark in it says that we made it. */
  readonly isOurs: boolean;
  /** What stands in the way of removing it without a salvage. */
  readonly obstacles: readonly Obstacle[];
  readonly isDetached: boolean;
  /** Workers that are there, or about to be. */
  readonly workers: readonly string[];
  /** Processes that work in it; undefined where the system does not tell. */
  readonly processes: readonly string[] | undefined;
  /** Undefined when it could not be told. */
  readonly fate: Fate | undefined;
}

export interface CleanupWish {
  /** Only what is merged goes; else what a remote has may go too. */
  readonly merged: boolean;
}

export interface Verdict {
  readonly action: 'remove' | 'keep';
  readonly reason: string;
}

/** The one judgement of dry runs and real ones. */
export function cleanupVerdict(facts: CleanupFacts, wish: CleanupWish): Verdict {
  const reasons = reasonsToKeep(facts, wish);
  return reasons.length > 0
    ? { action: 'keep', reason: reasons.join('; ') }
    : { action: 'remove', reason: facts.fate === undefined ? '' : fateWords(facts.fate) };
}

function reasonsToKeep(facts: CleanupFacts, wish: CleanupWish): readonly string[] {
  if (!facts.isOurs) return ['crewmux did not make it'];
  const obstacles = facts.obstacles.map(({ reason }) => reason);
  return [
    ...facts.workers.map((worker) => `${worker} works in it`),
    ...processReasons(facts.processes),
    ...obstacles,
    ...(obstacles.length === 0 && facts.isDetached ? ['it is on no branch'] : []),
    ...(obstacles.length === 0 ? fateReasons(facts.fate, wish) : []),
  ];
}

const named = 3;

function processReasons(processes: CleanupFacts['processes']): readonly string[] {
  if (processes === undefined) return ['the system does not tell whether a process works in it'];
  if (processes.length === 0) return [];
  const more = processes.length > named ? ` and ${processes.length - named} more` : '';
  return [`processes work in it: ${processes.slice(0, named).join(', ')}${more}`];
}

/** Why work of this fate stays where it is; empty when it may go. Pure. */
export function fateReasons(fate: Fate | undefined, { merged }: CleanupWish): readonly string[] {
  switch (fate?.is) {
    case undefined:
      return ['it cannot be told whether its work is merged'];
    case 'nowhere':
      return ['its commits are neither merged nor pushed'];
    case 'pushed':
      return merged ? [`its commits are on ${fate.to}, and not merged`] : [];
    default:
      return [];
  }
}

export function fateWords(fate: Fate): string {
  switch (fate.is) {
    case 'nothing':
      return 'it has no commits of its own';
    case 'merged':
      return `its work is merged into ${fate.into}`;
    case 'pushed':
      return `its commits are on ${fate.to}`;
    case 'nowhere':
      return 'its commits are neither merged nor pushed';
  }
}

export interface BranchFacts {
  /** We made the branch, not only the worktree it was in. */
  readonly isOurs: boolean;
  /** Other worktrees it is checked out in. */
  readonly checkedOutAt: readonly string[];
  /** Workers whose work is meant for it. */
  readonly baseOf: readonly string[];
  readonly fate: Fate | undefined;
}

/** Why a branch stays when its worktree goes; undefined when it may go too, saved before. */
export function reasonToKeepBranch(facts: BranchFacts): string | undefined {
  if (!facts.isOurs) return 'crewmux did not make it';
  if (facts.checkedOutAt.length > 0) return `it is checked out at ${facts.checkedOutAt.join(', ')}`;
  if (facts.baseOf.length > 0) return `the work of ${facts.baseOf.join(', ')} is meant for it`;
  return fateReasons(facts.fate, { merged: false })[0];
}
