// How a branch takes in what its base has gained.

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
