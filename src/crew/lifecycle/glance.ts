// What one look at an agent that nobody follows can say of it. Pure.
import type { DecodedState, ScreenReading } from '../../agents/agent.ts';
import type { Signal } from '../../model/turn.ts';
import type { Status } from '../../model/worker.ts';
import { initialTurn, reduceTurn } from '../../turn/reduce-turn.ts';

export interface Glance {
  readonly state: DecodedState | undefined;
  /** What the end of its transcript says; undefined where it cannot be told which one is its own. */
  readonly transcript: readonly Signal[] | undefined;
  readonly screen: ScreenReading | undefined;
}

/** `unknown` where nothing tells: a prompt in sight alone does not make an agent idle. */
export function statusAt({ state, transcript, screen }: Glance): Status | 'unknown' {
  const { is } = [...signalsOf({ state, transcript, screen })].reduce(reduceTurn, initialTurn(0));
  return is === 'starting' || is === 'gone' ? 'unknown' : is;
}

function signalsOf({ state, transcript, screen }: Glance): readonly Signal[] {
  const at = Number.MAX_SAFE_INTEGER;
  const dialog = screen?.dialog;
  const seen: readonly Signal[] = dialog === undefined ? [] : [{ from: 'screen', kind: 'dialog', dialog, at }];
  if (state !== undefined) return [state.signal, ...seen];
  if (transcript === undefined || seen.length > 0) return [...(transcript ?? []), ...seen];
  const { ready, queued = [], background = 0 } = screen ?? {};
  if (ready !== true) return transcript;
  return [...transcript, { from: 'screen', kind: 'prompt', queued: queued.length, background, at }];
}
