// Whether a worker at work shows signs of life.
import type { TurnState } from './reduce-turn.ts';

/** Longer than an agent's own retries take. */
export const troubledMs = 30_000;

/** Working, and either silent for the threshold or in trouble for a while. Pure. */
export function isStuck(turn: TurnState | undefined, at: { readonly now: number; readonly staleMs: number }): boolean {
  if (turn?.is !== 'working') return false;
  const { trouble } = turn.facts;
  return at.now - turn.lastActivityAt >= at.staleMs || (trouble !== undefined && at.now - trouble.at >= troubledMs);
}
