// Decides whether cleanup_worktrees removes a worktree. Any doubt keeps it.
import type { Destination } from './destination.ts';
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
  /** Undefined when git cannot say. */
  readonly destination: Destination | undefined;
}

export interface CleanupWish {
  /** Only what is merged goes; else what a remote has may go too. */
  readonly merged: boolean;
  /** What was never merged goes too, and crewmux saves it first. */
  readonly discard: boolean;
}

export interface CleanupVerdict {
  readonly action: 'remove' | 'keep';
  readonly reason: string;
}

/** Dry runs and real ones both use it. */
export function cleanupVerdict(facts: CleanupFacts, wish: CleanupWish): CleanupVerdict {
  const reasons = reasonsToKeep(facts, wish);
  return reasons.length > 0
    ? { action: 'keep', reason: reasons.join('; ') }
    : { action: 'remove', reason: reasonsToRemove(facts).join('; ') };
}

const reasonsToRemove = ({ obstacles, destination }: CleanupFacts): readonly string[] => [
  ...obstacles.map(({ reason }) => `it holds ${reason}`),
  ...(destination === undefined ? [] : [destinationWords(destination)]),
];

function reasonsToKeep(facts: CleanupFacts, wish: CleanupWish): readonly string[] {
  if (!facts.isOurs) return ['crewmux did not make it'];
  const standing = facts.obstacles.filter(({ kind }) => kind === 'kept' || !wish.discard);
  const obstacles = standing.map(({ reason }) => reason);
  return [
    ...facts.workers.map((worker) => `${worker} works in it`),
    ...processReasons(facts.processes),
    ...obstacles,
    ...(obstacles.length === 0 && facts.isDetached && !wish.discard ? ['it is on no branch'] : []),
    ...(obstacles.length === 0 ? reasonsByDestination(facts.destination, wish) : []),
  ];
}

const named = 3;

function processReasons(processes: CleanupFacts['processes']): readonly string[] {
  if (processes === undefined) return ['the system does not tell whether a process works in it'];
  if (processes.length === 0) return [];
  const more = processes.length > named ? ` and ${processes.length - named} more` : '';
  return [`processes work in it: ${processes.slice(0, named).join(', ')}${more}`];
}

/** Why cleanup keeps work that has gone there; empty when it may remove it. Pure. */
function reasonsByDestination(
  destination: Destination | undefined,
  { merged, discard }: CleanupWish,
): readonly string[] {
  if (discard) return [];
  switch (destination?.is) {
    case undefined:
      return ['it cannot be told whether its work is merged'];
    case 'nowhere':
      return ['its commits are neither merged nor pushed'];
    case 'pushed':
      return merged ? [`its commits are on ${destination.to}, and not merged`] : [];
    default:
      return [];
  }
}

export function destinationWords(destination: Destination): string {
  switch (destination.is) {
    case 'nothing':
      return 'it has no commits of its own';
    case 'merged':
      return `its work is merged into ${destination.into}`;
    case 'pushed':
      return `its commits are on ${destination.to}`;
    case 'nowhere':
      return 'its commits are neither merged nor pushed';
  }
}

export interface CleanupBranchFacts {
  /** We made the branch, not only the worktree it was in. */
  readonly isOurs: boolean;
  /** Other worktrees it is checked out in. */
  readonly checkedOutAt: readonly string[];
  /** Workers whose work is meant for it. */
  readonly baseOf: readonly string[];
  readonly destination: Destination | undefined;
}

/** Why a branch stays when its worktree goes; undefined when it may go too, saved before. */
export function reasonToKeepBranch(
  facts: CleanupBranchFacts,
  { discard }: Pick<CleanupWish, 'discard'>,
): string | undefined {
  if (!facts.isOurs) return 'crewmux did not make it';
  if (facts.checkedOutAt.length > 0) return `it is checked out at ${facts.checkedOutAt.join(', ')}`;
  if (facts.baseOf.length > 0) return `the work of ${facts.baseOf.join(', ')} is meant for it`;
  return reasonsByDestination(facts.destination, { merged: false, discard })[0];
}
