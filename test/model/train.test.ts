import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mostTries, nextStep, planSync, type TrainFacts, targetOutcomes, testOutcomes } from '../../src/model/train.ts';

const facts: TrainFacts = {
  target: 't1',
  source: 's1',
  hasLeftovers: false,
  staged: undefined,
  tested: undefined,
  whereRed: undefined,
  onTarget: undefined,
  tries: 0,
  hasMoved: false,
  dryRun: false,
  outside: [],
  isInTheWay: false,
};
const staged = { onto: 't1', from: 's1', commit: 'm1', isEmpty: false };
const failed = { staged, tested: { commit: 'm1', outcome: 'failed' } } as const;
const on = (commit: string, outcome: (typeof targetOutcomes)[number]) => ({ onTarget: { commit, outcome } });

describe('nextStep', () => {
  it.each<[string, Partial<TrainFacts>, object]>([
    ['what is not committed comes first', { hasLeftovers: true }, { do: 'commit-leftovers' }],
    ['nothing is tested before it is staged', {}, { do: 'stage' }],
    ['nothing is moved before it is tested', { staged }, { do: 'test', commit: 'm1' }],
    [
      'what passed is moved from where it was staged on',
      { staged, tested: { commit: 'm1', outcome: 'passed' } },
      { do: 'move', from: 't1', to: 'm1' },
    ],
    [
      'a project without tests lands untested',
      { staged, tested: { commit: 'm1', outcome: 'none' } },
      { do: 'move', from: 't1', to: 'm1' },
    ],
    [
      'what failed is not moved',
      { staged, tested: { commit: 'm1', outcome: 'failed' } },
      { do: 'end', as: 'checks_failed' },
    ],
    [
      'what never ended is not moved',
      { staged, tested: { commit: 'm1', outcome: 'timed_out' } },
      { do: 'end', as: 'checks_failed' },
    ],
    [
      'tests of an older staging prove nothing',
      { staged: { ...staged, commit: 'm2' }, tested: { commit: 'm1', outcome: 'passed' } },
      { do: 'test', commit: 'm2' },
    ],
    ['a target that moved is staged on again', { target: 't2', staged, tries: 1 }, { do: 'stage' }],
    ['a branch that moved is staged again', { source: 's2', staged, tries: 1 }, { do: 'stage' }],
    [
      'a target that moves every time ends it',
      { target: 't2', staged, tries: mostTries },
      { do: 'end', as: 'target_moved' },
    ],
    [
      'two sides that do not agree end it',
      { staged: { onto: 't1', from: 's1', isEmpty: false } },
      { do: 'end', as: 'conflict' },
    ],
    ['what adds nothing is not tested', { staged: { ...staged, isEmpty: true } }, { do: 'end', as: 'nothing' }],
    [
      'what changes a file that it must not is not tested',
      { staged, outside: ['a'], isInTheWay: true },
      { do: 'end', as: 'outside' },
    ],
    [
      'nothing is outside before it is staged anew',
      { target: 't2', staged, tries: 1, outside: ['a'] },
      { do: 'stage' },
    ],
    [
      'what would write over a file in a checkout is refused before it is tested',
      { staged, isInTheWay: true },
      { do: 'refuse' },
    ],
    [
      'and so is what comes in the way during the tests',
      { staged, tested: { commit: 'm1', outcome: 'passed' }, isInTheWay: true },
      { do: 'refuse' },
    ],
    [
      'nothing is in the way of what adds nothing',
      { staged: { ...staged, isEmpty: true }, isInTheWay: true },
      { do: 'end', as: 'nothing' },
    ],
    [
      'a dry run moves nothing',
      { staged, tested: { commit: 'm1', outcome: 'passed' }, dryRun: true },
      { do: 'end', as: 'dry_run' },
    ],
    [
      'what was moved has landed, wherever the target went since',
      { target: 't9', staged, hasMoved: true },
      { do: 'end', as: 'landed' },
    ],
    [
      'tests that fail run on the target too where that is asked for',
      { ...failed, whereRed: 'tell' },
      { do: 'test-target', commit: 't1' },
    ],
    [
      'tests of an older target prove nothing about it',
      { ...failed, whereRed: 'land', ...on('t0', 'failed') },
      { do: 'test-target', commit: 't1' },
    ],
    [
      'tests that do not end in time do not run on the target',
      { staged, tested: { commit: 'm1', outcome: 'timed_out' }, whereRed: 'land', ...on('t1', 'failed') },
      { do: 'end', as: 'checks_failed' },
    ],
    [
      'what fails on the target too does not land where that is to be told',
      { ...failed, whereRed: 'tell', ...on('t1', 'failed') },
      { do: 'end', as: 'checks_failed' },
    ],
    [
      'what fails on the target too lands where it is to land all the same',
      { ...failed, whereRed: 'land', ...on('t1', 'failed') },
      { do: 'move', from: 't1', to: 'm1' },
    ],
    ...targetOutcomes
      .filter((outcome) => outcome !== 'failed')
      .map((outcome): [string, Partial<TrainFacts>, object] => [
        `what fails does not land where the target's tests are ${outcome}`,
        { ...failed, whereRed: 'land', ...on('t1', outcome) },
        { do: 'end', as: 'checks_failed' },
      ]),
  ])('%s', (_, change, step) => {
    expect(nextStep({ ...facts, ...change })).toEqual(step);
  });

  const sha = fc.constantFrom('a', 'b', 'c');
  const anyFacts = fc.record<TrainFacts>({
    target: sha,
    source: sha,
    hasLeftovers: fc.boolean(),
    staged: fc.option(
      fc.oneof(
        fc.record({ onto: sha, from: sha, commit: sha, isEmpty: fc.boolean() }),
        fc.record({ onto: sha, from: sha, isEmpty: fc.constant(false) }),
      ),
      { nil: undefined },
    ),
    tested: fc.option(fc.record({ commit: sha, outcome: fc.constantFrom(...testOutcomes) }), { nil: undefined }),
    whereRed: fc.constantFrom(undefined, 'tell', 'land'),
    onTarget: fc.option(fc.record({ commit: sha, outcome: fc.constantFrom(...targetOutcomes) }), { nil: undefined }),
    tries: fc.nat(mostTries + 1),
    hasMoved: fc.boolean(),
    dryRun: fc.boolean(),
    outside: fc.array(sha, { maxLength: 2 }),
    isInTheWay: fc.boolean(),
  });

  it('the target moves only to what was staged on it, from this very branch, and fails no tests that the target passes', () => {
    fc.assert(
      fc.property(anyFacts, (now) => {
        const step = nextStep(now);
        if (step.do !== 'move') return;
        expect(now).toMatchObject({ dryRun: false, hasLeftovers: false, hasMoved: false, outside: [] });
        expect(now.staged).toEqual({ onto: step.from, from: now.source, commit: step.to, isEmpty: false });
        expect(step.from).toBe(now.target);
        expect(now.tested?.commit).toBe(step.to);
        if (now.tested?.outcome === 'failed')
          expect(now).toMatchObject({ whereRed: 'land', onTarget: { commit: now.target, outcome: 'failed' } });
        else expect(['passed', 'none']).toContain(now.tested?.outcome);
      }),
    );
  });

  it('it ends in a bounded number of steps, however often the target moves', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 40 }), fc.boolean(), (moves, isRed) => {
        let now: TrainFacts = { ...facts, hasLeftovers: true, dryRun: !isRed, ...(isRed && { whereRed: 'land' }) };
        for (let steps = 1; steps <= 5 * mostTries + 4; steps += 1) {
          if (moves[steps] === true) now = { ...now, target: `t${steps}` };
          const step = nextStep(now);
          if (step.do === 'end') return;
          if (step.do === 'commit-leftovers') now = { ...now, hasLeftovers: false };
          if (step.do === 'stage')
            now = { ...now, tries: now.tries + 1, staged: { ...staged, onto: now.target, commit: `m${steps}` } };
          if (step.do === 'test')
            now = { ...now, tested: { commit: step.commit, outcome: isRed ? 'failed' : 'passed' } };
          if (step.do === 'test-target') now = { ...now, ...on(step.commit, 'failed') };
          if (step.do === 'move') now = { ...now, hasMoved: true };
        }
        throw new Error('it never ended');
      }),
    );
  });
});

describe('planSync, for', () => {
  it.each([
    ['a base with nothing new', { ahead: 2, behind: 0 }, 'nothing'],
    ['a base with nothing new, whatever was asked', { ahead: 2, behind: 0, asked: 'merge' as const }, 'nothing'],
    ['a branch without commits', { ahead: 0, behind: 3 }, 'forward'],
    [
      'a branch without commits, also where a merge was asked for',
      { ahead: 0, behind: 3, asked: 'merge' as const },
      'forward',
    ],
    ['own commits', { ahead: 1, behind: 1 }, 'rebase'],
    ['own commits that were pushed', { ahead: 1, behind: 1, isPublished: true }, 'merge'],
    [
      'own commits that were pushed, and a rebase asked for',
      { ahead: 1, behind: 1, isPublished: true, asked: 'rebase' as const },
      'rebase',
    ],
    ['own commits and a merge asked for', { ahead: 1, behind: 1, asked: 'merge' as const }, 'merge'],
  ])('%s', (_, facts, plan) => {
    expect(planSync({ isPublished: false, asked: undefined, ...facts })).toEqual({ do: plan });
  });
});
