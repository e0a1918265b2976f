import { describe, expect, it } from 'vitest';
import { emptyBook } from '../../src/model/task.ts';
import { stateOf, type TaskState, taskStates } from '../../src/model/task-progress.ts';
import { careOf, holdOf } from '../../src/model/task-state.ts';
import { planOf, type TaskGiven, taskOf } from '../support/tasks.ts';

it.each(taskStates)('a task that callers see as %s is seen as such again', (state) => {
  expect(stateOf(taskOf({ state }))).toBe(state);
});

const hold = { why: 'touch_set', words: 'it left it', files: ['a.ts'] } as const;

it.each<[TaskState, boolean]>([
  ['running', false],
  ['landing', true],
  ['failed', true],
  ['cancelled', false],
])('a hold counts where the work has ended and somebody may decide: %s %s', (state, is) => {
  expect(holdOf(taskOf({ state, hold })) !== undefined).toBe(is);
});

describe('its end still asks', () => {
  const worker = { id: 'w', name: 'ada' };
  it.each<[string, TaskGiven, ReturnType<typeof careOf>]>([
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
    expect(careOf({ ...emptyBook, tasks: new Map([[task.id, task]]), plans: new Map([[plan.id, plan]]) }, task)).toBe(
      care,
    );
  });
});
