// What the tests that fail on the base already make of tasks and plans.
import { describe, expect, it } from 'vitest';
import type { DecisionAction, Plan, Task } from '../../../src/model/task.ts';
import type { TaskHold } from '../../../src/model/task-progress.ts';
import { plannedWith } from '../../../src/work/drive/finish.ts';
import { callsAt, nextCallsOf } from '../../../src/work/judge/calls.ts';
import { actionsAt, checkpointsOf } from '../../../src/work/judge/checkpoint.ts';
import { landedWith, triedWith } from '../../../src/work/judge/outcomes.ts';
import { planStep } from '../../../src/work/judge/plan-step.ts';
import { redOrder, redWords } from '../../../src/work/judge/red-tests.ts';
import { testsPatch } from '../../../src/work/verbs/plan-edit.ts';
import { bookOf, ended, facts, job, plan, stepOf, task, work, worker } from '../parts.ts';
import { landing } from '../world.ts';

const hold: TaskHold = { why: 'red_tests', words: 'the tests fail on main already: red', files: [] };
const tests = { status: 'failed', command: 'make test', output: 'red here', path: '/job.log' } as const;
const red = landing({ outcome: 'checks_failed', target: 'lane', tests });
const oldRed = { ...red, redTarget: { output: 'red there\n', path: '/base.log' } };
const one = job({ state: 'landing', worker, round: 1 });
const held = job({ ...one, hold });
const on = (action: DecisionAction, key = 'on_error:1.0') => ({ decisions: { [key]: { action, at: 5 } } });

describe('a landing whose tests fail', () => {
  const end = (of: Task, result: Parameters<typeof landedWith>[2], given: Partial<Plan> = {}) => {
    const plans = of.planId === undefined ? [] : [plan(['t'], given)];
    return landedWith(facts({ tasks: [of], plans, works: [work({ turn: ended() })] }), of, result);
  };

  it('on its target too is held, with the last words there and both logs, and sends nobody back', () => {
    const words = expect.stringMatching(/^the tests fail on main already: red there\n/);
    const held = end(one, oldRed);
    expect(held).toMatchObject({
      progress: { is: 'landing', isUnchecked: false, hold: { why: 'red_tests', words } },
      reason: 'the tests fail on main already: red there\nThe whole output is in /base.log .',
      artefacts: ['/base.log', '/job.log'],
    });
    expect(held).not.toHaveProperty('bounces');
  });

  it('on its target alone, or where nothing is known of the target, goes back to its worker', () => {
    expect(end(one, red)).toMatchObject({ progress: { is: 'running', as: 'bounced' }, bounces: 1 });
  });

  it('has failed where it is no part of a plan, whatever retries it has', () => {
    const single = task({ state: 'landing', worker, onComplete: 'merge', maxRetries: 3 });
    expect(end(single, { ...oldRed, target: 'main' })).toMatchObject({
      progress: { is: 'ended', how: 'failed' },
      reason: expect.stringMatching(/^the tests fail on main already: red there/),
    });
  });

  it.each([
    ['the base, where the branch of the plan still is that', 'a', 'main'],
    ['the branch of the plan, where jobs have landed there', 'x', 'lane'],
  ])('names %s', (_, from_commit, name) => {
    expect(redWords({ ...oldRed, from_commit }, plan([]))).toContain(`the tests fail on ${name} already: red there`);
  });

  it('says so where they print nothing, and shows the end of what is long', () => {
    expect(redWords({ ...red, redTarget: { output: '\n' } }, undefined)).toBe(
      'the tests fail on lane already: they print nothing',
    );
    const long = redWords({ ...red, redTarget: { output: `first ${'x'.repeat(900)} last` } }, undefined);
    expect(long).toMatch(/^the tests fail on lane already: …x+ last$/);
    expect(long.length).toBeLessThan(450);
  });

  it('leaves how they ended, and a landing without tests leaves that there were none', () => {
    const known = { status: 'failed', command: 'make test', output: 'red here', path: '/job.log' };
    const tried = (result: Parameters<typeof landedWith>[2]) => triedWith(facts({ tasks: [one] }), one, result);
    expect(tried(oldRed)).toEqual({ clashes: null, tests: { ...known, isOld: true } });
    expect(tried(red)).toMatchObject({ tests: known });
    expect(tried({ ...oldRed, outcome: 'landed' })).toMatchObject({ tests: { status: 'failed', commit: 'b' } });
    const none = { status: 'none', command: null, output: '' } as const;
    expect(tried({ ...red, outcome: 'landed', tests: none })).toMatchObject({
      tests: { status: 'none', output: '', commit: 'b' },
    });
  });
});

