import { expect, it } from 'vitest';
import { spansAfter } from '../../../src/crew/escapes/escapes.ts';
import type { Span } from '../../../src/model/escape.ts';
import type { Signal } from '../../../src/model/turn.ts';
import { initialTurn, reduceTurn, type TurnState } from '../../../src/turn/reduce-turn.ts';

/** The spans after these signals, as [from, to]. */
function spansOf(...signals: readonly Signal[]): readonly (readonly [number, number?])[] {
  let state: TurnState = reduceTurn(initialTurn(0), { from: 'us', kind: 'launched', withPrompt: false, at: 0 });
  let spans: readonly Span[] = [];
  for (const signal of signals) {
    state = reduceTurn(state, signal);
    spans = spansAfter(spans, state, { workerId: 'ada', isShared: false });
  }
  return spans.map(({ from, to }) => (to === undefined ? [from] : [from, to]));
}

const agent = (status: 'idle' | 'busy' | 'background', at: number): Signal => ({
  from: 'agent',
  kind: 'state',
  status,
  detail: status,
  at,
});
const prompt = (at: number): Signal => ({ from: 'hook', kind: 'prompt', text: 'x', at });
const stopped = (at: number, backgroundTasks = 0): Signal => ({ from: 'hook', kind: 'stopped', backgroundTasks, at });
const turn = (at: number) => [prompt(at), agent('busy', at + 10), stopped(at + 90), agent('idle', at + 100)];

it('a turn is one span from its prompt to its end', () => {
  expect(spansOf(agent('idle', 50))).toEqual([]);
  expect(spansOf(agent('idle', 50), ...turn(1_000))).toEqual([[1_000, 1_100]]);
  expect(spansOf(agent('idle', 50), prompt(1_000), agent('busy', 1_010))).toEqual([[1_000]]);
});

it('an agent that says it is busy before its prompt is known does not reach back to the turn before', () =>
  expect(spansOf(agent('idle', 50), ...turn(1_000), agent('busy', 9_000), prompt(9_005))).toEqual([
    [1_000, 1_100],
    [9_000],
  ]));

it('what was left running behind the turn works on', () => {
  const left = [prompt(1_000), agent('busy', 1_010), stopped(1_090, 1), agent('background', 1_100)];
  expect(spansOf(agent('idle', 50), ...left)).toEqual([[1_000]]);
});

it('a worker that is gone works no more', () => {
  const gone: Signal = { from: 'pane', kind: 'gone', detail: 'ended', at: 2_000 };
  expect(spansOf(agent('idle', 50), prompt(1_000), agent('busy', 1_010), gone)).toEqual([[1_000, 2_000]]);
});
