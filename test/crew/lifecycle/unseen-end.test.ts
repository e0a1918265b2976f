import { expect, it } from 'vitest';
import { unseenFailure } from '../../../src/crew/lifecycle/unseen-end.ts';
import type { Signal } from '../../../src/model/turn.ts';
import { initialTurn, reduceTurn } from '../../../src/turn/reduce-turn.ts';

const day = 24 * 3_600_000;
const now = 10 * day;
const failureOf = (heard: readonly Signal[]) => {
  const signal: Signal = { from: 'pane', kind: 'gone', at: now, detail: 'exit code 3', exit: { code: 3 } };
  const before = heard.reduce(reduceTurn, initialTurn(1));
  return unseenFailure({ signal, before, after: reduceTurn(before, signal) }, { failures: [now - 1] });
};
const promptAt = (at: number): readonly Signal[] => [
  { from: 'hook', kind: 'ready', reason: 'startup', agentSessionId: 'u', at: 2 },
  { from: 'hook', kind: 'prompt', text: 'x', at },
];
const lostTurn = { at: now, detail: 'exit code 3' };

it('a crash that no server saw counts as one that a server saw', () => {
  expect(failureOf(promptAt(now - day + 1))).toEqual({ failures: [now - 1, now], lostTurn });
});

it('a crash whose agent gave its last sign a day ago comes too late for a restart', () => {
  expect(failureOf(promptAt(now - day))).toMatchObject({ lostTurn: { ...lostTurn, left: true } });
});

it('an end without a turn is no crash, and one of an agent that gave no sign is not known to be stillborn', () => {
  expect(failureOf(promptAt(now - 2).slice(0, 1))).toEqual({});
  expect(failureOf([])).toEqual({});
});
