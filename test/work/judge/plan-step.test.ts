import { describe, expect, it } from 'vitest';
import type { DecisionAction, Plan, Task } from '../../../src/model/task.ts';
import type { TaskHold } from '../../../src/model/task-progress.ts';
import { actionsAt, checkpointsOf } from '../../../src/work/judge/checkpoint.ts';
import { planStep } from '../../../src/work/judge/plan-step.ts';
import { bookOf, facts, job, plan, worker } from '../parts.ts';

const hold: TaskHold = { why: 'touch_set', words: 'ada changes b.ts, outside of src/.', files: ['b.ts'] };
const by = (key: string, action: DecisionAction = 'continue') => ({ decisions: { [key]: { action, at: 0 } } });
const step = (given: Partial<Plan>, jobs: readonly Task[], busy: readonly string[] = []) => {
  const one = plan(
    jobs.map(({ id }) => id),
    given,
  );
  return planStep(facts({ tasks: jobs, plans: [one], busy }), one);
};

const a = job({ id: 'a' });
const landed = job({ id: 'a', state: 'landed' });
const failed = job({ id: 'a', state: 'failed', reason: 'red' });
const blocked = job({ id: 'b', state: 'blocked', dependsOn: ['a'] });
const supervisor = { mode: 'supervisor' } as const;
const planHold = { hold: { why: 'other', words: 'in the way', files: [] } } as const;

describe('a plan', () => {
  it.each<[string, Partial<Plan>, readonly Task[], object | undefined]>([
    ['runs while its jobs do', {}, [a], undefined],
    ['does not start before it is approved', { state: 'proposed', mode: 'copilot' }, [a], undefined],
    [
      'starts when it is approved',
      { state: 'proposed', mode: 'copilot', ...by('start') },
      [a],
      { set: { state: 'running' }, tell: 'plan_started' },
    ],
    [
      'is paused at a checkpoint',
      supervisor,
      [failed, job({ id: 'c' })],
      { set: { state: 'paused', reason: 'a failed: red' }, tell: 'plan_checkpoint' },
    ],
    [
      'says once that it is paused',
      { ...supervisor, state: 'paused', reason: 'a failed: red' },
      [failed, job({ id: 'c' })],
      undefined,
    ],
    [
      'is not complete while a job that is left out is still at work',
      { onComplete: 'none' },
      [landed, job({ id: 'b', state: 'landing', worker, isSkipped: true, isCancelled: true })],
      undefined,
    ],
    [
      'goes on with a job that came as it was completed',
      { state: 'completed', endedAt: 5 },
      [landed, job({ id: 'b' })],
      { set: { state: 'running', endedAt: null, reason: null } },
    ],
    ['goes on from a checkpoint', { state: 'paused', reason: 'x' }, [a], { set: { state: 'running', reason: null } }],
    [
      'is paused by a job that left its touch set, in autopilot too',
      {},
      [job({ id: 'a', state: 'landing', hold })],
      { set: { state: 'paused', reason: `a: ${hold.words}` } },
    ],
    ['goes on beside a failure while anything else can', {}, [failed, blocked, job({ id: 'c' })], undefined],
    ['goes on beside a bounced job', {}, [failed, job({ id: 'c', state: 'bounced', worker })], undefined],
    [
      'fails when nothing can go on',
      {},
      [failed, blocked, job({ id: 'c', state: 'blocked', dependsOn: ['b'] })],
      { set: { state: 'failed', reason: 'a failed: red', endedAt: 1_000 }, tell: 'plan_ended' },
    ],
    ['stays failed', { state: 'failed' }, [failed, blocked], undefined],
    [
      'is open again when a job is tried again',
      { state: 'failed' },
      [job({ ...failed, state: 'queued' }), blocked],
      { set: { state: 'running', endedAt: null } },
    ],
    [
      'is open again when the failed job is left out',
      { state: 'failed' },
      [{ ...failed, isSkipped: true }, blocked],
      { set: { state: 'running' } },
    ],
    [
      'without anything to do at its end is completed',
      { onComplete: 'none' },
      [landed],
      { set: { state: 'completed', endedAt: 1_000 }, tell: 'plan_ended' },
    ],
    [
      'is completed where all was left out',
      { onComplete: 'none' },
      [{ ...a, isSkipped: true }],
      { set: { state: 'completed' } },
    ],
    ['lands when its jobs have', {}, [landed], { set: { state: 'landing' } }],
    ['lands its branch', { state: 'landing' }, [landed], { do: 'finish' }],
    ['lands once at a time', { state: 'landing' }, [landed], undefined],
    [
      'stops before it lands under a supervisor',
      { ...supervisor, state: 'landing' },
      [landed],
      { set: { state: 'paused', reason: 'cart is done, and lane would land on main' } },
    ],
    [
      'stops before its pull request under a supervisor',
      { ...supervisor, state: 'landing', onComplete: 'pr' },
      [landed],
      { set: { state: 'paused', reason: 'cart is done, and lane would be pushed and proposed to main' } },
    ],
    [
      'lands when its supervisor has approved that',
      { ...supervisor, state: 'paused', ...by('pre_merge:0') },
      [landed],
      { set: { state: 'landing' } },
    ],
    [
      'stays on its branch where its supervisor wants that',
      { ...supervisor, state: 'paused', ...by('pre_merge:0', 'skip') },
      [landed],
      { set: { onComplete: 'none' } },
    ],
    [
      'that could not land is paused',
      { state: 'landing', ...planHold },
      [landed],
      { set: { state: 'paused', reason: 'in the way' }, tell: 'plan_checkpoint' },
    ],
    ['that could not land says so once', { state: 'paused', reason: 'in the way', ...planHold }, [landed], undefined],
    [
      'that could not land is tried again, in another round',
      { state: 'paused', ...planHold, ...by('on_error:0', 'retry') },
      [landed],
      { set: { hold: null, round: 1, state: 'landing' } },
    ],
    [
      'that could not land ends as it is',
      { state: 'paused', ...planHold, ...by('on_error:0', 'skip') },
      [landed],
      { set: { hold: null, onComplete: 'none' } },
    ],
    [
      'is cancelled when its jobs have stopped',
      { isCancelled: true },
      [landed, { ...failed, id: 'b' }],
      { set: { state: 'cancelled', hold: null, endedAt: 1_000 }, tell: 'plan_ended' },
    ],
    ['is not cancelled before its jobs have stopped', { isCancelled: true }, [a], undefined],
    [
      'that has failed can be cancelled',
      { isCancelled: true, state: 'failed' },
      [failed],
      { set: { state: 'cancelled' } },
    ],
    ['is cancelled once', { isCancelled: true, state: 'cancelled' }, [landed], undefined],
    ['that is completed has no step', { state: 'completed' }, [landed], undefined],
  ])('%s', (title, given, jobs, expected) => {
    const got = step(given, jobs, title === 'lands once at a time' ? ['p'] : []);
    if (expected === undefined) expect(got).toBeUndefined();
    else expect(got).toMatchObject(expected);
  });
});

