// The answers a send can have.
import { isoTime } from '../../model/clock.ts';
import type { Evidence } from '../../model/turn.ts';
import type { MessageOutcome, Verdict } from '../../wire/messages.ts';
import type { CrewContext } from '../workers/roster.ts';
import { short } from './preflight.ts';

const us = (context: CrewContext, detail: string): MessageOutcome['evidence'] => ({
  source: 'us',
  at: isoTime(context.clock.now()),
  detail,
});

/** Nothing of it stands in the prompt box, because something is in the way. */
export const held = (context: CrewContext, reason: string, hint: string): MessageOutcome => ({
  success: false,
  verdict: 'held',
  turn: null,
  evidence: us(context, reason),
  hint,
});

/** What a person had typed showed only when the message stood behind it, and stands there as it was. */
export const besideDraft = (context: CrewContext, draft: string): MessageOutcome =>
  held(
    context,
    `somebody's half-typed text is in the prompt box: "${short(draft)}"`,
    'Nothing was sent: what had been typed beside that text was taken back. Let the person finish, or clear the box in the pane, then send again.',
  );

/** It may be stopped: the keys that were typed lie in its input, and behind them those that take them back. */
export const undrawn = (context: CrewContext): MessageOutcome =>
  held(
    context,
    'it draws nothing of what is typed into it',
    'Nothing was sent: what had been typed was taken back unseen. Its program may be stopped or very busy; look with read_worker_screen, then send again.',
  );

/** Nothing was typed, and trying again the same way will not help. */
export const failed = (context: CrewContext, reason: string, hint: string): MessageOutcome => ({
  success: false,
  verdict: 'failed',
  turn: null,
  evidence: us(context, reason),
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

/** It was not sent, and whether some of it stands in the prompt box nobody can tell. */
export const leftStanding = (context: CrewContext, reason: string): MessageOutcome => ({
  success: false,
  verdict: 'unconfirmed',
  turn: null,
  evidence: us(context, `typed in part and not sent: ${reason}`),
  hint: 'The key that sends it was not pressed. Look with read_worker_screen, and clear what stands of it in the prompt box before you send again.',
});

export const outcomeOf = (outcome: MessageOutcome): string => `${outcome.evidence.source}: ${outcome.evidence.detail}`;
