import { describe, expect, it } from 'vitest';
import type { Schedule } from '../../../src/model/schedule.ts';
import { emptyBook, type Plan } from '../../../src/model/task.ts';
import { type BookChange, foldLines } from '../../../src/store/job-book.ts';
import { nextLook, nextScheduleStep } from '../../../src/work/rhythm/owed.ts';
import { boardLines } from '../../../src/work/verbs/board.ts';
import type { TaskGiven } from '../../support/tasks.ts';
import { bookOf, plan, task } from '../parts.ts';

const at = (iso: string) => Date.parse(`2026-03-${iso}Z`);
const made = at('02T12:00');

const scheduleOf = (given: Partial<Schedule> = {}): Schedule => ({
  ...{ id: 's', crew: 'crew', project: '/p', cron: '0 3 * * *', timezone: 'UTC', enters: 'task' },
  ...{ order: { title: 'Nightly', prompt: 'Do it.' }, isEnabled: true, isRemoved: false },
  ...{ at: made, since: made, missed: 0, failures: 0 },
  ...given,
});

interface Given {
  readonly schedule?: Partial<Schedule>;
  readonly task?: TaskGiven;
  readonly plan?: Partial<Plan>;
}

const bookWith = ({ schedule = {}, task: entered, plan: planned }: Given) => {
  const one = scheduleOf(schedule);
  const plans = planned === undefined ? [] : [plan([], { id: 'e1', ...planned })];
  const book = bookOf(entered === undefined ? [] : [task({ id: 'e1', title: 'Nightly', ...entered })], plans);
  return { ...book, schedules: new Map([[one.id, one]]) };
};

const stepAt = (now: number, given: Given = {}, busy: readonly string[] = []) =>
  nextScheduleStep({ now, book: bookWith(given), busy: new Set(busy) });

describe('what is owed', () => {
  it.each([
    ['nothing before the first time', '03T02:59', {}, undefined],
    ['nothing while its check runs', '03T03:00', { busy: ['s'] }, undefined],
    ['nothing of one that is disabled', '03T03:00', { schedule: { isEnabled: false } }, undefined],
    ['nothing of one that is removed', '03T03:00', { schedule: { isRemoved: true } }, undefined],
    ['nothing that is recorded', '03T03:10', { schedule: { since: at('03T03:00') } }, undefined],
    ['nothing where the clock was set back', '01T04:00', {}, undefined],
    ['a time that has come', '03T03:00', {}, { do: 'fire', occurrence: { at: at('03T03:00'), older: 0 } }],
    [
      'the newest of several, and how many were before it',
      '06T09:00',
      {},
      {
        do: 'fire',
        occurrence: { at: at('06T03:00'), older: 3 },
      },
    ],
    [
      'nothing of a deferred one before its next try',
      '03T03:01',
      { schedule: { notBefore: at('03T03:02') } },
      undefined,
    ],
    ['a deferred one at its next try', '03T03:02', { schedule: { notBefore: at('03T03:02') } }, { do: 'fire' }],
  ] as const)('is %s', (_, now, { busy = [], ...given }: Given & { busy?: readonly string[] }, expected) => {
    const step = stepAt(at(now), given, busy);
    if (expected === undefined) expect(step).toBeUndefined();
    else expect(step).toMatchObject(expected);
  });

  it('is never one that is more than a day late: it is missed, with those before it', () => {
    const weekly = { cron: '0 3 * * 1', since: at('01T00:00') };
    expect(stepAt(at('03T03:00'), { schedule: weekly })).toMatchObject({ do: 'fire' });
    expect(stepAt(at('10T03:01'), { schedule: weekly })).toMatchObject({
      ...{ do: 'note-schedule', tell: 'schedule_passed' },
      set: { since: at('09T03:00'), missed: 2, lastRun: { at: at('09T03:00'), outcome: 'missed' } },
    });
  });
});

describe('while the last run goes on', () => {
  const since = at('02T12:00');
  it.each([
    ['a task at work', { task: { state: 'running' } }, 'task Nightly (e1), still goes: it is running'],
    ['a task that waits for somebody', { task: { state: 'waiting' } }, 'it is waiting'],
    [
      'a plan at a checkpoint',
      { plan: { state: 'paused' }, schedule: { enters: 'plan' } },
      'plan cart (e1), still goes',
    ],
  ] as const)('the next is skipped, and the reason names it: %s', (_, given: Given, words) => {
    const step = stepAt(at('03T03:00'), { ...given, schedule: { ...given.schedule, openRun: 'e1', since } });
    expect(step).toMatchObject({ set: { since: at('03T03:00'), missed: 0, lastRun: { outcome: 'skipped' } } });
    expect(JSON.stringify(step)).toContain(words);
  });
});

