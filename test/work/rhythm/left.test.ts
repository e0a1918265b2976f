import { expect, it } from 'vitest';
import type { Loop } from '../../../src/model/loop.ts';
import type { Schedule } from '../../../src/model/schedule.ts';
import type { Book } from '../../../src/model/task.ts';
import { leftIn } from '../../../src/work/rhythm/left.ts';
import { bookOf, plan } from '../parts.ts';

const since = Date.UTC(2026, 0, 1);
const hour = 3_600_000;
const empty = bookOf([]);
const withSchedule = (given: Partial<Schedule> = {}): Book => {
  const hourly: Schedule = {
    ...{ id: 's', crew: 'crew', project: '/p', cron: '0 * * * *', timezone: 'UTC', enters: 'task', order: {} },
    ...{ isEnabled: true, isRemoved: false, at: since, since, missed: 0, failures: 0 },
    ...given,
  };
  return { ...empty, schedules: new Map([['s', hourly]]) };
};
const withLoop = (given: Partial<Loop>): Book => {
  const loop: Loop = {
    ...{ id: 'l', crew: 'crew', project: '/p', goal: 'fast', mode: 'autopilot', maxIterations: 10, at: 0 },
    ...{ branch: 'crewmux/loop-l', base: 'main', state: 'running', iteration: 1, plans: [], failures: 0 },
    ...{ isStopping: false },
    ...given,
  };
  return { ...empty, loops: new Map([['l', loop]]) };
};

const rows: readonly (readonly [string, Book, number, ReturnType<typeof leftIn>])[] = [
  ['an empty book', empty, since, 'nothing'],
  ['a queued task', bookOf([{ id: 'a' }]), since, 'now'],
  ['a task that has ended', bookOf([{ id: 'a', state: 'done' }]), since, 'nothing'],
  ['a plan that waits for a decision', bookOf([], [plan([], { state: 'paused' })]), since, 'now'],
  ['a schedule before its time', withSchedule(), since + hour - 1, 'later'],
  ['a schedule at its time', withSchedule(), since + hour, 'now'],
  ['a schedule whose run still counts', withSchedule({ openRun: 'x' }), since, 'now'],
  ['a schedule that is not enabled', withSchedule({ isEnabled: false }), since + hour, 'nothing'],
  ['a schedule that was removed', withSchedule({ isRemoved: true }), since + hour, 'nothing'],
  ['a loop that runs', withLoop({}), since, 'now'],
  ['a loop that waits for a person', withLoop({ state: 'paused' }), since, 'later'],
  ['a loop that has ended', withLoop({ state: 'done' }), since, 'nothing'],
];

it.each(rows)('%s', (_, book, soonAt, left) => {
  expect(leftIn(book, soonAt)).toBe(left);
});
