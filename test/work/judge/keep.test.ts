// Who holds the lease of a kept project, and when its keeper ends.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type KeepFacts, type KeepStep, keepStep, keepWords } from '../../../src/work/judge/keep.ts';

const alone: KeepFacts = { managers: 0, left: 'now', isStopped: false, isDriving: false };
const rows: readonly (readonly [string, Partial<KeepFacts>, KeepStep])[] = [
  ['work and no manager', {}, 'drive'],
  ['work and no manager, driving', { isDriving: true }, 'wait'],
  ['a manager', { managers: 1 }, 'wait'],
  ['a manager that has come', { managers: 1, isDriving: true }, 'let-go'],
  ['a schedule that waits for its time', { left: 'later' }, 'wait'],
  ['a schedule that waits after a run', { left: 'later', isDriving: true }, 'let-go'],
  ['nothing left', { left: 'nothing' }, 'end'],
  ['nothing left beside a manager', { left: 'nothing', managers: 2 }, 'end'],
  ['nothing left after its run', { left: 'nothing', isDriving: true }, 'let-go'],
  ['a stop in the midst of work', { isStopped: true, isDriving: true }, 'let-go'],
  ['a stop', { isStopped: true }, 'end'],
];

it.each(rows)('with %s', (_, facts, step) => {
  expect(keepStep({ ...alone, ...facts })).toBe(step);
});

const anyFacts: fc.Arbitrary<KeepFacts> = fc.record({
  managers: fc.nat(2),
  left: fc.constantFrom('now', 'later', 'nothing'),
  isStopped: fc.boolean(),
  isDriving: fc.boolean(),
});
const after = (facts: KeepFacts): KeepFacts => {
  const step = keepStep(facts);
  return step === 'drive' || step === 'let-go' ? { ...facts, isDriving: step === 'drive' } : facts;
};

it('nobody is driven for beside a manager after one look, and no look takes back what the one before has done', () => {
  fc.assert(
    fc.property(anyFacts, (facts) => {
      const next = after(facts);
      if (facts.managers > 0 || facts.isStopped) expect(next.isDriving).toBe(false);
      expect(['wait', 'end']).toContain(keepStep(next));
      expect(keepStep(next) === 'end').toBe(facts.isStopped || facts.left === 'nothing');
    }),
  );
});

it('says why in a line', () => {
  expect([
    keepWords('drive', alone),
    keepWords('let-go', { ...alone, managers: 1, isDriving: true }, 4711),
    keepWords('let-go', { ...alone, left: 'later' }),
    keepWords('end', { ...alone, left: 'nothing' }),
    keepWords('end', { ...alone, isStopped: true }),
  ]).toMatchInlineSnapshot(`
    [
      "no manager is here: drives",
      "a manager is here (process 4711): lets go",
      "nothing is due: lets go",
      "nothing is left to do: ends",
      "stopped: ends",
    ]
  `);
});
