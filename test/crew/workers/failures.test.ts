import { describe, expect, it } from 'vitest';
import { failureIn, failuresWith, tooManyFailures } from '../../../src/crew/workers/failures.ts';
import type { PaneExit, Signal } from '../../../src/model/turn.ts';
import { initialTurn, reduceTurn } from '../../../src/turn/reduce-turn.ts';

const minute = 60_000;

describe('a worker that has failed', () => {
  const now = 100 * minute;
  const ago = (...minutes: readonly number[]) => minutes.map((one) => now - one * minute);
  it.each<[what: string, own: readonly number[] | undefined, others: readonly number[], why: string | undefined]>([
    ['never is started again', undefined, [], undefined],
    ['twice is started again', ago(1, 2), [], undefined],
    ['three times in half an hour is not', ago(1, 2, 29), [], 'it has failed 3 times within 30 minutes'],
    ['three times over a longer time is', ago(1, 2, 30), [], undefined],
    [
      'in a crew that failed ten times is not',
      ago(1),
      ago(1, 2, 3, 4, 5, 6, 7, 8, 9),
      'its crew has failed 10 times within 30 minutes',
    ],
    ['in a crew that failed nine times is', ago(1), ago(1, 2, 3, 4, 5, 6, 7, 8, 40), undefined],
  ])('%s', (_, own, others, why) => {
    expect(tooManyFailures(own, { crew: [own, others], now })).toBe(why);
  });

  it('is remembered for half an hour', () => {
    expect(failuresWith(ago(31, 30, 29, 1), now)).toEqual([...ago(29, 1), now]);
    expect(failuresWith(undefined, now)).toEqual([now]);
  });
});

describe('the end of an agent', () => {
  const ready: Signal = { from: 'hook', kind: 'ready', reason: 'startup', agentSessionId: 'u', at: 2 };
  const prompt: Signal = { from: 'hook', kind: 'prompt', text: 'x', at: 3 };
  const stopped: Signal = { from: 'hook', kind: 'stopped', backgroundTasks: 0, at: 4 };
  const leaving: Signal = { from: 'hook', kind: 'ended', reason: 'other', at: 5 };
  const working = [ready, prompt];
  const rested = [ready, prompt, stopped];
  const killed: PaneExit = { by: '9' };
  it.each<[what: string, heard: readonly Signal[], exit: PaneExit | undefined, failure: ReturnType<typeof failureIn>]>([
    ['by a signal in a turn', working, killed, 'crash'],
    ['with a code other than 0 in a turn', working, { code: 1 }, 'crash'],
    ['that its hook told first, in a turn', [...working, leaving], { code: 143 }, 'crash'],
    ["by a person's exit in a turn", [...working, leaving], { code: 0 }, undefined],
    ['of which nobody saw how, as of a pane that was closed,', working, undefined, undefined],
    ['by a signal at rest', rested, killed, undefined],
    ['by a signal at rest that its hook told first', [...rested, leaving], { code: 143 }, undefined],
    ['by a signal without any turn', [ready], killed, undefined],
    ['as it started', [], { code: 0 }, 'stillborn'],
    ['as it started, in a pane that was closed,', [], undefined, undefined],
    ['that is known already', [...working, { from: 'pane', kind: 'gone', at: 5, detail: '' }], killed, undefined],
  ])('%s', (_, heard, exit, failure) => {
    const signal: Signal = { from: 'pane', kind: 'gone', at: 6, detail: '', ...(exit && { exit }) };
    const before = heard.reduce(reduceTurn, initialTurn(1));
    expect(failureIn({ signal, before, after: reduceTurn(before, signal) })).toBe(failure);
  });
});
