import { describe, expect, it } from 'vitest';
import type { Book, Decision, Plan, Task } from '../../../src/model/task.ts';
import { stateOf } from '../../../src/model/task-progress.ts';
import { errorKey, isOver, isStuck } from '../../../src/model/task-state.ts';
import { planCallsOf } from '../../../src/work/judge/calls.ts';
import { checkpointsOf, shownState } from '../../../src/work/judge/checkpoint.ts';
import { shownTask } from '../../../src/work/judge/facts.ts';
import { isAtRest } from '../../../src/work/judge/next-step.ts';
import { planOf, type TaskGiven, taskOf } from '../../support/tasks.ts';

const failed: TaskGiven = { state: 'failed', failures: 1, reason: 'its turn ended with an error' };
const decided = (wish: TaskGiven, action: Decision['action']): TaskGiven => ({
  ...wish,
  decisions: { [errorKey(taskOf(wish))]: { action, at: 0 } },
});
const bookOf = (tasks: readonly Task[], plans: readonly Plan[] = []): Book => ({
  tasks: new Map(tasks.map((task) => [task.id, task])),
  plans: new Map(plans.map((plan) => [plan.id, plan])),
  schedules: new Map(),
  loops: new Map(),
});

describe('a task has ended', () => {
  it.each<[string, TaskGiven, boolean]>([
    ['when it has failed', failed, true],
    ['not while another try is decided and has not begun', decided(failed, 'retry'), false],
    ['though somebody has accepted the failure', decided(failed, 'continue'), true],
    ['when it was left out', decided({ state: 'cancelled', isSkipped: true }, 'skip'), true],
    ['not while it runs', { state: 'running' }, false],
  ])('%s', (_, wish, is) => {
    expect(isOver(taskOf(wish))).toBe(is);
  });
});

it('what is being cancelled says so before its worker has stopped', () => {
  expect(shownTask(taskOf({ state: 'running', isCancelled: true }))).toMatchObject({
    progress: { is: 'running', as: 'running' },
    reason: 'it is being cancelled',
  });
});

it('a failed task is shown as queued, without its reason, once another try is decided', () => {
  expect(shownTask(taskOf(failed))).toMatchObject({
    progress: { is: 'ended', how: 'failed' },
    reason: 'its turn ended with an error',
  });
  const again = shownTask(taskOf(decided({ ...failed, endedAt: 1 }, 'retry')));
  expect([stateOf(again), again.reason, again.endedAt]).toEqual(['queued', undefined, undefined]);
  expect(stateOf(shownTask(taskOf(decided(failed, 'skip'))))).toBe('failed');
});

describe('a failed plan', () => {
  const plan = planOf({ state: 'failed', jobs: ['t1'] });
  it.each<[string, Plan, TaskGiven, boolean]>([
    ['needs no step', plan, failed, true],
    ['needs one more when it is cancelled', { ...plan, isCancelled: true }, failed, false],
    ['needs one more when its failed job is left out', plan, { ...failed, isSkipped: true, isCancelled: true }, false],
  ])('%s', (_, one, wish, rests) => {
    const task = taskOf({ planId: one.id, isSeenTo: true, ...wish });
    expect(isAtRest({ book: bookOf([task], [one]) })).toBe(rests);
  });
});

it('a failed plan that is cancelled asks for nothing, and one with another try decided is waited for', () => {
  const plan = planOf({ state: 'failed', jobs: ['t1'] });
  const callsOf = (one: Plan, wish: TaskGiven) => planCallsOf(bookOf([taskOf({ planId: one.id, ...wish })]), one);
  expect(callsOf(plan, failed)[0]).toContain('"action":"retry"');
  expect(callsOf({ ...plan, isCancelled: true }, failed)).toEqual([]);
  expect(callsOf(plan, decided(failed, 'retry'))).toEqual(['wait_tasks {"plan_id":"p1"}']);
});

describe('a blocked task goes on only by a decision', () => {
  const last = taskOf({ id: 'last', state: 'blocked', dependsOn: ['middle'] });
  it.each<[string, TaskGiven, boolean]>([
    ['where what it needs has failed, also through another', failed, true],
    ['unless another try of that is decided', decided(failed, 'retry'), false],
    ['unless that runs again', { state: 'running' }, false],
    ['unless that has landed', { state: 'landed' }, false],
  ])('%s', (_, wish, is) => {
    const first = taskOf({ id: 'first', ...wish });
    const middle = taskOf({ id: 'middle', state: 'blocked', dependsOn: ['first'] });
    expect(isStuck(bookOf([first, middle, last]), last)).toBe(is);
  });
});

describe('a plan is shown', () => {
  const supervised = planOf({ mode: 'supervisor', jobs: ['t1'] });
  const bookWith = (plan: Plan, wish: TaskGiven) => bookOf([taskOf({ planId: plan.id, ...wish })], [plan]);
  it.each<[string, Plan, TaskGiven, string]>([
    ['as paused as soon as a checkpoint is open', supervised, { state: 'landing' }, 'paused'],
    ['as running as soon as none is', { ...supervised, state: 'paused' }, { state: 'running' }, 'running'],
    ['as failed', planOf({ state: 'failed', jobs: ['t1'] }), failed, 'failed'],
    [
      'as running once another try is decided',
      planOf({ state: 'failed', jobs: ['t1'] }),
      decided(failed, 'retry'),
      'running',
    ],
    ['as proposed', planOf({ mode: 'copilot', state: 'proposed' }), {}, 'proposed'],
  ])('%s', (_, plan, wish, state) => {
    expect(shownState(bookWith(plan, wish), plan)).toBe(state);
  });

  it('with the words that its work was sent back', () => {
    const [open] = checkpointsOf(bookWith(supervised, { state: 'landing', bounces: 1 }), supervised);
    expect(open?.why).toBe('Cart is done again after it was sent back, and its work would land on crewmux/shop-p1');
  });
});