describe('the end of a run', () => {
  const openRun = 'e1';
  it.each([
    ['a good one ends a row of failures', { task: { state: 'done' } }, { openRun: null, failures: 0 }],
    ['a cancelled one counts for nothing', { task: { state: 'cancelled' } }, { openRun: null }],
    ['one that is in no book counts for nothing', {}, { openRun: null }],
    ['a failed plan is a failure', { plan: { state: 'failed', reason: 'red' } }, { openRun: null, failures: 3 }],
  ] as const)('%s', (_, given: Given, set) => {
    const step = stepAt(made, { ...given, schedule: { openRun, failures: 2 } });
    expect(step).toMatchObject({ do: 'note-schedule', set });
  });

  it('that is the third failure in a row pauses it and is told, and is counted though it is disabled', () => {
    const failing = { task: { state: 'failed', reason: 'the tests are red' } } as const;
    expect(stepAt(made, { ...failing, schedule: { openRun, failures: 1 } })).toMatchObject({ set: { failures: 2 } });
    expect(stepAt(made, { ...failing, schedule: { openRun, failures: 2 } })).toEqual({
      ...{ do: 'note-schedule', schedule: scheduleOf({ openRun, failures: 2 }), tell: 'schedule_paused' },
      set: {
        ...{ openRun: null, failures: 3, isEnabled: false },
        pausedBecause: '3 runs in a row failed, the last: the tests are red',
      },
    });
    const resting = stepAt(made, { ...failing, schedule: { openRun, failures: 2, isEnabled: false } });
    expect(resting).toMatchObject({ set: { openRun: null, failures: 3 } });
  });
});

it('while the project is paused an occurrence is deferred, and noted once', () => {
  const given = { now: at('03T03:00'), busy: new Set<string>() };
  const book = { ...bookWith({}), pausedAt: 1 };
  expect(nextScheduleStep({ ...given, book })).toMatchObject({
    set: { lastRun: { at: at('03T03:00'), outcome: 'deferred' }, notBefore: at('03T03:01') },
  });
  const lastRun = { at: at('03T03:00'), outcome: 'deferred' } as const;
  expect(nextScheduleStep({ ...given, book: { ...bookWith({ schedule: { lastRun } }), pausedAt: 1 } })).toBeUndefined();
  expect(nextLook({ ...given, book })).toBe(at('03T03:01'));
});

it('what was put off for a day is missed for that reason, and not for want of a server', () => {
  const reason = 'the project is paused; crewmux tries it again each minute';
  const lastRun = { at: at('03T03:00'), outcome: 'deferred', reason } as const;
  const missed = (given: Partial<Schedule>) => stepAt(at('04T03:01'), { schedule: { cron: '0 3 * * 2', ...given } });
  expect(missed({ lastRun })).toMatchObject({
    set: { lastRun: { outcome: 'missed', reason: 'put off for 24 hours: the project is paused' } },
  });
  expect(missed({ lastRun: { ...lastRun, at: at('01T03:00') } })).toMatchObject({
    set: { lastRun: { reason: expect.stringContaining('no server was there') } },
  });
});

it('schedules are looked at when one is due, and each minute, since a timer does not count a sleep', () => {
  const look = (given: Given, now: string) => nextLook({ now: at(now), book: bookWith(given), busy: new Set() });
  expect(look({}, '03T02:00')).toBe(at('03T02:01'));
  expect(look({}, '03T02:59:30')).toBe(at('03T03:00'));
  expect(look({ schedule: { isEnabled: false } }, '03T02:00')).toBeUndefined();
});

it('a schedule is read from the book with what was laid over it, and one line has it with what it entered', () => {
  const read = (book: typeof emptyBook, change: BookChange) => foldLines(book, [JSON.stringify({ v: 3, ...change })]);
  const born = read(emptyBook, { schedules: [scheduleOf({ check: 'true', pausedBecause: 'x' })] });
  const lastRun = { at: made, outcome: 'fired', taskId: 'e1' } as const;
  const fired = read(born, { tasks: [task({ id: 'e1' })], schedules: [{ id: 's', lastRun, pausedBecause: null }] });
  expect(fired.schedules.get('s')).toEqual(scheduleOf({ check: 'true', lastRun }));
  expect(fired.tasks.has('e1')).toBe(true);
});

it('the board has the next run of any, by the clocks of its zone, and each schedule that is paused', () => {
  const of = (given: Partial<Schedule>) => scheduleOf({ timezone: 'Europe/Berlin', ...given });
  const schedules = [
    of({}),
    of({ id: 'soon', cron: '30 2 * * *', order: { goal: 'Sell a cart.\nIn euros.' } }),
    of({ id: 'red', isEnabled: false, pausedBecause: '3 runs in a row failed' }),
    of({ id: 'gone', cron: '* * * * *', isRemoved: true, pausedBecause: 'x' }),
  ];
  const book = { ...emptyBook, schedules: new Map(schedules.map((one) => [one.id, one])) };
  expect(boardLines(book)).toEqual([
    'schedule: Nightly (red) is paused: 3 runs in a row failed',
    'schedule: next run 2026-03-03 02:30 Europe/Berlin: Sell a cart. In euros.',
  ]);
});
