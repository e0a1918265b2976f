// One message on its way to one worker: who gets it, what is asked of it, and the answers the send can have.

import type { Agent } from '../../agents/agent.ts';
import { advise, call, type Hint } from '../../model/advice.ts';
import { isoTime } from '../../model/clock.ts';
import type { Evidence } from '../../model/turn.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { type Bound, usedWords } from '../../usage/budget.ts';
import type { MessageOutcome, Verdict } from '../../wire/messages.ts';
import { grantCall } from '../workers/budget.ts';
import type { CrewContext } from '../workers/crew-context.ts';
import type { Following } from '../workers/following.ts';

export interface MessageOrder {
  readonly text: string;
  readonly delivery: 'queue' | 'steer' | 'interrupt';
  readonly asCommand: boolean;
  /** What would be held is kept, and typed once nothing is in the way. */
  readonly keep?: boolean;
  /** Under one id a text is typed once at most: a repeat only tells what has become of it. Goes with `keep`. */
  readonly id?: string;
}

export interface Recipient {
  readonly context: CrewContext;
  readonly record: WorkerRecord;
  readonly following: Following;
  readonly agent: Agent;
}

export interface SendRequest extends MessageOrder {
  /** Goes into the log beside the verdict. */
  readonly about?: Readonly<Record<string, unknown>>;
  /** Goes before messages that are kept. */
  readonly overtakes?: true;
  /** Sends the worker on after a limit, whatever the account shows. */
  readonly afterLimit?: true;
}

export interface MessageSending extends Recipient {
  readonly request: SendRequest;
}

const shownEvidence = ({ source, at, detail }: Evidence): MessageOutcome['evidence'] => ({
  source,
  at: isoTime(at),
  detail,
});

const unproved = (
  verdict: Exclude<Verdict, 'submitted' | 'queued' | 'kept'>,
  evidence: Evidence,
  hint: Hint,
): MessageOutcome => ({ success: false, verdict, turn: null, evidence: shownEvidence(evidence), hint });

const ourWord = ({ clock }: CrewContext, detail: string): Evidence => ({ source: 'us', at: clock.now(), detail });

/** Nothing of it is in the prompt box, because something is in the way. */
export const held = (context: CrewContext, reason: string, hint: Hint): MessageOutcome =>
  unproved('held', ourWord(context, reason), hint);

/** A bound keeps a new turn from beginning; the hint has the call that grants more. */
export const overLimit = (context: CrewContext, record: WorkerRecord, bound: Bound): MessageOutcome => ({
  ...held(
    context,
    `${record.name} ${usedWords(bound)}`,
    advise`To grant the same again: ${call(grantCall(record, bound), '`crewmux answer`')}`,
  ),
  reason: 'over_limit',
});

/** Nothing was typed, and the same try again will not help. */
export const failed = (context: CrewContext, reason: string, hint: Hint): MessageOutcome =>
  unproved('failed', ourWord(context, reason), hint);

/** It was not sent, and nobody can tell whether some of it is still in the prompt box. */
export const leftInBox = (context: CrewContext, reason: string): MessageOutcome =>
  unproved(
    'unconfirmed',
    ourWord(context, `typed in part and not sent: ${reason}`),
    'The key that sends it was not pressed. Look with read_worker_screen, and clear what stands of it in the prompt box before you send again.',
  );

export const unconfirmed = (evidence: Evidence): MessageOutcome =>
  unproved(
    'unconfirmed',
    evidence,
    'It was typed once and will not be typed again by us. Look with read_worker_screen and read_worker_logs before you resend.',
  );

export const proved = (
  verdict: Extract<Verdict, 'submitted' | 'queued'>,
  evidence: Evidence,
  turn: MessageOutcome['turn'],
): MessageOutcome => ({ success: true, verdict, turn, evidence: shownEvidence(evidence) });

/** Under its id crewmux keeps it since before, and types it once. */
export const keptAlready = (context: CrewContext): MessageOutcome => ({
  ...{ success: true, verdict: 'kept', turn: null },
  evidence: shownEvidence(ourWord(context, 'kept before under this id')),
  hint: 'Nothing was typed now. crewmux types it once, when nothing is in the way; an event tells what became of it.',
});

/** Under its id it was typed before, and is not typed again. */
export const typedAlready = (context: CrewContext, verdict: Extract<Verdict, 'submitted' | 'queued'>): MessageOutcome =>
  proved(verdict, ourWord(context, 'typed before under this id'), null);
