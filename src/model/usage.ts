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

/** What the agent itself says of its conversation. */
export interface Spent {
  readonly tokens: readonly ModelTokens[];
  /** The agent's own figure. */
  readonly toldUsd?: number;
  /** Tokens that came after that figure, or all where there is none. */
  readonly untold: readonly ModelTokens[];
  /** Of the context window, 0 to 1. */
  readonly contextLeft?: number;
  readonly limits?: readonly LimitUse[];
}

/** Figures of the agent itself, of one conversation up to now. */
export interface StatusLineUsage {
  readonly agentSessionId: string;
  readonly costUsd?: number;
  readonly contextLeft?: number;
  readonly limits?: readonly LimitUse[];
}
