// Whether a worker at work shows signs of life.
import type { TurnState } from './reduce-turn.ts';

/** Longer than an agent's own retries take. */
const troubledMs = 30_000;

interface Moment {
  readonly now: number;
  readonly staleMs: number;
}

/** Since when a worker at work is silent, or in trouble, where that is too long; undefined for any other. Pure. */
export function stuckSince(turn: TurnState | undefined, { now, staleMs }: Moment): number | undefined {
  if (turn?.is !== 'working') return undefined;
  const { trouble } = turn.facts;
  if (trouble !== undefined && now - trouble.at >= troubledMs) return trouble.at;
  return now - turn.lastActivityAt >= staleMs ? turn.lastActivityAt : undefined;
}

/** When a worker at work that shows nothing more would be stuck. Pure. */
export const stuckAt = ({ facts: { trouble }, lastActivityAt }: TurnState, staleMs: number): number =>
  Math.min(lastActivityAt + staleMs, trouble === undefined ? Number.POSITIVE_INFINITY : trouble.at + troubledMs);
