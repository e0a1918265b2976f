import { describe, expect, it } from 'vitest';
import { emptyBook, type Plan } from '../../../src/model/task.ts';
import { foldLines } from '../../../src/store/job-book.ts';
import { nextStep } from '../../../src/work/judge/next-step.ts';
import { pauseWords, planPauseWords } from '../../../src/work/judge/pause.ts';
import type { TaskGiven } from '../../support/tasks.ts';
import { ended, facts, type Given, job, plan, task, work, worker } from '../parts.ts';

const paused = (given: Given) => {
  const known = facts(given);
  return { ...known, book: { ...known.book, pausedAt: 5 } };
};

const over = { worker, attempt: 1, round: 1 };
const landing = task({ ...over, state: 'landing', onComplete: 'merge' });
const next = { message: { id: 'm', text: 'go' }, toldAt: 0 };
const whole = (given: Partial<Plan>): Given => ({
  plans: [plan(['t'], { state: 'landing', ...given })],
  tasks: [job({ ...over, state: 'landed', isSeenTo: true })],
});

describe('while the project is paused', () => {
  it.each<[string, Given, object]>([
    ['a queued task', { tasks: [task()] }, { set: { progress: { is: 'starting' } } }],
    [
      'a failed task that is tried again',
      { tasks: [task({ ...over, progress: { is: 'queued', isBlocked: false, next } })] },
      { set: { progress: { is: 'running' } } },
    ],
    ['a job', { tasks: [job()], plans: [plan(['t'])] }, { set: { progress: { is: 'starting' } } }],
    ['finished work', { tasks: [landing] }, { do: 'land' }],
    ['finished work to be proposed', { tasks: [{ ...landing, onComplete: 'pr' }] }, { do: 'propose' }],
    ['a finished job', { tasks: [job({ ...over, state: 'landing' })], plans: [plan(['t'])] }, { do: 'land' }],
    ['a plan whose jobs have landed', whole({}), { do: 'finish' }],
  ])('%s waits, and goes on after it', (_, given, step) => {
    expect(nextStep(paused(given))).toBeUndefined();
    expect(nextStep(facts(given))).toMatchObject(step);
  });

  const at = (given: TaskGiven) => task({ ...over, state: 'running', startedAt: 0, ...given });
  const bad = task({ id: 'bad', state: 'failed', isSeenTo: true });
  it.each<[string, Given, object]>([
    ['work that ends is looked at', { tasks: [at({})], works: [work({ turn: ended() })] }, { do: 'note' }],
    ['what its work has left is looked at', { tasks: [at({ state: 'checking' })], works: [work()] }, { do: 'check' }],
    [
      'a worker is told what sent its work back',
      { tasks: [at({ message: next.message })], works: [work()] },
      { do: 'send' },
    ],
    ['a cancelled one stops', { tasks: [at({ isCancelled: true })], works: [work()] }, { do: 'stop' }],
    ['the worker of an ended one is closed', { tasks: [at({ state: 'landed' })], works: [work()] }, { do: 'close' }],
    [
      'a task is blocked by what fails',
      { tasks: [bad, task({ dependsOn: ['bad'] })] },
      { set: { progress: { isBlocked: true } } },
    ],
    [
      'a start that a killed server has begun has its worker',
      { tasks: [task({ state: 'starting', attempt: 1 })], works: [work({ task: { id: 't', attempt: 1 } })] },
      { set: { progress: { is: 'running' }, worker } },
    ],
    [
      'a start that a killed server has only noted leaves its place to others',
      { tasks: [task({ state: 'starting', attempt: 1 })] },
      { set: { progress: { is: 'queued', isBlocked: false }, attempt: 0 } },
    ],
  ])('%s', (_, given, step) => {
    expect(nextStep(paused(given))).toMatchObject(step);
  });

  it('a ready task does not hold up what another needs', () => {
    const tasks = [task({ id: 'ready', priority: 10 }), at({ isCancelled: true })];
    expect(nextStep(paused({ tasks, works: [work()] }))).toMatchObject({ do: 'stop' });
  });
});

const hold = { why: 'other', words: 'no', files: [] } as const;
it.each<[string, TaskGiven, string | undefined]>([
  ['queued', {}, 'start'],
  ['held for a call', { isHeld: true }, undefined],
  ['blocked', { state: 'blocked' }, undefined],
  ['at work', { state: 'running' }, undefined],
  ['unchecked', { state: 'checking' }, undefined],
  ['finished', { state: 'landing' }, 'land'],
  ['held in its landing', { state: 'landing', hold }, undefined],
  ['ended', { state: 'landed' }, undefined],
])('a pause is the reason of a task that is %s: %j %s', (_, given, act) => {
  const words = act && `the project is paused since 1970-01-01T00:00:00.005Z, so this does not ${act}`;
  expect(pauseWords({ pausedAt: 5 }, task(given))).toBe(words);
  expect(pauseWords({}, task(given))).toBeUndefined();
  const whose = plan([], { state: act === 'land' ? 'landing' : 'running' });
  expect(planPauseWords({ ...emptyBook, pausedAt: 5 }, whose)).toBe(act === 'land' ? words : undefined);
});

it('a pause is the reason of a plan whose planner it holds', () => {
  const made = plan([], { state: 'proposed', planner: 't' });
  const book = facts({ tasks: [task({ plansFor: 'p' })], plans: [made] }).book;
  expect(planPauseWords({ ...book, pausedAt: 5 }, made)).toMatch(/so this does not start$/);
  expect(planPauseWords(book, made)).toBeUndefined();
  const begun = facts({ tasks: [task({ plansFor: 'p', state: 'running' })], plans: [made] }).book;
  expect(planPauseWords({ ...begun, pausedAt: 5 }, made)).toBeUndefined();
});

it('a book keeps the pause that its last line names, and lines of tasks leave it as it is', () => {
  const line = (fields: object) => JSON.stringify({ v: 3, ...fields });
  const pausedAt = (...lines: readonly object[]) => foldLines(emptyBook, lines.map(line)).pausedAt;
  expect(pausedAt({ pausedAt: 5 }, { tasks: [task()] })).toBe(5);
  expect(pausedAt({ pausedAt: 5 }, { pausedAt: null })).toBeUndefined();
  expect(pausedAt({ pausedAt: 5 }, { pausedAt: 'now' })).toBe(5);
  expect(foldLines(foldLines(emptyBook, [line({ pausedAt: 5 })]), [line({})]).pausedAt).toBe(5);
});
