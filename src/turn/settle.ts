// When the state that an agent's own file tells is believed: what explains or belies it may come a moment later. Pure.
import type { AgentSignal } from '../model/turn.ts';
import { openOf } from './agent-request.ts';
import type { TurnFacts } from './facts.ts';

export type StateSignal = Extract<AgentSignal, { kind: 'state' }>;

/** Something that a state waits for before it counts. */
export interface Settling {
  readonly waitsFor: string;
  /** After so long it counts all the same. */
  readonly ceilingMs: number;
  readonly hasCome: (facts: TurnFacts) => boolean;
}

/** The hook that explains a request always comes, late on a busy machine. */
const requestHookMs = 10_000;
/** Other dialogs may have no hook. */
const otherHookMs = 300;
const noticeMs = 1_000;
/** A turn that ended before its first byte writes no end at all. */
const flushMs = 1_000;

/** One after the other; the facts are those before this signal. */
export function settlingsOf(signal: StateSignal, facts: TurnFacts): readonly Settling[] {
  if (signal.status === 'waiting') return [explanation(signal)];
  if (signal.status !== 'idle') return [];
  return facts.agent?.status === 'background' ? [notice(signal), flush(signal)] : [flush(signal)];
}

function explanation({ at, waitingFor, withoutHook }: StateSignal): Settling {
  const isRequest = (waitingFor === 'permission' || waitingFor === 'question') && withoutHook !== true;
  return {
    waitsFor: 'the hook that tells what it waits for',
    ceilingMs: isRequest ? requestHookMs : otherHookMs,
    // A successor meets requests that were asked long ago; an open one explains the wait too.
    hasCome: ({ asked }) => openOf(asked).length > 0 || asked.some((one) => one.at > at - otherHookMs),
  };
}

/** When a background shell ends, the agent is idle for a moment, until it begins the turn that reads the output. */
const notice = ({ at }: StateSignal): Settling => ({
  waitsFor: 'the turn that reads the output of a background shell',
  ceilingMs: noticeMs,
  hasCome: ({ agent }) => agent === undefined || agent.at > at,
});

/** The agent flushes the transcript a moment after the state: the answer's last line, and the queue. */
const flush = ({ at }: StateSignal): Settling => ({
  waitsFor: 'the last lines of the transcript',
  ceilingMs: flushMs,
  hasCome({ agent, transcript, witness }) {
    const isOpen = transcript?.open === true || (witness.promptAt ?? 0) > (transcript?.at ?? 0);
    return !isOpen || (agent !== undefined && agent.at > at);
  },
});