describe('checkpoints', () => {
  const open = (given: Partial<Plan>, ...jobs: readonly Task[]) => {
    const one = plan(
      jobs.map(({ id }) => id),
      given,
    );
    return checkpointsOf(bookOf(jobs, [one]), one).map(({ at, key, job: of, why }) => [at, of?.id, key, why].join(' '));
  };
  const landing = job({ id: 'b', state: 'landing', round: 1, evidence: { claimed: true, commits: ['c', 'd'] } });

  it('open at the start in copilot alone', () => {
    const words = 'start  start the plan cart runs in copilot mode, so nothing starts before it is approved';
    expect(open({ mode: 'copilot', state: 'proposed' }, a)).toEqual([words]);
    expect(open({ mode: 'copilot', state: 'proposed', ...by('start') }, a)).toEqual([]);
    expect(open({ mode: 'copilot' }, failed, landing)).toEqual([]);
    expect(open({ mode: 'autopilot', state: 'proposed' }, a)).toEqual([]);
  });

  it('open at every error and before every merge under a supervisor, errors first', () => {
    expect(open(supervisor, landing, failed)).toEqual([
      'on_error a on_error:0.0 a failed: red',
      'pre_merge b pre_merge:1 b is done, and 2 commits would land on lane',
    ]);
    expect(open({}, landing, failed)).toEqual([]);
  });

  it('close with one decision, for one moment', () => {
    expect(open(supervisor, { ...landing, ...by('pre_merge:1') })).toEqual([]);
    expect(open(supervisor, { ...landing, round: 2, ...by('pre_merge:1') })).toHaveLength(1);
    expect(open(supervisor, { ...failed, failures: 2, ...by('on_error:0.1') })).toHaveLength(1);
  });

  it('open in every mode at a job that left its touch set, with the files and the globs', () => {
    for (const mode of ['autopilot', 'copilot', 'supervisor'] as const)
      expect(open({ mode }, job({ ...landing, hold }))).toEqual([`on_error b on_error:1.0 b: ${hold.words}`]);
  });

  it('are none of a job that was left out, and none of a plan that has ended', () => {
    expect(open(supervisor, { ...failed, isSkipped: true }, job({ id: 'c' }))).toEqual([]);
    for (const state of ['completed', 'failed', 'cancelled'] as const)
      expect(open({ ...supervisor, state }, failed)).toEqual([]);
    expect(open({ ...supervisor, isCancelled: true }, failed)).toEqual([]);
  });

  it('are seen while the plan is paused at them', () => {
    const words = 'pre_pr  pre_pr:0 cart is done, and lane would be pushed and proposed to main';
    for (const state of ['landing', 'paused'] as const)
      expect(open({ ...supervisor, state, onComplete: 'pr' }, landed)).toEqual([words]);
    expect(open({ ...supervisor, state: 'paused', onComplete: 'none' }, landed)).toEqual([]);
  });

  it('let only that be decided which goes on from there', () => {
    const other = job({ ...landing, hold: { ...hold, why: 'other' } });
    expect([
      actionsAt({ at: 'start' }),
      actionsAt({ at: 'pre_merge' }),
      actionsAt({ at: 'on_error' }),
      actionsAt({ at: 'pre_merge', job: landing }),
      actionsAt({ at: 'on_error', job: job({ ...landing, hold }) }),
      actionsAt({ at: 'on_error', job: other }),
    ]).toEqual([
      ['continue'],
      ['continue', 'skip'],
      ['retry', 'skip'],
      ['continue', 'relaunch', 'skip'],
      ['accept', 'retry', 'relaunch', 'skip'],
      ['retry', 'relaunch', 'skip', 'continue'],
    ]);
  });
});
