import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findingOf, newsOf, seenAfter } from '../../../src/crew/screen/screen-turns.ts';
import type { Signal } from '../../../src/model/turn.ts';
import { initialTurn, reduceTurn } from '../../../src/turn/reduce-turn.ts';
import { type Loose, launched, play, sent, trust } from '../../turn/turn-signals.ts';

const still = { isStill: true, isQuiet: true };
const dialog = { waitingFor: 'permission', title: 'Sure?', text: 'Sure?', options: [] } as const;

describe('what a look finds', () => {
  it.each([
    ['an empty prompt that has stood still is rest', { draft: '', ready: true }, still, { is: 'rests' }],
    [
      'an empty prompt is no rest before it has stood still',
      { draft: '', ready: true },
      { isStill: true, isQuiet: false },
      'the screen changes',
    ],
    [
      'an empty prompt is no rest while a row says that a turn runs',
      { draft: '', ready: true, busy: 'esc stops' },
      still,
      'it shows: esc stops',
    ],
    [
      'a prompt with a text in it is no rest, however still',
      { draft: 'sleep', ready: true },
      still,
      'in the prompt stands: sleep',
    ],
    ['a still screen without a prompt is no rest', {}, still, 'the screen stands still and shows no prompt'],
    [
      'a prompt before the program is ready is no rest',
      { draft: '', ready: false },
      still,
      expect.stringContaining('ready'),
    ],
    ['a dialog that stands is one', { dialog }, still, { is: 'dialog', dialog }],
    [
      'a dialog in the midst of a change is half a redraw',
      { dialog },
      { isStill: false, isQuiet: false },
      'the screen changes',
    ],
  ])('%s', (_, reading, stillness, found) => {
    expect(findingOf(reading, stillness)).toEqual(
      typeof found === 'object' && 'is' in found ? found : expect.objectContaining({ is: 'stirs', detail: found }),
    );
  });

  it('a change is dated by the look that first shows it', () => {
    const height = 24;
    const first = seenAfter(undefined, { frame: 'a', height }, 10);
    expect(first).toEqual({ frame: 'a', height, changedAt: 10, isStill: false });
    expect(seenAfter(first, { frame: 'a', height }, 20)).toEqual({ ...first, isStill: true });
    expect(seenAfter(first, { frame: 'b', height }, 20)).toEqual({ frame: 'b', height, changedAt: 20, isStill: false });
  });

  it('another size of the pane is no change: text is broken anew, and rows leave at the top', () => {
    const first = seenAfter(undefined, { frame: '────\nlong text\n> ', height: 24 }, 10);
    expect(seenAfter(first, { frame: '──\nlong\ntext\n> ', height: 24 }, 20).changedAt).toBe(10);
    expect(seenAfter(first, { frame: 'text\n> ', height: 12 }, 20)).toMatchObject({ changedAt: 10, isStill: false });
    expect(seenAfter(first, { frame: '────\nlong text ▖\n> ', height: 24 }, 20).changedAt).toBe(20);
  });
});

const stirs: Loose = { from: 'screen', kind: 'stirs', detail: 'the screen changes' };
const rests: Loose = { from: 'screen', kind: 'rests' };
const taken = (text = 'go'): Loose => ({ from: 'screen', kind: 'taken', text, detail: 'echoed' });

describe('a worker of which only the screen tells', () => {
  it.each<[string, readonly Loose[], string]>([
    ['is starting, whatever moves, until its prompt was seen at rest', [launched, stirs], 'starting'],
    ['is idle at rest', [launched, stirs, rests], 'idle'],
    ['works as soon as a message is typed', [launched, rests, sent('go')], 'working'],
    [
      'still works at rest while that message has not been seen to be taken',
      [launched, rests, sent('go'), rests],
      'working',
    ],
    ['works once it is taken, whatever rest was seen before', [launched, rests, sent('go'), taken()], 'working'],
    ['is idle at the rest after that', [launched, rests, sent('go'), taken(), rests], 'idle'],
    ['waits at a dialog, at a start and later', [launched, trust], 'waiting'],
    ['goes on after its dialog', [launched, rests, trust, { from: 'screen', kind: 'no-dialog' }, stirs], 'working'],
  ])('%s', (_, signals, is) => {
    expect(play(signals)).toMatchObject({ is });
  });

  it('has a turn from the text it took to its rest, and nobody says how that ended', () => {
    const { turn } = play([launched, rests, sent('go'), taken(), stirs, rests]);
    expect(turn).toEqual({ number: 1, startedAt: 1_004, endedAt: 1_006, endedBy: undefined });
  });

  it('is idle only if rest is the last that was seen since anything was typed or taken', () => {
    const any = fc.constantFrom<Loose>(stirs, rests, sent('go'), taken(), { from: 'screen', kind: 'no-dialog' });
    fc.assert(
      fc.property(fc.array(any, { maxLength: 12 }), (signals) => {
        if (play([launched, ...signals]).is !== 'idle') return;
        const kinds = signals.map((signal) => signal.kind).filter((kind) => kind !== 'no-dialog');
        expect(kinds.at(-1)).toBe('rests');
      }),
    );
  });
});

describe('news of a look', () => {
  const at = 10_000;
  const seen = { frame: '', height: 24, changedAt: at, isStill: false };
  const factsOf = (...signals: readonly Signal[]) => signals.reduce(reduceTurn, initialTurn(0)).facts;

  it('is told at a change of mind, and of a goings-on now and then', () => {
    const works = { is: 'stirs', detail: 'the screen changes' } as const;
    expect(newsOf(factsOf(), works, { at, seen })).toMatchObject([{ kind: 'stirs', at }]);
    const told = (when: number): Signal => ({ from: 'screen', kind: 'stirs', detail: works.detail, at: when });
    expect(newsOf(factsOf(told(at - 500)), works, { at, seen })).toEqual([]);
    expect(newsOf(factsOf(told(at - 5_000)), works, { at, seen })).toMatchObject([{ kind: 'stirs' }]);
    expect(newsOf(factsOf({ from: 'screen', kind: 'rests', at: 1 }), { is: 'rests' }, { at, seen })).toEqual([]);
  });

  it('of a turn in sight is no start once the start is long over', () => {
    const turn = { is: 'stirs', detail: 'it shows: esc', isTurn: true } as const;
    const stateAfter = (isUp: boolean) =>
      newsOf(factsOf(), turn, { at, seen, isUp }).reduce(reduceTurn, initialTurn(0)).is;
    expect(stateAfter(true)).toBe('working');
    expect(stateAfter(false)).toBe('starting');
  });

  it('closes a dialog that has gone', () => {
    const open = factsOf({ from: 'screen', kind: 'dialog', dialog, at: 1 });
    expect(newsOf(open, { is: 'dialog', dialog }, { at, seen })).toEqual([]);
    expect(newsOf(open, { is: 'stirs', detail: 'x' }, { at, seen })).toMatchObject([
      { kind: 'no-dialog' },
      { kind: 'stirs' },
    ]);
  });
});
