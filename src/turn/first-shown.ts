// Who showed first that an agent is there.
import type { EvidenceSource } from '../model/turn.ts';
import type { TurnFacts } from './turn-facts.ts';

/** Nothing to add once anybody has. */
export const shown = (facts: TurnFacts, by: { at: number; from: EvidenceSource }) =>
  facts.readyAt === undefined ? { readyAt: by.at, readyBy: by.from } : {};
