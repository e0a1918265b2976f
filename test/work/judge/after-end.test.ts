import { describe, expect, it } from 'vitest';
import type { Work } from '../../../src/crew/api.ts';
import type { DecisionAction, Task } from '../../../src/model/task.ts';
import { isAtRest, nextDue } from '../../../src/work/judge/next-step.ts';
import type { TaskGiven } from '../../support/tasks.ts';
import { bookOf, facts, job, plan, stepOf, task, work, worker } from '../parts.ts';

describe('after the end', () => {
  const landed = task({ state: 'landed', worker, attempt: 1 });
  it.each<readonly [string, TaskGiven, Partial<Work> | undefined, object | undefined]>([
    ['a worker that was started for it is closed', landed, {}, { do: 'close' }],
    ['a worker that was there before stays', { ...landed, isReused: true }, {}, undefined],
    ['a worker that is to be kept stays', { ...landed, keepWorker: true }, {}, undefined],
    ['a worker is closed once', { ...landed, isSeenTo: true }, {}, undefined],
    [
      'nothing is left to close where it is gone',
      landed,
      { status: 'closed' },
      { set: { progress: { isSeenTo: true } } },
    ],
    ['a worker that is dead already is closed, for its worktree', landed, { status: 'dead' }, { do: 'close' }],
    ['nothing is left to close where nobody knows it', landed, undefined, { set: { progress: { isSeenTo: true } } }],
    ['the worker of another server is left alone', landed, { isOthers: true }, undefined],
    ['the worker of a cancelled task stays', { ...landed, state: 'cancelled' }, {}, undefined],
    ['the worker of a cancelled job is closed', { ...landed, state: 'cancelled', planId: 'p' }, {}, { do: 'close' }],
    ['a failure is kept', { ...landed, state: 'failed' }, {}, { do: 'collect' }],
    [
      'a failure of an agent that is gone is kept',
      { ...landed, state: 'failed' },
      { status: 'dead' },
      { do: 'collect' },
    ],
    ['a failure is kept once', { ...landed, state: 'failed', isSeenTo: true }, {}, undefined],
    [
      'of a start that has failed nothing is kept',
      task({ state: 'failed', attempt: 1 }),
      { task: { id: 't', attempt: 1 }, isUnborn: true },
      undefined,
    ],
  ])('%s', (_, one, seen, expected) => {
    const step = stepOf(one, { works: seen === undefined ? [] : [work(seen)] });
    if (expected === undefined) expect(step).toBeUndefined();
    else expect(step).toMatchObject(expected);
  });

  it('nobody has to drive what has ended and was seen to', () => {
    expect(isAtRest({ book: bookOf([{ ...landed, isSeenTo: true }, task({ id: 'c', state: 'cancelled' })]) })).toBe(
      true,
    );
    expect(isAtRest({ book: bookOf([landed]) })).toBe(false);
    expect(isAtRest({ book: bookOf([task()]) })).toBe(false);
    const decided = (action: DecisionAction) => ({ decisions: { 'on_error:0.0': { action, at: 0 } }, isSeenTo: true });
    const failed = (action: DecisionAction) => bookOf([{ ...landed, state: 'failed', ...decided(action) }]);
    expect([isAtRest({ book: failed('retry') }), isAtRest({ book: failed('continue') })]).toEqual([false, true]);
    const out = { ...landed, state: 'cancelled', isSkipped: true, ...decided('skip') } as const;
    expect(isAtRest({ book: bookOf([out]) })).toBe(true);
    expect(isAtRest({ book: bookOf([{ ...landed, isSeenTo: true }], [plan(['t'])]) })).toBe(false);
    const given = job({ ...landed, planId: 'p', state: 'failed', isSeenTo: true });
    const over = plan(['t'], { isCancelled: true, state: 'cancelled' });
    expect(isAtRest({ book: bookOf([given], [over]) })).toBe(false);
    expect(isAtRest({ book: bookOf([{ ...given, state: 'cancelled' }], [over]) })).toBe(true);
    const torn = { ...given, state: 'cancelled', ...decided('retry') } as const;
    expect(isAtRest({ book: bookOf([torn], [over]) })).toBe(true);
  });

  it('time brings a step at the next retry, at the end of a time limit and at a reset, of what has not ended', () => {
    const due = (...tasks: Task[]) => nextDue(facts({ tasks, now: 1_000 }));
    expect(due(task())).toBeUndefined();
    expect(due(task({ notBefore: 900 }))).toBeUndefined();
    expect(due(task({ notBefore: 3_000 }), task({ id: 'b', timeoutMinutes: 1, startedAt: -58_500 }))).toBe(1_500);
    expect(due(task({ state: 'failed', notBefore: 3_000 }))).toBeUndefined();
    const limits = new Map([['claude', { until: 4_000, dueAt: 5_000 }]]);
    const accounts = new Map([['/p', { usual: 'claude', others: [], limits }]]);
    expect(nextDue(facts({ tasks: [task()], accounts }))).toBe(5_000);
  });
});
