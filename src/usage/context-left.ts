// Says once that little is left of the context window of a conversation.

/** Below this share, by the agent's own figure. */
const littleLeft = 0.2;

export const isNearlyFull = (contextLeft: number | undefined): boolean =>
  contextLeft !== undefined && contextLeft < littleLeft;

interface ContextFacts {
  /** The agent's own figure. */
  readonly contextLeft: number | undefined;
  /** It was said, and the figure has not risen since. */
  readonly isSaid: boolean;
}

/** A figure that rises, by a compaction or in a new conversation, lets it be said again. Pure. */
export function contextStep({ contextLeft, isSaid }: ContextFacts): 'say' | 'forget' | 'nothing' {
  if (contextLeft === undefined) return 'nothing';
  if (isNearlyFull(contextLeft)) return isSaid ? 'nothing' : 'say';
  return isSaid ? 'forget' : 'nothing';
}
