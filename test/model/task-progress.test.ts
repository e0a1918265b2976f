import { describe, expect, it } from 'vitest';
import { type Task, taskStates } from '../../src/model/task.ts';
import { progressOf, stateOf, type TaskStage } from '../../src/model/task-progress.ts';
import { careOf, holdOf } from '../../src/model/task-state.ts';
import { planOf, taskOf } from '../support/tasks.ts';

it.each(taskStates)('a task that callers see as %s is seen as such again', (state) => {
  expect(stateOf(taskOf({ state }))).toBe(state);
});

const message = { id: 'm', text: 'Go on.' };
const hold = { why: 'touch_set', words: 'it left it', files: ['a.ts'] } as const;
const all: Partial<Task> = { message, toldAt: 5, overAt: 9, hold, isSeenTo: true };

describe('what does not count in its state is left aside', () => {
  it.each<[Task['state'], TaskStage]>([
    ['queued', { is: 'queued', isBlocked: false, message }],
    ['blocked', { is: 'queued', isBlocked: true, message }],
    ['starting', { is: 'starting' }],
    ['running', { is: 'running', as: 'running', message, toldAt: 5 }],
    ['waiting', { is: 'running', as: 'waiting', message, toldAt: 5 }],
    ['bounced', { is: 'running', as: 'bounced', message, toldAt: 5 }],
    ['checking', { is: 'landing', isUnchecked: true, overAt: 9, hold }],
    ['landing', { is: 'landing', isUnchecked: false, overAt: 9, hold }],
    ['landed', { is: 'ended', how: 'landed', isSeenTo: true, overAt: 9 }],
    ['done', { is: 'ended', how: 'done', isSeenTo: true, overAt: 9 }],
    ['failed', { is: 'ended', how: 'failed', isSeenTo: true, overAt: 9, hold }],
    ['cancelled', { is: 'ended', how: 'cancelled', isSeenTo: true, overAt: 9 }],
  ])('of one that is %s', (state, progress) => {
    expect(progressOf(taskOf({ ...all, state }))).toEqual(progress);
  });
});

it('a book that does not say when its work ended knows of no later turn, and one that was told nothing of any', () => {
  expect(progressOf(taskOf({ state: 'landing' }))).toMatchObject({ overAt: Number.MAX_SAFE_INTEGER });
  expect(progressOf(taskOf({ state: 'running' }))).toMatchObject({ toldAt: 0 });
});

it.each<[Task['state'], boolean]>([
  ['running', false],
  ['landing', true],
  ['failed', true],
  ['cancelled', false],
])('a hold counts where the work has ended and somebody may decide: %s %s', (state, is) => {
  expect(holdOf(taskOf({ state, hold })) !== undefined).toBe(is);
});

describe('its end still asks', () => {
  const worker = { id: 'w', name: 'ada' };
  it.each<[string, Partial<Task>, ReturnType<typeof careOf>]>([
    ['for nothing before it has come', { state: 'landing' }, undefined],
    ['to keep what tells of a failure', { state: 'failed' }, 'collect'],
    ['for nothing once that is kept', { state: 'failed', isSeenTo: true }, undefined],
    ['to give up what was left out, whatever is kept', { state: 'failed', isSeenTo: true, isSkipped: true }, 'give-up'],
    ['to close the worker of what has landed', { state: 'landed' }, 'close'],
    ['for nothing where its worker was there before', { state: 'landed', isReused: true }, undefined],
    ['for nothing where a single task was cancelled', { state: 'cancelled' }, undefined],
    ['to close the worker of a job that was cancelled', { state: 'cancelled', planId: 'p1' }, 'close'],
  ])('%s', (_, wish, care) => {
    const task = taskOf({ worker, ...wish });
    const plan = planOf({ jobs: [task.id] });
    expect(careOf({ tasks: new Map([[task.id, task]]), plans: new Map([[plan.id, plan]]) }, task)).toBe(care);
  });
});
