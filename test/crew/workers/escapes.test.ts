import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type EscapeLook,
  newEscape,
  spansAfter,
  stillChanged,
  type TurnSpan,
} from '../../../src/crew/workers/escapes.ts';
import type { Signal } from '../../../src/model/turn.ts';
import { initialTurn, reduceTurn, type TurnState } from '../../../src/turn/reduce-turn.ts';

/** The spans after these signals, as [from, to]. */
function spansOf(...signals: readonly Signal[]): readonly (readonly [number, number?])[] {
  let state: TurnState = reduceTurn(initialTurn(0), { from: 'us', kind: 'launched', withPrompt: false, at: 0 });
  let spans: readonly TurnSpan[] = [];
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

const span = (workerId: string, from: number, to?: number, isShared = false): TurnSpan => ({
  workerId,
  from,
  isShared,
  ...(to === undefined ? {} : { to }),
});
const ada = span('ada', 10_000, 20_000);
const ben = span('ben', 20_100, 30_000);

describe('a file that changed at a moment is of those who had a turn then', () => {
  it.each<[string, readonly TurnSpan[], number, readonly string[] | undefined]>([
    ['nobody before a turn begins', [ada], 9_000, undefined],
    ['who begins at that moment', [ada], 10_000, ['ada']],
    ['who begins then by a clock that is a little ahead of the disk', [ada], 9_960, ['ada']],
    ['who is in the middle of a turn', [ada], 15_000, ['ada']],
    ['who is still at work', [span('ada', 10_000)], 999_000, ['ada']],
    ['all who had a turn, since nobody knows which of them it was', [ada, span('eve', 12_000)], 15_000, ['ada', 'eve']],
    ['each of them once', [ada, span('ada', 20_010)], 20_020, ['ada']],
    ['who ended just before, since a turn may leave writes behind it', [ada], 21_000, ['ada']],
    ['nobody well after the end', [ada], 23_000, undefined],
    ['who has a turn, not who ended before that', [ada, ben], 21_000, ['ben']],
    [
      'nobody while a worker without a worktree had a turn',
      [ada, span('eve', 12_000, 16_000, true)],
      15_000,
      undefined,
    ],
    [
      'nobody when such a worker ended just before as well',
      [ada, span('eve', 12_000, 20_500, true)],
      21_000,
      undefined,
    ],
    ['who had a turn when such a worker was done', [ada, span('eve', 12_000, 14_000, true)], 15_000, ['ada']],
  ])('%s', (_, spans, at, workers) =>
    expect(newEscape({ changes: new Map([['a.txt', at]]), spans, reported: [] })).toEqual(
      workers && { since: at, workers, files: ['a.txt'] },
    ),
  );
});

describe('what is reported', () => {
  const changes = new Map([
    ['a.txt', 15_000],
    ['mine.txt', 5_000],
    ['b.txt', 25_000],
  ]);
  const look: EscapeLook = { changes, spans: [ada, ben], reported: [] };
  const both = { since: 15_000, workers: ['ada', 'ben'], files: ['a.txt', 'b.txt'] };

  it('is one escape for all files and workers since the last look, without the user’s own', () =>
    expect(newEscape(look)).toEqual(both));
  it('is reported once for as long as it is uncommitted', () =>
    expect(newEscape({ ...look, reported: [both] })).toBeUndefined());
  it('is not what the look before judged already', () =>
    expect(newEscape({ ...look, lookedAt: 20_000 })).toEqual({ since: 25_000, workers: ['ben'], files: ['b.txt'] }));
  it('is also what a slow disk dates just before the last look', () =>
    expect(newEscape({ ...look, lookedAt: 25_040 })?.files).toEqual(['b.txt']));
  it('keeps the files that are still changed, and ends when none is', () => {
    expect(stillChanged([both], new Map([['b.txt', 1]]))).toEqual([{ ...both, files: ['b.txt'] }]);
    expect(stillChanged([both], new Map([['mine.txt', 5_000]]))).toEqual([]);
  });
});

const workers = fc.constantFrom('ada', 'ben', 'eve');
const spans = fc.array(
  fc.record({ workerId: workers, from: fc.nat(9_000), to: fc.nat(9_000), isShared: fc.boolean() }),
  { maxLength: 6 },
);
const changed = fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__x'), fc.nat(9_000));

it('only files that are there and workers that had a turn in a worktree of their own are named, and once', () =>
  fc.assert(
    fc.property(changed, spans, (files, worked) => {
      const changes = new Map(Object.entries(files));
      const found = newEscape({ changes, spans: worked, reported: [] });
      if (found === undefined) return;
      expect(newEscape({ changes, spans: worked, reported: [found] })).toBeUndefined();
      expect(stillChanged([found], changes)).toEqual([found]);
      expect(found.workers.length).toBeGreaterThan(0);
      for (const path of found.files) expect(changes.has(path)).toBe(true);
      for (const one of found.workers)
        expect(worked.some(({ workerId, isShared }) => workerId === one && !isShared)).toBe(true);
    }),
  ));
