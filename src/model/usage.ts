// What the turns of a conversation have used.

export interface Tokens {
  /** Fresh ones; what came from the cache is not among them. */
  readonly inputTokens: number;
  /** Reasoning included. */
  readonly outputTokens: number;
  /** Read from the cache and written to it. */
  readonly cacheTokens: number;
  /** Those of `cacheTokens` that were written; absent for none. */
  readonly cacheWriteTokens?: number;
}

export interface ModelTokens extends Tokens {
  /** Absent where the agent does not name it. */
  readonly model?: string;
}

/** How much of an allowance is used up. */
export interface LimitUse {
  /** `5h`, `7d`. */
  readonly window: string;
  /** 0 to 1. */
  readonly used: number;
  readonly resetsAt: number;
}

/** Of one day, or of several. */
export interface Spent {
  readonly tokens: readonly ModelTokens[];
  /** The agent's own figure. */
  readonly toldUsd?: number;
  /** Tokens that came after that figure, or all where there is none. */
  readonly untold: readonly ModelTokens[];
}

/** What is left as of the newest word of the agent. */
export interface Left {
  /** Of the context window, 0 to 1. */
  readonly contextLeft?: number;
  readonly limits?: readonly LimitUse[];
}

/** Figures of the agent itself, of one conversation up to now. */
export interface StatusLineUsage extends Left {
  readonly agentSessionId: string;
  readonly costUsd?: number;
}

/** What is not known is absent. */
export interface Usage extends Left {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheTokens: number;
  readonly cost?: Cost;
}

export interface Cost {
  readonly usd: number;
  readonly source: 'agent' | 'estimate';
}

export const usageGroups = ['day', 'role', 'plan', 'worker'] as const;
export type UsageGroup = (typeof usageGroups)[number];
