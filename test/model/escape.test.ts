import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Between,
  byWitnesses,
  certain,
  escapesIn,
  joined,
  newIn,
  type Sight,
  type Span,
  standing,
  workAt,
} from '../../src/model/escape.ts';

const span = (workerId: string, from: number, to?: number, isShared = false): Span => ({
  workerId,
  from,
  isShared,
  ...(to === undefined ? {} : { to }),
});
const sight = (marks: Sight['marks'], at = 0): Sight => ({ at, branch: 'main', head: 'a', marks });
const between = (parts: Partial<Between>): Between => ({
  before: sight({}),
  now: sight({}),
  steps: [],
  moved: new Set(),
  undone: [],
  spans: [],
  ...parts,
});
const ada = [span('ada', 10_000, 20_000)];

describe('who worked at a moment', () => {
  it.each<[string, readonly Span[], number, readonly string[]]>([
    ['nobody before a turn begins', ada, 9_000, []],
    ['who begins at that moment', ada, 10_000, ['ada']],
    ['who was in the middle of a turn', ada, 15_000, ['ada']],
    ['who ended just before, since a disk may be late', ada, 21_000, ['ada']],
    ['nobody well after the end', ada, 23_000, []],
    ['who is still at work', [span('ada', 10_000)], 999_000, ['ada']],
    ['all who worked', [...ada, span('ben', 12_000)], 15_000, ['ada', 'ben']],
    ['each once', [...ada, span('ada', 20_500)], 20_700, ['ada']],
  ])('%s', (_, spans, at, workers) => expect(workAt(spans, at)).toEqual({ workers }));

  it('is doubtful when one worked whose place is the main checkout, and only then', () => {
    const eve = (from: number, to: number) => [...ada, span('eve', from, to, true)];
    expect(workAt(eve(12_000, 16_000), 15_000)).toEqual({ workers: ['ada'], isDoubtful: true });
    expect(workAt(eve(1_000, 2_000), 15_000)).toEqual({ workers: ['ada'] });
  });
});

it('what is doubtful is told only where a tool call names it', () => {
  const file = { path: 'a', at: 1, workers: ['ada'], isDoubtful: true } as const;
  const found = { files: [file, { ...file, path: 'b', tool: 'Write' }], commits: [], undone: [] };
  expect(certain(found).files.map(({ path }) => path)).toEqual(['b']);
});

describe('a changed file', () => {
  const files = (parts: Partial<Between>) => escapesIn(between({ spans: ada, ...parts })).files;
  const now = sight({ 'a.txt': { print: 'p', at: 15_000 } });

  it('that is new and of the time of a turn is told', () =>
    expect(files({ now })).toEqual([{ path: 'a.txt', at: 15_000, workers: ['ada'] }]));
  it('that is new at the first look of all is told by its time alone', () =>
    expect(files({ before: undefined, now })).toHaveLength(1));
  it('that looked just so before is not', () =>
    expect(files({ before: sight({ 'a.txt': { print: 'p', at: 15_000 } }), now })).toEqual([]));
  it('that was dirty and was written to again is', () =>
    expect(files({ before: sight({ 'a.txt': { print: 'q', at: 1 } }), now })).toHaveLength(1));
  it('of a quiet time is the user’s', () => expect(files({ now, spans: [span('ada', 16_000)] })).toEqual([]));
  it('that lies between the commits of a branch that moved is not told', () =>
    expect(files({ now, moved: new Set(['a.txt']) })).toEqual([]));
  it('of which the disk tells no time is not told', () =>
    expect(files({ now: sight({ 'a.txt': { print: 'p' } }) })).toEqual([]));
});

it('a step of the branch is told where somebody worked, and by the time of the look where git tells none', () => {
  const steps = [
    { commit: 'b', subject: 'commit: In a turn', at: 12_000 },
    { commit: 'c', subject: 'commit: Before it', at: 5_000 },
    { commit: 'd', subject: 'commit: Undated' },
  ];
  const { commits } = escapesIn(between({ steps, spans: ada, now: sight({}, 18_000) }));
  expect(commits.map(({ commit }) => commit)).toEqual(['b', 'd']);
});

it('what was undone while somebody worked is told only where a tool call names it, and never of a quiet time', () => {
  const undone = [
    { path: 'mine', at: 15_000 },
    { path: 'early', at: 1_000 },
    { path: 'committed', at: 15_000 },
    { path: 'undated' },
  ];
  const found = escapesIn(between({ undone, spans: ada, moved: new Set(['committed']) }));
  expect(found.undone).toEqual([{ path: 'mine', at: 15_000, workers: ['ada'], isDoubtful: true }]);
  expect(certain(found).undone).toEqual([]);
});