describe('a plan with a job that is held by them', () => {
  const others = ['b', 'c'].map((id) => job({ id, state: 'landing', worker: { id, name: id } }));
  const next = (of: Task, at: Task) =>
    stepOf(of, { tasks: [at, ...others].filter(({ id }) => id !== of.id), plans: [plan(['t', 'b', 'c'])] });
  const [b = one] = others;

  it('waits at one checkpoint in every mode, which blames no job', () => {
    for (const mode of ['autopilot', 'copilot', 'supervisor'] as const) {
      const of = plan(['t', 'b', 'c'], { mode });
      const open = checkpointsOf(bookOf([held, ...others], [of]), of).filter(({ at }) => at === 'on_error');
      expect(open).toMatchObject([{ job: { id: 't' }, why: hold.words }]);
    }
  });

  it('lands nothing until somebody decides', () => {
    expect(next(b, held)).toBeUndefined();
    expect(next(b, one)).toMatchObject({ do: 'land' });
  });

  it.each<[DecisionAction, object]>([
    ['continue', { set: { progress: { is: 'landing', isUnchecked: false }, failures: 1 } }],
    ['retry', { set: { progress: { is: 'landing', isUnchecked: false }, testedSince: 1_000, repeats: 1 } }],
    ['skip', { set: { progress: { is: 'ended', how: 'cancelled' }, isSkipped: true } }],
  ])('goes on after %s', (action, expected) => {
    const decided = { ...held, tests: { status: 'failed', output: '', isOld: true }, ...on(action) } as const;
    expect(next(decided, decided)).toMatchObject({ do: 'note', ...expected });
  });

  it('notes a continue for all of its jobs before the job goes on', () => {
    const of = plan(['t', 'b', 'c']);
    const step = (at: Task, given: Partial<Plan> = {}) =>
      planStep(facts({ tasks: [at, ...others], plans: [{ ...of, ...given }] }), { ...of, ...given });
    expect(step({ ...held, ...on('continue') })).toMatchObject({ do: 'note-plan', set: { landsRed: true } });
    expect(step({ ...held, ...on('continue') }, { landsRed: true })).toBeUndefined();
    expect(step({ ...held, ...on('retry') })).toBeUndefined();
  });

  it('is asked to land what fails like its target only after that', () => {
    expect(redOrder(one, undefined)).toEqual({ whereRed: 'tell' });
    expect(redOrder({ testedSince: 7 }, plan([]))).toEqual({ whereRed: 'tell', testedSince: 7 });
    expect(redOrder(one, plan([], { landsRed: true }))).toEqual({ whereRed: 'land' });
  });

  it('offers the calls that go on, other tests, and the end of the plan', () => {
    const of = plan(['t']);
    const calls = callsAt(of, { at: 'on_error', job: { ...held }, key: 'k', why: '' });
    expect(calls.map((line) => line.replace(/"plan_id":"p",?/, ''))).toEqual([
      'approve_plan {"checkpoint":"on_error","action":"continue","job":"t"}',
      'approve_plan {"checkpoint":"on_error","action":"retry","job":"t"}',
      expect.stringContaining('"relaunch"'),
      'approve_plan {"checkpoint":"on_error","action":"skip","job":"t"}',
      'edit_plan {"test_command":""}',
      'cancel_plan {}',
      'diff_worker {"session_id":"w"}',
    ]);
    const around = { book: bookOf([held], [of]), work: undefined, plan: of };
    expect(nextCallsOf(held, around)).toEqual(calls.slice(0, 6));
  });
});

describe('the branch of a plan that its base keeps from landing', () => {
  const planHold = { hold, state: 'paused', round: 2 } as const;
  const landed = job({ state: 'landed' });
  it('waits with the same words and calls', () => {
    const end = plannedWith({ ...oldRed, target: 'main' }, 5, plan([]));
    expect(end).toMatchObject({ hold: { why: 'red_tests', words: expect.stringContaining('red there') } });
    const of = plan(['t'], planHold);
    const [point] = checkpointsOf(bookOf([landed], [of]), of);
    expect(point).toMatchObject({ at: 'on_error', why: hold.words });
    expect(point && actionsAt(point)).toEqual(['continue', 'retry', 'skip']);
    expect(point && callsAt(of, point)).toContain('edit_plan {"plan_id":"p","test_command":""}');
  });

  it.each<[DecisionAction, object]>([
    ['continue', { landsRed: true, hold: null, state: 'landing', round: 3 }],
    ['retry', { testedSince: 1_000, hold: null, state: 'landing' }],
    ['skip', { onComplete: 'none', hold: null }],
  ])('goes on after %s', (action, set) => {
    const of = plan(['t'], { ...planHold, ...on(action, 'on_error:2') });
    expect(planStep(facts({ tasks: [landed], plans: [of] }), of)).toMatchObject({ set });
  });
});

it('other tests take away what the old ones have held up and what was decided about them, and nothing else', () => {
  const other = job({ ...held, id: 'o', hold: { ...hold, why: 'other' } });
  expect(testsPatch(plan(['t'], { landsRed: true }), [held, other], 'make quick')).toEqual({
    plan: { testCommand: 'make quick', landsRed: null },
    jobs: [{ id: 't', lifted: 'on_error:1.0' }],
  });
  expect(testsPatch(plan(['t'], { hold, round: 2 }), [], '').plan).toEqual({
    ...{ testCommand: '', landsRed: null, hold: null, round: 3 },
  });
});

it('a single task that has failed for them names the call that lands it all the same', () => {
  const failed = task({ state: 'failed', worker, tests: { status: 'failed', output: '', isOld: true } });
  const around = { book: bookOf([failed]), work: work(), plan: undefined };
  expect(nextCallsOf(failed, around)).toContain('merge_worker {"session_id":"w","test_command":""}');
  expect(nextCallsOf({ ...failed, tests: { status: 'failed', output: '' } }, around).join()).not.toContain('merge');
});
