import { describe, expect, it } from 'vitest';
import type { Work } from '../../../src/crew/api.ts';
import type { DecisionAction, Plan, Task, TaskHold } from '../../../src/model/task.ts';
import { isAtRest, nextDue } from '../../../src/work/judge/next-step.ts';
import { bookOf, ended, facts, job, plan, stepOf, task, work, worker } from '../parts.ts';

type Row = readonly [
  string,
  Task,
  { readonly plan?: Partial<Plan>; readonly busy?: readonly string[] },
  object | undefined,
];

const other = job({ id: 'o', state: 'landing', worker: { id: 'v', name: 'bo' } });
const look = (one: Task, { plan: given = {}, busy = [] }: Row[2]) =>
  stepOf(one, { works: [work({ turn: ended() })], tasks: [other], plans: [plan(['t', 'o'], given)], busy });

const check = (step: object | undefined, expected: object | undefined) => {
  if (expected === undefined) expect(step).toBeUndefined();
  else expect(step).toMatchObject(expected);
};

describe('finished work', () => {
  const landing = job({ state: 'landing', worker, round: 1 });
  const hold: TaskHold = { why: 'touch_set', words: 'b.ts', files: ['b.ts'] };
  const approved = { 'pre_merge:1': { action: 'continue', at: 0 } } as const;
  const supervised = { plan: { mode: 'supervisor' } } as const;
  it.each<Row>([
    ['is looked at', task({ state: 'checking', worker }), {}, { do: 'check' }],
    ['is not looked at again at once', task({ state: 'checking', worker, notBefore: 2_000 }), {}, undefined],
    ['of a task lands', task({ state: 'landing', worker, onComplete: 'merge' }), {}, { do: 'land' }],
    ['of a task is proposed', task({ state: 'landing', worker, onComplete: 'pr' }), {}, { do: 'propose' }],
    ['of a job lands, whatever its plan does at its end', landing, { plan: { onComplete: 'pr' } }, { do: 'land' }],
    ['lands when the target is free', landing, { busy: ['o'] }, undefined],
    ['lands later where the target has moved', { ...landing, notBefore: 2_000 }, {}, undefined],
    ['does not land while it is held', { ...landing, hold }, {}, undefined],
    ['does not land before its supervisor has approved it', landing, supervised, undefined],
    ['lands when its supervisor has approved it', { ...landing, decisions: approved }, supervised, { do: 'land' }],
    ['needs another approval for another round', { ...landing, round: 2, decisions: approved }, supervised, undefined],
    ['is stopped when its plan is cancelled', landing, { plan: { isCancelled: true } }, { do: 'stop' }],
  ])('%s', (_, one, more, expected) => check(look(one, more), expected));

  const seen = { overAt: 30 };
  const later = { ...ended(), startedAt: 40 };
  const open = { id: 'w:2', startedAt: 40 };
  const anew = { do: 'note', set: { state: 'running', hold: null, reason: null } };
  const merged = task({ ...seen, state: 'landing', worker, onComplete: 'merge' });
  it.each<readonly [string, Task, Partial<Work>, object | undefined]>([
    ['lands where its turn is the one that was checked', { ...landing, ...seen }, { turn: ended() }, { do: 'land' }],
    ['is checked anew after a later turn', { ...landing, ...seen }, { turn: { ...later, endedAt: 50 } }, anew],
    ['is checked anew after a turn under way', { ...landing, ...seen }, { turn: open, status: 'working' }, anew],
    ['is checked anew after a turn, though it was held', { ...landing, ...seen, hold }, { turn: open }, anew],
    ['of a task is checked anew after a later turn', merged, { turn: open }, anew],
    ['of a task is proposed only as it was checked', { ...merged, onComplete: 'pr' }, { turn: open }, anew],
    ['that is to wait is not checked anew meanwhile', { ...merged, notBefore: 2_000 }, { turn: open }, undefined],
    ['of a book that does not tell the time of its check lands', landing, { turn: ended() }, { do: 'land' }],
  ])('%s', (_, one, given, expected) => check(stepOf(one, { works: [work(given)], plans: [plan(['t'])] }), expected));

  const decided = (action: DecisionAction, key: string, prompt?: string) => ({
    [key]: { action, at: 0, ...(prompt && { prompt }) },
  });
  const held = { ...landing, hold, failures: 2 };
  const inTheWay = { ...held, hold: { ...hold, why: 'checkout_in_the_way' } } as const;
  const manyFiles = Array.from({ length: 120 }, (_, at) => `f${at}.ts`);
  const failed = job({ state: 'failed', worker, reason: 'red', failures: 1, isSeenTo: true, startedAt: 5 });
  const key = 'on_error:1.2';
  const again = { state: 'landing', hold: null, failures: 3 };
  it.each<Row>([
    [
      'that left its touch set lands when accepted',
      { ...held, touchSet: ['src/'], decisions: decided('accept', key) },
      {},
      { set: { ...again, touchSet: ['src/', ...hold.files] } },
    ],
    [
      'that left its touch set goes back to its worker',
      { ...held, decisions: decided('retry', key) },
      {},
      { set: { state: 'running', hold: null, message: { id: 't-1-3-0' } } },
    ],
    [
      'that left its touch set in many files goes back with some of them, and how many more there are',
      { ...held, hold: { ...hold, files: manyFiles }, decisions: decided('retry', key) },
      {},
      { set: { message: { text: expect.stringMatching(/: f0\.ts, .*, f19\.ts and 100 more\. Only/) } } },
    ],
    [
      'that left its touch set is not let pass by a plain word',
      { ...held, decisions: decided('continue', key) },
      {},
      undefined,
    ],
    ['that stood in the way lands again', { ...inTheWay, decisions: decided('retry', key) }, {}, { set: again }],
    [
      'that stood in the way lands again at a plain word',
      { ...inTheWay, decisions: decided('continue', key) },
      {},
      { set: again },
    ],
    [
      'is left out',
      { ...held, decisions: decided('skip', key) },
      {},
      { set: { state: 'cancelled', isSkipped: true, hold: null, endedAt: 1_000 }, tell: 'task_ended' },
    ],
    ['keeps a decision for its own moment', { ...held, decisions: decided('accept', 'on_error:1.1') }, {}, undefined],
    [
      'is sent again in place of its landing',
      { ...landing, decisions: decided('relaunch', 'pre_merge:1', 'more') },
      supervised,
      { set: { state: 'running', message: { text: 'more' } } },
    ],
    [
      'is sent again in its first words where nobody has others',
      { ...landing, decisions: { 'pre_merge:1': { action: 'relaunch', at: 9 } } },
      supervised,
      { set: { state: 'running', message: { text: expect.stringMatching(/does not do as it is[\s\S]*The task:\n/) } } },
    ],
    [
      'is left out in place of its landing',
      { ...landing, decisions: decided('skip', 'pre_merge:1') },
      supervised,
      { set: { state: 'cancelled', isSkipped: true } },
    ],
    [
      'that failed waits for room again, and for as long as at first',
      { ...failed, decisions: decided('retry', 'on_error:0.1') },
      {},
      { set: { state: 'queued', failures: 2, startedAt: null, message: { id: 't-0-2-0' }, toldAt: 1_000 } },
    ],
    [
      'that failed is sent again with what went wrong and the end of its tests',
      {
        ...{
          ...failed,
          reason: 'the tests failed twice',
          decisions: { 'on_error:0.1': { action: 'relaunch', at: 9 } },
        },
        tests: { status: 'failed', output: `${'x'.repeat(9_000)}1 failed` },
      },
      {},
      {
        set: {
          message: {
            text: expect.stringMatching(
              /^Do the task[\s\S]*the tests failed twice[\s\S]*x{1990,1999}1 failed\n\nThe task:\n/,
            ),
          },
        },
      },
    ],
    [
      'that failed is sent again with the files of its conflict, and the whole of its first prompt',
      {
        ...{ ...failed, touchSet: ['src/'], decisions: { 'on_error:0.1': { action: 'relaunch', at: 9 } } },
        clashes: [
          { with: 'page', files: ['src/a.ts', 'src/b.ts'] },
          { with: 'lane', files: ['src/c.ts'] },
        ],
      },
      {},
      {
        set: {
          message: {
            text: expect.stringMatching(
              /conflicts with what has landed in src\/a.ts, src\/b.ts \(with page\), src\/c.ts \(with lane\)\n\nThe task:\ndo t\n[\s\S]*Change only these paths/,
            ),
          },
        },
      },
    ],
    [
      'that is held is sent again with the files outside of its globs',
      { ...landing, hold, touchSet: ['src/'], decisions: { 'on_error:1.0': { action: 'relaunch', at: 9 } } },
      {},
      {
        set: {
          message: { text: expect.stringMatching(/outside of its task: b.ts. Only these paths may change: src\//) },
        },
      },
    ],
    [
      'that failed is sent again in other words',
      { ...failed, decisions: decided('relaunch', 'on_error:0.1', 'so') },
      {},
      { set: { message: { text: 'so' } } },
    ],
    ['that failed stays where nobody has decided', failed, {}, undefined],
    [
      'of a cancelled plan is not tried again',
      { ...failed, state: 'cancelled', decisions: decided('retry', 'on_error:0.1') },
      { plan: { isCancelled: true, state: 'cancelled' } },
      undefined,
    ],
    [
      'that failed is given up with its plan, whatever was decided, so that its worker is closed',
      { ...failed, decisions: decided('retry', 'on_error:0.1') },
      { plan: { isCancelled: true, state: 'cancelled' } },
      { set: { state: 'cancelled', reason: 'red', isSeenTo: false }, tell: 'task_ended' },
    ],
    [
      'that failed and is left out by an edit is given up, so that its worker is closed',
      { ...failed, isSkipped: true, isCancelled: true },
      {},
      { set: { state: 'cancelled', reason: 'left out of its plan', isSeenTo: false }, tell: 'task_ended' },
    ],
    [
      'that failed is left out with its worker to close',
      { ...failed, decisions: decided('skip', 'on_error:0.1') },
      {},
      { set: { state: 'cancelled', isSkipped: true, isSeenTo: false } },
    ],
    [
      'that was left out is not tried again',
      { ...failed, state: 'cancelled', isSkipped: true, decisions: decided('retry', 'on_error:0.1') },
      {},
      undefined,
    ],
  ])('%s', (_, one, more, expected) => check(look(one, more), expected));

  it('of a worker that nobody knows is done by another', () => {
    const message = { id: 'old', text: 'old' };
    const lost = { ...failed, message, decisions: decided('relaunch', 'on_error:0.1', 'so') };
    const step = stepOf(lost, { plans: [plan(['t'])] });
    expect(step).toMatchObject({ set: { state: 'queued', worker: null, message: null, prompt: 'so' } });
  });
});

describe('after the end', () => {
  const landed = task({ state: 'landed', worker, attempt: 1 });
  it.each<readonly [string, Task, Partial<Work> | undefined, object | undefined]>([
    ['a worker that was started for it is closed', landed, {}, { do: 'close' }],
    ['a worker that was there before stays', { ...landed, isReused: true }, {}, undefined],
    ['a worker that is to be kept stays', { ...landed, keepWorker: true }, {}, undefined],
    ['a worker is closed once', { ...landed, isSeenTo: true }, {}, undefined],
    ['nothing is left to close where it is gone', landed, { status: 'closed' }, { set: { isSeenTo: true } }],
    ['a worker that is dead already is closed, for its worktree', landed, { status: 'dead' }, { do: 'close' }],
    ['nothing is left to close where nobody knows it', landed, undefined, { set: { isSeenTo: true } }],
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
  ])('%s', (_, one, seen, expected) => check(stepOf(one, { works: seen === undefined ? [] : [work(seen)] }), expected));

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

  it('time brings a step at the next retry and at the end of a time limit, of what has not ended', () => {
    const due = (...tasks: Task[]) => nextDue(facts({ tasks, now: 1_000 }));
    expect(due(task())).toBeUndefined();
    expect(due(task({ notBefore: 900 }))).toBeUndefined();
    expect(due(task({ notBefore: 3_000 }), task({ id: 'b', timeoutMinutes: 1, startedAt: -58_500 }))).toBe(1_500);
    expect(due(task({ state: 'failed', notBefore: 3_000 }))).toBeUndefined();
  });
});
