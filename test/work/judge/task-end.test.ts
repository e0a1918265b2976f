import { describe, expect, it } from 'vitest';
import type { Work } from '../../../src/crew/api.ts';
import type { DecisionAction, Plan } from '../../../src/model/task.ts';
import { never, type TaskHold } from '../../../src/model/task-progress.ts';
import type { TaskGiven } from '../../support/tasks.ts';
import { ended, job, plan, stepOf, task, work, worker } from '../parts.ts';

type Row = readonly [
  string,
  TaskGiven,
  { readonly plan?: Partial<Plan>; readonly busy?: readonly string[] },
  object | undefined,
];

const other = job({ id: 'o', state: 'landing', worker: { id: 'v', name: 'bo' } });
const look = (one: TaskGiven, { plan: given = {}, busy = [] }: Row[2]) =>
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
  const anew = { do: 'note', set: { progress: { is: 'running', as: 'running' }, reason: null } };
  const merged = task({ ...seen, state: 'landing', worker, onComplete: 'merge' });
  it.each<readonly [string, TaskGiven, Partial<Work>, object | undefined]>([
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
  const again = { progress: { is: 'landing', isUnchecked: false, overAt: never }, failures: 3 };
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
      { set: { progress: { is: 'running', as: 'running', message: { id: 't-1-3-0' } } } },
    ],
    [
      'that left its touch set in many files goes back with some of them, and how many more there are',
      { ...held, hold: { ...hold, files: manyFiles }, decisions: decided('retry', key) },
      {},
      { set: { progress: { message: { text: expect.stringMatching(/: f0\.ts, .*, f19\.ts and 100 more\. Only/) } } } },
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
      { set: { progress: { is: 'ended', how: 'cancelled' }, isSkipped: true, endedAt: 1_000 }, tell: 'task_ended' },
    ],
    ['keeps a decision for its own moment', { ...held, decisions: decided('accept', 'on_error:1.1') }, {}, undefined],
    [
      'is sent again in place of its landing',
      { ...landing, decisions: decided('relaunch', 'pre_merge:1', 'more') },
      supervised,
      { set: { progress: { is: 'running', as: 'running', message: { text: 'more' } } } },
    ],
    [
      'is sent again in its first words where nobody has others',
      { ...landing, decisions: { 'pre_merge:1': { action: 'relaunch', at: 9 } } },
      supervised,
      {
        set: {
          progress: {
            is: 'running',
            as: 'running',
            message: { text: expect.stringMatching(/does not do as it is[\s\S]*The task:\n/) },
          },
        },
      },
    ],
    [
      'is left out in place of its landing',
      { ...landing, decisions: decided('skip', 'pre_merge:1') },
      supervised,
      { set: { progress: { is: 'ended', how: 'cancelled' }, isSkipped: true } },
    ],
    [
      'that failed waits for room again, and for as long as at first',
      { ...failed, decisions: decided('retry', 'on_error:0.1') },
      {},
      {
        set: {
          progress: { is: 'queued', isBlocked: false, next: { message: { id: 't-0-2-0' }, toldAt: 1_000 } },
          failures: 2,
          startedAt: null,
        },
      },
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
          progress: {
            next: {
              message: {
                text: expect.stringMatching(
                  /^Do the task[\s\S]*the tests failed twice[\s\S]*x{1990,1999}1 failed\n\nThe task:\n/,
                ),
              },
            },
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
          progress: {
            next: {
              message: {
                text: expect.stringMatching(
                  /conflicts with what has landed in src\/a.ts, src\/b.ts \(with page\), src\/c.ts \(with lane\)\n\nThe task:\ndo t\n[\s\S]*Change only these paths/,
                ),
              },
            },
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
          progress: {
            message: { text: expect.stringMatching(/outside of its task: b.ts. Only these paths may change: src\//) },
          },
        },
      },
    ],
    [
      'that failed is sent again in other words',
      { ...failed, decisions: decided('relaunch', 'on_error:0.1', 'so') },
      {},
      { set: { progress: { next: { message: { text: 'so' } } } } },
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
      { set: { progress: { is: 'ended', how: 'cancelled', isSeenTo: false }, reason: 'red' }, tell: 'task_ended' },
    ],
    [
      'that failed and is left out by an edit is given up, so that its worker is closed',
      { ...failed, isSkipped: true, isCancelled: true },
      {},
      {
        set: { progress: { is: 'ended', how: 'cancelled', isSeenTo: false }, reason: 'left out of its plan' },
        tell: 'task_ended',
      },
    ],
    [
      'that failed is left out with its worker to close',
      { ...failed, decisions: decided('skip', 'on_error:0.1') },
      {},
      { set: { progress: { is: 'ended', how: 'cancelled', isSeenTo: false }, isSkipped: true } },
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
    expect(step).toMatchObject({ set: { progress: { is: 'queued', isBlocked: false }, worker: null, prompt: 'so' } });
  });
});
