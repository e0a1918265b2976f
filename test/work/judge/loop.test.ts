// A loop through its states: what follows each end of a plan, and when the goal counts as reached.
import { describe, expect, it } from 'vitest';
import type { Loop } from '../../../src/model/loop.ts';
import { type Book, emptyBook, type Plan } from '../../../src/model/task.ts';
import { foldLines, lineOf } from '../../../src/store/job-book.ts';
import { nextLoopStep, openLoop } from '../../../src/work/judge/loop.ts';
import { isAtRest } from '../../../src/work/judge/next-step.ts';
import type { TaskGiven } from '../../support/tasks.ts';
import { bookOf, job, loopOf, plan } from '../parts.ts';

interface Given {
  readonly loop?: Partial<Loop>;
  readonly plan?: Partial<Plan>;
  readonly jobs?: readonly TaskGiven[];
  readonly busy?: readonly string[];
  readonly pausedAt?: number;
}

const evidence = { claimed: true, commits: ['c'], landedAt: 'c' };
const passed = { status: 'passed', output: '' } as const;
const landed = (given: TaskGiven = {}): TaskGiven => ({ id: 'a', state: 'landed', evidence, tests: passed, ...given });

function bookWith({ loop = {}, plan: planned = {}, jobs = [], pausedAt }: Given): Book {
  const one = loopOf(loop);
  const made = jobs.map((given) => job(given));
  const book = bookOf(
    made,
    ['p', 'q'].map((id) =>
      plan(
        made.filter(({ planId }) => planId === id).map((task) => task.id),
        { id, loop: 'l', ...planned },
      ),
    ),
  );
  return { ...book, loops: new Map([[one.id, one]]), ...(pausedAt !== undefined && { pausedAt }) };
}

const step = ({ busy = [], ...given }: Given) =>
  nextLoopStep({ now: 1_000, book: bookWith(given), busy: new Set(busy) });

const open = (given: Partial<Loop> = {}) => ({ openPlan: 'p', ...given });
const paused = (reason: unknown) => ({ do: 'note-loop', tell: 'loop_paused', set: { state: 'paused', reason } });
const reached: Partial<Plan> = {
  state: 'completed',
  handIn: { is: 'reached', why: 'All of it is there.', id: 'h', at: 5 },
  verdict: { of: 'h', refused: 0 },
};

