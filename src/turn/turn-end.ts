// How the newest turn ended, by the source that knows it best.
import { defined } from '../model/defined.ts';
import type { TurnEnd } from '../model/turn.ts';

export interface TurnWitness {
  /** Newest proof that a prompt was taken up, by the agent's clock where it tells. */
  readonly promptAt: number | undefined;
  /** How the newest turn ended, when a hook or the transcript says so after its prompt. */
  readonly end: TurnClose | undefined;
}

export interface TurnClose {
  readonly at: number;
  readonly how: TurnEnd;
  readonly by: 'hook' | 'transcript';
  readonly detail: string;
  /** Of a limit: when it is over, epoch ms. */
  readonly resetsAt?: number;
  /** Of a limit: the agent has said that it goes on by itself then. */
  readonly goesOn?: true;
  /** Of a limit: it holds for each worker of the account. */
  readonly ofAccount?: true;
}

/** An end that is later than the new word of the prompt belongs to that prompt's turn and stays. */
export function afterPrompt(witness: TurnWitness, promptAt: number): TurnWitness {
  return witness.end !== undefined && witness.end.at >= promptAt
    ? { ...witness, promptAt }
    : { promptAt, end: undefined };
}

/** Undefined for an end of an earlier turn, and for one that is known better. */
export function withEnd(witness: TurnWitness, end: TurnClose): TurnWitness | undefined {
  const { promptAt, end: known } = witness;
  if (promptAt !== undefined && end.at < promptAt) return undefined;
  // A Stop hook says only that a turn stopped; the transcript knows how.
  const isBetter = known === undefined || end.by === 'transcript' || end.at > known.at;
  return isBetter ? { promptAt, end: sameLimit(known, end) } : undefined;
}

/** The words of a hook know a reset to the minute, the transcript may know it to the second. */
function sameLimit(known: TurnClose | undefined, end: TurnClose): TurnClose {
  if (known?.how !== 'limit' || end.how !== 'limit') return end;
  const resetsAt = end.by === 'hook' ? (known.resetsAt ?? end.resetsAt) : (end.resetsAt ?? known.resetsAt);
  const { goesOn, ofAccount = end.ofAccount } = known;
  return { ...end, ...defined({ resetsAt, goesOn, ofAccount }) };
}

/** The agent says whether it goes on by itself when its limit is over. */
export function goingOn(witness: TurnWitness, isSo: boolean): TurnWitness {
  if (witness.end?.how !== 'limit') return witness;
  const { goesOn: _, ...end } = witness.end;
  return { ...witness, end: isSo ? { ...end, goesOn: true } : end };
}

/** The time where it is later. */
export const after = (time: number | undefined, at: number): number | undefined =>
  time !== undefined && time > at ? time : undefined;

const minuteMs = 60_000;

/** The agent's words round a reset down to the minute; its own count is exact, where both mean the same time. */
export function exactReset(worded: number | undefined, counted: number | undefined): number | undefined {
  if (worded === undefined || counted === undefined) return worded ?? counted;
  return counted >= worded && counted < worded + minuteMs ? counted : worded;
}
