// The answers a send can have.
import { isoTime } from '../../model/clock.ts';
import type { Evidence } from '../../model/turn.ts';
import type { MessageOutcome, Verdict } from '../api.ts';
import type { House } from '../house.ts';

const us = (house: House, detail: string): MessageOutcome['evidence'] => ({
  source: 'us',
  at: isoTime(house.clock.now()),
  detail,
});

/** Nothing was typed, because something is in the way. */
export const held = (house: House, reason: string, hint: string): MessageOutcome => ({
  success: false,
  verdict: 'held',
  turn: null,
  evidence: us(house, reason),
  hint,
});

/** Nothing was typed, and trying again the same way will not help. */
export const failed = (house: House, reason: string, hint: string): MessageOutcome => ({
  success: false,
  verdict: 'failed',
  turn: null,
  evidence: us(house, reason),
  hint,
});

export const proved = (
  verdict: Extract<Verdict, 'submitted' | 'queued'>,
  evidence: Evidence,
  turn: MessageOutcome['turn'],
): MessageOutcome => ({
  success: true,
  verdict,
  turn,
  evidence: { source: evidence.source, at: isoTime(evidence.at), detail: evidence.detail },
});

export const unconfirmed = (evidence: Evidence): MessageOutcome => ({
  success: false,
  verdict: 'unconfirmed',
  turn: null,
  evidence: { source: evidence.source, at: isoTime(evidence.at), detail: evidence.detail },
  hint: 'It was typed once and will not be typed again by us. Look with read_worker_screen and read_worker_logs before you resend.',
});

export const outcomeOf = (outcome: MessageOutcome): string => `${outcome.evidence.source}: ${outcome.evidence.detail}`;
