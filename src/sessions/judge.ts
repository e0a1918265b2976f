// What is true of one session: its files and its process go in, its status comes out. Pure.
import type { SessionStatus } from '../model/session-words.ts';
import type { Evidence, Signal } from '../model/turn.ts';
import type { Holder, LivingState } from './living.ts';

export interface SessionTraces {
  /** The process that says it has this session. */
  readonly state?: LivingState | undefined;
  /** A process that holds it open, since when, and says no more. */
  readonly heldBy?: Holder | undefined;
  /** What the end of its transcript says; only asked of a session that is held open. */
  readonly signals: readonly Signal[];
  /** When its transcript was written last. */
  readonly writtenAt: number;
  /** Of a subagent: what is true of the session that started it, and whether it has ended. */
  readonly subagent?: { readonly parent: SessionStatus; readonly hasEnded: boolean };
  /** A process that may have it open. */
  readonly perhaps?: number | undefined;
  /** Processes may have it open that nobody here can see. */
  readonly isBlind: boolean;
  readonly now: number;
}

export interface SessionJudgement {
  readonly status: SessionStatus;
  readonly evidence: Evidence;
  readonly pid?: number;
}

/** What has written nothing for longer is not called working: it may wait for somebody. */
const freshMs = 120_000;

/** A transcript alone makes nothing `working`, and what nobody can tell is never `idle`. */
export function judge(sight: SessionTraces): SessionJudgement {
  const { state, heldBy, subagent, perhaps, isBlind, writtenAt } = sight;
  if (state !== undefined) return byState(state, writtenAt);
  if (heldBy !== undefined) return { ...byTranscript(sight, heldBy), pid: heldBy.pid };
  const said = (status: SessionStatus, detail: string): SessionJudgement => ({
    status,
    evidence: { source: 'pane', at: writtenAt, detail },
  });
  if (subagent !== undefined) return bySubagent(sight, subagent);
  if (perhaps !== undefined) return said('unknown', `process ${perhaps}, which names no session, may have it open`);
  if (isBlind) return said('unknown', 'which sessions are open cannot be seen here');
  return said('ended', 'no process has it open');
}

const statuses = {
  idle: 'idle',
  busy: 'working',
  background: 'working',
  waiting: 'waiting',
  unknown: 'unknown',
} as const;

function byState({ pid, session: { signal } }: LivingState, writtenAt: number): SessionJudgement {
  if (signal === undefined || signal.kind === 'absent')
    return { status: 'unknown', pid, evidence: { source: 'agent', at: writtenAt, detail: 'its process is starting' } };
  const { at, detail, status } = signal;
  return { status: statuses[status], pid, evidence: { source: 'agent', at, detail } };
}

function byTranscript({ signals, writtenAt, now }: SessionTraces, { since }: Holder): SessionJudgement {
  const said = (status: SessionStatus, detail: string, at = writtenAt): SessionJudgement => ({
    status,
    evidence: { source: 'transcript', at, detail },
  });
  const last = signals.flatMap((one) => (isOfTurn(one) ? [one] : [])).at(-1);
  if (last === undefined) return said('unknown', 'its end says nothing of a turn');
  if (last.kind === 'ended') return said('idle', 'the last turn has ended', last.at);
  if (last.at < since) return said('unknown', 'its last turn was cut off before this process opened it', last.at);
  if (now - writtenAt < freshMs) return said('working', 'a turn has begun and not ended', last.at);
  return said('unknown', 'a turn has not ended, and nothing was written since', last.at);
}

type OfTurn = Extract<Signal, { from: 'transcript'; kind: 'activity' | 'prompt' | 'ended' }>;

const isOfTurn = (one: Signal): one is OfTurn =>
  one.from === 'transcript' && (one.kind === 'activity' || one.kind === 'prompt' || one.kind === 'ended');

function bySubagent(
  { writtenAt, now }: SessionTraces,
  { parent, hasEnded }: NonNullable<SessionTraces['subagent']>,
): SessionJudgement {
  const said = (status: SessionStatus, detail: string): SessionJudgement => ({
    status,
    evidence: { source: 'transcript', at: writtenAt, detail },
  });
  if (hasEnded) return said('ended', 'its own file says that it has finished');
  if (parent === 'ended') return said('ended', 'the session that started it has ended');
  if (parent === 'working' && now - writtenAt < freshMs)
    return said('working', 'not finished, its session works, and its transcript grows');
  return said('unknown', 'not finished, and nothing shows it at work');
}