it('a switch of branches is doubtful too', () => {
  const steps = [{ commit: 'b', subject: 'checkout: moving from main to x', at: 12_000, isDoubtful: true as const }];
  expect(certain(escapesIn(between({ steps, spans: ada }))).commits).toEqual([]);
});

it('steps and losses stand until those who worked then are closed, losses also until somebody writes anew', () => {
  const one = { at: 1, workers: ['ada'] };
  const noted = {
    files: [],
    commits: [{ commit: 'b', subject: 'commit: x', ...one }],
    undone: [{ path: 'mine', ...one }],
  };
  const is = (open: boolean, marks = {}) =>
    standing(noted, { now: sight(marks), isThere: () => true, isOpen: () => open });
  expect(is(true)).toEqual(noted);
  expect(is(false)).toEqual({ files: [], commits: [], undone: [] });
  expect(is(true, { mine: { print: 'p' } }).undone).toEqual([]);
});

it('a step was made somewhen in its second, so all who worked in any of it are told', () => {
  const spans = [span('ada', 10_900, 20_000), span('ben', 5_000, 8_000), span('eve', 11_100)];
  const { commits } = escapesIn(between({ steps: [{ commit: 'b', subject: 'commit: x', at: 10_000 }], spans }));
  expect(commits).toMatchObject([{ workers: ['ada'] }]);
});

it('a file joins its witnesses, and one that was named stays the only one', () => {
  const file = (workers: string[], tool?: string) => ({
    files: [{ path: 'a', at: 1, workers, ...(tool === undefined ? {} : { tool }) }],
    commits: [],
    undone: [],
  });
  expect(joined(file(['ada']), file(['ben'])).files[0]?.workers).toEqual(['ada', 'ben']);
  expect(joined(file(['ada'], 'Write'), file(['ada', 'ben'])).files[0]).toMatchObject({
    workers: ['ada'],
    tool: 'Write',
  });
  expect(joined(file(['ada', 'ben']), file(['ben'], 'Write')).files[0]).toMatchObject({ tool: 'Write' });
});

const names = fc.constantFrom('ada', 'ben', 'eve');
const spans = fc.array(fc.record({ workerId: names, from: fc.nat(1_000), to: fc.nat(1_000), isShared: fc.boolean() }), {
  maxLength: 6,
});
const marks = fc.dictionary(
  fc.constantFrom('a', 'b', 'c', '__proto__x'),
  fc.record({ print: fc.constantFrom('p', 'q'), at: fc.nat(1_000) }),
);

it('nothing is told of a checkout in which nothing changed, nor of a time in which nobody worked', () =>
  fc.assert(
    fc.property(marks, spans, (seen, worked) => {
      const same = sight(seen);
      expect(escapesIn(between({ before: same, now: same, spans: worked })).files).toEqual([]);
      expect(escapesIn(between({ now: same, spans: [] })).files).toEqual([]);
    }),
  ));

it('what is told names a file that is there and only workers who worked', () =>
  fc.assert(
    fc.property(marks, marks, spans, (then, seen, worked) => {
      const now = sight(seen);
      for (const { path, workers, at } of escapesIn(between({ before: sight(then), now, spans: worked })).files) {
        expect(seen[path]?.at).toBe(at);
        expect(workers.length).toBeGreaterThan(0);
        for (const one of workers)
          expect(worked.some(({ workerId, isShared }) => workerId === one && !isShared)).toBe(true);
      }
    }),
  ));

it('what was told is not news again, is gone when it is clean, and is grouped without loss', () =>
  fc.assert(
    fc.property(marks, spans, (seen, worked) => {
      const now = sight(seen);
      const found = escapesIn(between({ now, spans: worked }));
      expect(newIn(found, joined(found, found))).toEqual({ files: [], commits: [], undone: [] });
      const all = { isThere: () => true, isOpen: () => true };
      expect(standing(found, { now, ...all })).toEqual(found);
      expect(standing(found, { now: sight({}), ...all }).files).toEqual([]);
      const paths = byWitnesses(found).flatMap(({ files }) => files.map(({ path }) => path));
      expect(paths.sort()).toEqual(found.files.map(({ path }) => path).sort());
    }),
  ));
