import { expect, it } from 'vitest';
import type { Schedule } from '../../../src/model/schedule.ts';
import type { Book } from '../../../src/model/task.ts';
import type { DigestEntry } from '../../../src/wire/digest.ts';
import type { EventView } from '../../../src/wire/events.ts';
import { restingIn, skippedIn } from '../../../src/work/verbs/digest-schedules.ts';
import { bookOf } from '../parts.ts';

const since = Date.parse('2030-01-31T00:00:00Z');
const iso = (at: number) => new Date(at).toISOString();

const nightly: Schedule = {
  ...{ id: 's1', crew: 'crew', project: '/p', cron: '0 2 * * *', timezone: 'UTC', enters: 'task' },
  ...{ order: { title: 'Update' }, isEnabled: true, isRemoved: false, at: 0, since: 0, missed: 0, failures: 0 },
};
const withSchedule = (given: Partial<Schedule> = {}): Book => ({
  ...bookOf([]),
  schedules: new Map([['s1', { ...nightly, ...given }]]),
});

const passed = (afterMs: number, outcome: string, type = 'schedule_passed'): EventView => ({
  ...{ seq: 1, ts: iso(since), type, worker_id: 's1' },
  data: { schedule_id: 's1', due: iso(since + afterMs), outcome, reason: `why ${outcome}` },
});
const brief = (entries: readonly DigestEntry[]) =>
  entries.map(({ what, why, nextCalls }) => [what, why, ...nextCalls].join(' > '));

it('times of a schedule stand in a line for each way in which nothing was entered; a late start is none', () => {
  const events = [
    passed(1, 'nothing_to_do'),
    passed(2, 'nothing_to_do'),
    passed(3, 'deferred'),
    passed(3, 'fired', 'schedule_fired'),
    passed(4, 'skipped'),
  ];
  expect(brief(skippedIn(withSchedule(), { since, events }))).toEqual([
    'schedule Update [s1]: nothing to do, 2 times > why nothing_to_do > schedule_task {"action":"list"}',
    'schedule Update [s1]: skipped > why skipped > schedule_task {"action":"list"}',
  ]);
  expect(skippedIn(withSchedule({ isRemoved: true }), { since, events })).toEqual([]);
});

it('the book knows the last time that the log has lost, and a schedule that rests', () => {
  const lastRun = { at: since, outcome: 'missed', reason: 'nobody was there' } as const;
  const book = withSchedule({ lastRun, isEnabled: false, pausedBecause: '3 runs in a row failed' });
  expect(brief(skippedIn(book, { since, events: [] }))).toEqual([
    'schedule Update [s1]: missed > nobody was there > schedule_task {"action":"list"}',
  ]);
  expect(brief(restingIn(book))).toEqual([
    'schedule Update [s1] is paused > 3 runs in a row failed > schedule_task {"action":"enable","id":"s1"}',
  ]);
  expect(skippedIn(book, { since: since + 1, events: [] })).toEqual([]);
  expect(restingIn(withSchedule())).toEqual([]);
});
