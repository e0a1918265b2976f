// The merge train decides: what to do next, given what git and this run know; and how a branch follows its base.

export const mergeStrategies = ['squash', 'merge', 'ff-only'] as const;
export type MergeStrategy = (typeof mergeStrategies)[number];

export const testOutcomes = ['passed', 'failed', 'timed_out', 'none'] as const;
export type TestOutcome = (typeof testOutcomes)[number];

/** What is known of the tests at a commit; unknown where they could not be run there. */
export const targetOutcomes = [...testOutcomes, 'unknown'] as const;
export type TargetOutcome = (typeof targetOutcomes)[number];

export interface Staged {
  /** The target's commit it was made on, and the worker's commit it holds. */
  readonly onto: string;
  readonly from: string;
  /** What the target is to become; undefined where the two sides conflict. */
  readonly commit?: string;
  /** It adds nothing to the target. */
  readonly isEmpty: boolean;
}

export type WhereRed = 'tell' | 'land';

export interface TrainFacts {
  /** The target's commit now. */
  readonly target: string;
  /** The worker's commit now. */
  readonly source: string;
  /** The worktree holds work that no commit has. */
  readonly hasLeftovers: boolean;
  readonly staged: Staged | undefined;
  /** How the tests of a staged commit ended. */
  readonly tested: { readonly commit: string; readonly outcome: TestOutcome } | undefined;
  /** What to do where the tests fail on the target too, without the landing; unless given, they do not run there. */
  readonly whereRed: WhereRed | undefined;
  /** How they ended there. */
  readonly onTarget: { readonly commit: string; readonly outcome: TargetOutcome } | undefined;
  /** How often something was staged. */
  readonly tries: number;
  /** The target has become the staged commit by our own hand. */
  readonly hasMoved: boolean;
  readonly dryRun: boolean;
  /** Paths that the staged commit changes and must not. */
  readonly outside: readonly string[];
  /** A file in a checkout of the target would be lost if the staged commit landed. */
  readonly isInTheWay: boolean;
}

export const trainEnds = [
  'landed',
  'nothing',
  'dry_run',
  'conflict',
  'outside',
  'checks_failed',
  'target_moved',
] as const;
export type TrainEnd = (typeof trainEnds)[number];

export type TrainStep =
  | { readonly do: 'commit-leftovers' }
  | { readonly do: 'stage' }
  | { readonly do: 'test'; readonly commit: string }
  /** The target as it is, since the staged commit has failed. */
  | { readonly do: 'test-target'; readonly commit: string }
  /** By compare-and-swap: it fails where the target is no longer `from`. */
  | { readonly do: 'move'; readonly from: string; readonly to: string }
  /** Nothing lands, and the files that are in the way are named. */
  | { readonly do: 'refuse' }
  | { readonly do: 'end'; readonly as: TrainEnd };

/** Somebody else lands all the time where this is not enough. */
export const mostTries = 5;

export function nextStep(facts: TrainFacts): TrainStep {
  const { staged, tested, target } = facts;
  if (facts.hasMoved) return { do: 'end', as: 'landed' };
  if (facts.hasLeftovers) return { do: 'commit-leftovers' };
  if (staged === undefined || staged.onto !== target || staged.from !== facts.source) {
    return facts.tries >= mostTries ? { do: 'end', as: 'target_moved' } : { do: 'stage' };
  }
  if (staged.commit === undefined) return { do: 'end', as: 'conflict' };
  if (staged.isEmpty) return { do: 'end', as: 'nothing' };
  if (facts.outside.length > 0) return { do: 'end', as: 'outside' };
  if (facts.isInTheWay) return { do: 'refuse' };
  if (tested?.commit !== staged.commit) return { do: 'test', commit: staged.commit };
  if (tested.outcome === 'timed_out') return { do: 'end', as: 'checks_failed' };
  const stop = tested.outcome === 'failed' ? redStep(facts) : undefined;
  if (stop !== undefined) return stop;
  return facts.dryRun ? { do: 'end', as: 'dry_run' } : { do: 'move', from: target, to: staged.commit };
}

/** Undefined where it lands all the same. */
function redStep({ whereRed, onTarget, target }: TrainFacts): TrainStep | undefined {
  if (whereRed !== undefined && onTarget?.commit !== target) return { do: 'test-target', commit: target };
  return whereRed === 'land' && onTarget?.outcome === 'failed' ? undefined : { do: 'end', as: 'checks_failed' };
}

/** How a branch takes in the commits that its base has gained. */
export const syncStrategies = ['rebase', 'merge'] as const;
export type SyncStrategy = (typeof syncStrategies)[number];

export interface SyncFacts {
  /** Commits of the branch that the base lacks, and the other way round. */
  readonly ahead: number;
  readonly behind: number;
  /** Some of the branch's own commits are on a remote. */
  readonly isPublished: boolean;
  readonly asked: SyncStrategy | undefined;
}

export type SyncPlan = { readonly do: 'nothing' | 'forward' } | { readonly do: SyncStrategy };

/** What was pushed is not rewritten unless that is asked for. */
export function planSync({ ahead, behind, isPublished, asked }: SyncFacts): SyncPlan {
  if (behind === 0) return { do: 'nothing' };
  if (ahead === 0) return { do: 'forward' };
  return { do: asked ?? (isPublished ? 'merge' : 'rebase') };
}
