// One more signal: `note` keeps what it says, `judge` weighs all that is known, and the turns are counted.
import { defined } from '../model/defined.ts';
import type { Evidence, Signal, TurnEnd } from '../model/turn.ts';
import { noFacts, type TurnFacts } from './facts.ts';
import { type Judgement, judge } from './judge.ts';
import { note } from './note.ts';
import type { TurnWitness } from './turn-end.ts';

export interface Turn {
  /** Counts the turns of this launch, from 1. */
  readonly number: number;
  readonly startedAt: number;
  readonly endedAt: number | undefined;
  /** Undefined while it runs, and after its end for as long as no source has said how it ended. */
  readonly endedBy: TurnEnd | undefined;
  /** Its end before it went on; the same end once more is no news. */
  readonly endedBefore?: { readonly at: number; readonly by: TurnEnd | undefined };
}

export interface TurnState extends Judgement {
  /** Before nobody could tell; set while that lasts. */
  readonly lastSeen?: Pick<Judgement, 'is' | 'waitingFor'>;
  readonly since: number;
  readonly turn: Turn | undefined;
  readonly lastActivityAt: number;
  readonly facts: TurnFacts;
}

export function initialTurn(at: number): TurnState {
  const facts = noFacts(at);
  const evidence: Evidence = { source: 'us', at, detail: 'launched' };
  return { ...judge(facts), evidence, since: at, turn: undefined, lastActivityAt: at, facts };
}

/** The state after one more signal. Pure and total: no signal is an error, and none makes an unknown idle. */
export function reduceTurn(state: TurnState, signal: Signal): TurnState {
  const facts = note(state.facts, signal);
  const judgement = judge(facts);
  const changed = judgement.is !== state.is || judgement.waitingFor !== state.waitingFor;
  return {
    ...judgement,
    since: changed ? judgement.evidence.at : state.since,
    turn: isLaunch(signal) ? undefined : turnOf(state, { facts, judgement }),
    lastActivityAt: isActivity(signal) ? Math.max(state.lastActivityAt, signal.at) : state.lastActivityAt,
    facts,
    ...defined({ lastSeen: judgement.is === 'unknown' ? seenState(state) : undefined }),
  };
}

/** What it did last, as far as anybody could tell. */
export const seenState = ({ is, waitingFor, lastSeen }: TurnState): Pick<Judgement, 'is' | 'waitingFor'> =>
  lastSeen ?? { is, waitingFor };

const isLaunch = (signal: Signal): boolean => signal.from === 'us' && signal.kind === 'launched';

const isActivity = (signal: Signal): boolean =>
  signal.from === 'hook' ||
  signal.from === 'worker' ||
  signal.from === 'transcript' ||
  (signal.from === 'agent' && signal.kind === 'state') ||
  (signal.from === 'screen' && (signal.kind === 'stirs' || signal.kind === 'taken'));

interface Now {
  readonly facts: TurnFacts;
  readonly judgement: Judgement;
}

function turnOf(before: TurnState, now: Now): Turn | undefined {
  const { witness } = now.facts;
  const last = before.turn;
  const promptAt = witness.promptAt;
  const fresh = promptAt !== undefined && promptAt !== before.facts.witness.promptAt && beginsTurn(before, witness);
  const turn = fresh ? begin(last, promptAt) : last;
  if (turn === undefined || now.judgement.is === 'unknown') return turn;
  const over = now.judgement.is === 'idle' || now.judgement.is === 'gone' || now.judgement.waitingFor === 'limit';
  if (!over) return turn.endedAt === undefined ? turn : goneOn(turn, turn.endedAt);
  return closeTurn(turn, now);
}

const goneOn = (turn: Turn, at: number): Turn => ({
  ...turn,
  endedAt: undefined,
  endedBy: undefined,
  endedBefore: { at, by: turn.endedBy },
});

/** A prompt while a turn runs joins that turn, also one that is read after the turn's end. */
function beginsTurn(before: TurnState, { promptAt = 0, end }: TurnWitness): boolean {
  if (before.turn === undefined) return true;
  if (end !== undefined && end.at > promptAt) return false;
  return before.turn.endedAt !== undefined || before.facts.witness.end !== undefined;
}

const begin = (last: Turn | undefined, startedAt: number): Turn => ({
  number: (last?.number ?? 0) + 1,
  startedAt,
  endedAt: undefined,
  endedBy: undefined,
});

function closeTurn(turn: Turn, { facts, judgement }: Now): Turn {
  const { end } = facts.witness;
  if (end !== undefined) return { ...turn, endedAt: end.at, endedBy: end.how };
  // A screen at rest does not show how the turn ended.
  if (facts.screen !== undefined && judgement.is !== 'gone')
    return { ...turn, endedAt: turn.endedAt ?? judgement.evidence.at };
  // At the prompt again, and neither a Stop hook nor the transcript gave an end: that is an early Esc.
  const endedBy = judgement.is === 'gone' ? 'error' : 'interrupted';
  return { ...turn, endedAt: turn.endedAt ?? judgement.evidence.at, endedBy: turn.endedBy ?? endedBy };
}