describe('a loop', () => {
  it.each<[string, Given, object | undefined]>([
    ['plans again where no plan is open', { loop: { state: 'planning' } }, { do: 'plan-again' }],
    ['waits while its plan is begun', { loop: { state: 'planning' }, busy: ['l'] }, undefined],
    ['begins no plan while the project is paused', { loop: { state: 'planning' }, pausedAt: 5 }, undefined],
    ['runs while its plan runs', { loop: open({ state: 'planning' }) }, { set: { state: 'running', reason: null } }],
    ['plans while its plan is proposed', { loop: open(), plan: { state: 'proposed' } }, { set: { state: 'planning' } }],
    ['waits for its plan', { loop: open() }, undefined],
    ['waits where it is paused', { loop: { state: 'paused' } }, undefined],
    ...(['done', 'stopped', 'failed'] as const).map((state): [string, Given, undefined] => [
      `does nothing where it is ${state}`,
      { loop: { state } },
      undefined,
    ]),
    [
      'goes on after a plan that landed something',
      { loop: open({ failures: 1 }), plan: { state: 'completed' }, jobs: [landed()] },
      { do: 'note-loop', set: { openPlan: null, state: 'planning', failures: 0 } },
    ],
    [
      'goes on after one failed plan that landed something',
      { loop: open(), plan: { state: 'failed' }, jobs: [landed(), { id: 'b', state: 'failed' }] },
      { do: 'note-loop', set: { openPlan: null, state: 'planning', failures: 1 } },
    ],
  ])('%s', (_, given, expected) => {
    if (expected === undefined) expect(step(given)).toBeUndefined();
    else expect(step(given)).toMatchObject(expected);
  });

  it.each<[string, Given, string]>([
    [
      'a plan that landed nothing',
      { loop: open(), plan: { state: 'completed' }, jobs: [{ id: 'a', state: 'done' }] },
      'iteration 1, the plan cart, is completed and landed nothing',
    ],
    [
      'a failed plan that landed nothing',
      { loop: open(), plan: { state: 'failed', reason: 'a failed' }, jobs: [{ id: 'a', state: 'failed' }] },
      'iteration 1, the plan cart, is failed and landed nothing: a failed',
    ],
    [
      'a second failed plan in a row',
      { loop: open({ failures: 1 }), plan: { state: 'failed', reason: 'b failed' }, jobs: [landed()] },
      '2 plans in a row failed, the last: b failed',
    ],
    [
      'as many iterations as it may have',
      { loop: { state: 'planning', iteration: 10 } },
      '10 iterations ended, and max_iterations is 10',
    ],
    [
      'a planner that is not understood',
      { loop: open({ state: 'planning' }), plan: { state: 'failed', reason: 'Its planner said: hm.' } },
      'its planner made no plan of the goal: Its planner said: hm.',
    ],
    ['a plan that somebody cancelled', { loop: open(), plan: { state: 'cancelled' } }, 'its plan cart was cancelled'],
    [
      'a goal that is reached where nothing landed',
      { loop: open(), plan: reached },
      'its planner finds the goal reached, but nothing of it has landed. It says: All of it is there.',
    ],
    [
      'a goal that is reached where no tests ran',
      {
        loop: open({ openPlan: 'q', plans: ['p', 'q'] }),
        plan: reached,
        jobs: [landed({ tests: { status: 'none', output: '' } })],
      },
      'its planner finds the goal reached, but no tests ran at the last landing, that of a. It says: All of it is there.',
    ],
  ])('pauses with the reason after %s', (_, given, reason) => {
    expect(step(given)).toMatchObject(paused(reason));
  });

  const twice = (last: TaskGiven): Given => ({
    loop: open({ openPlan: 'q', plans: ['p', 'q'], iteration: 2 }),
    plan: reached,
    jobs: [landed({ endedAt: 5 }), landed({ id: 'b', endedAt: 9, ...last })],
  });

  it('is done where a planner says so and the tests of the last landing passed', () => {
    const failed = { status: 'failed', output: '' } as const;
    expect(step(twice({}))).toMatchObject({
      tell: 'loop_ended',
      set: { state: 'done', reason: 'All of it is there.' },
    });
    expect(step(twice({ tests: failed }))).toMatchObject(
      paused(expect.stringContaining('the tests of the last landing, that of b, did not pass')),
    );
    // A word that was not judged to hold is none.
    const given = twice({});
    expect(step({ ...given, plan: { ...reached, verdict: { of: 'other', refused: 1 } } })).toMatchObject({
      set: { state: 'paused' },
    });
  });

  it('that is stopped ends with its plan, and at once where none is open', () => {
    const stopped = { tell: 'loop_ended', set: { openPlan: null, state: 'stopped', reason: null, endedAt: 1_000 } };
    expect(step({ loop: open({ isStopping: true }) })).toBeUndefined();
    expect(step({ loop: { state: 'paused', isStopping: true } })).toMatchObject(stopped);
    for (const state of ['completed', 'failed', 'cancelled'] as const)
      expect(step({ loop: open({ isStopping: true }), plan: { state } })).toMatchObject(stopped);
  });

  it('lets the first of two that were started at once plan, and no other', () => {
    const [first, second] = [loopOf({ state: 'paused' }), loopOf({ id: 'm', state: 'planning' })];
    const loops = new Map([first, second].map((one) => [one.id, one]));
    expect(nextLoopStep({ now: 1, book: { ...emptyBook, loops }, busy: new Set() })).toBeUndefined();
  });

  it('that is stopped makes room for another before its end is noted', () => {
    const stopped = loopOf({ state: 'paused', isStopping: true });
    const open = (given: Partial<Loop>) => openLoop({ loops: new Map([['l', { ...stopped, ...given }]]) });
    expect(open({})).toBeUndefined();
    expect(open({ openPlan: 'p' })).toBeDefined();
    expect(open({ isStopping: false })).toBeDefined();
  });
});

it('a loop is read from the book with what was laid over it, and keeps its driver while it may go on', () => {
  const read = foldLines(emptyBook, [
    lineOf({ loops: [loopOf(open({ reason: 'x' }))] }),
    lineOf({ plans: [plan([], { loop: 'l' })], loops: [{ id: 'l', reason: null, openPlan: null, state: 'paused' }] }),
  ]);
  expect([...read.loops.values()]).toEqual([loopOf({ state: 'paused' })]);
  expect(read.plans.get('p')?.loop).toBe('l');
  const rests = (given: Partial<Loop>) => isAtRest({ book: { ...emptyBook, loops: new Map([['l', loopOf(given)]]) } });
  expect([{ state: 'paused' } as const, { state: 'done' } as const].map(rests)).toEqual([true, true]);
  expect([{}, { state: 'paused', isStopping: true } as const].map(rests)).toEqual([false, false]);
});
