// A week of schedules in a second: two servers that are killed, a machine that sleeps, a disk that is full, clocks that move.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { nextTime } from '../../../src/work/rhythm/cron.ts';
import { begin, hour, Machine, minute, scheduleOf, type Week } from './machine.ts';

const ran = (week: Week) => new Machine(week).run();
const duesOf = ({ entries }: Machine, id = 's') =>
  entries.filter((one) => one.schedule === id).map(({ due }) => new Date(due).toISOString().slice(5, 16));

it('nights of a week in which the clocks are moved fire once each, by the clocks', async () => {
  const week = await ran({ schedules: [scheduleOf('s', '30 2 * * *')] });
  expect(duesOf(week)).toEqual(
    ['27T01:30', '28T01:30', '29T01:00', '30T00:30', '31T00:30']
      .map((day) => `03-${day}`)
      .concat('04-01T00:30', '04-02T00:30'),
  );
  expect(week.entries.every(({ at, due }) => at - due < minute)).toBe(true);
});

it('after a sleep the newest missed run alone is made up, and after a longer one none', async () => {
  const isAsleep = [
    { from: begin + 10 * minute, to: begin + 5 * hour + 20 * minute },
    { from: begin + 48 * hour, to: begin + 100 * hour },
  ];
  const weekly = scheduleOf('weekly', '0 15 27 * *');
  const hourly = await ran({ schedules: [scheduleOf('s', '0 * * * *'), weekly], isAsleep });
  const [first, second] = hourly.entries.filter(({ schedule }) => schedule === 's');
  expect([first, second].map((one) => ((one?.at ?? 0) - begin) / hour)).toEqual([5 + 1 / 3, 6]);
  expect(hourly.book.schedules.get('s')?.missed).toBe(4 + 52);
  const missed = await ran({ schedules: [scheduleOf('late', '0 15 28 * *')], isAsleep });
  expect(missed.entries).toEqual([]);
  expect(missed.book.schedules.get('late')).toMatchObject({ missed: 1, lastRun: { outcome: 'missed' } });
});

it('a run that goes on for two hours lets each second hour pass', async () => {
  const week = await ran({ schedules: [scheduleOf('s', '0 * * * *')], takesMs: 119 * minute });
  expect(week.entries.length).toBe(84);
  expect(week.book.schedules.get('s')?.missed).toBe(0);
});

it('a full disk loses nothing that is tried again in time, and makes nothing of it twice', async () => {
  const isFull = [{ from: begin + 14 * hour, to: begin + 17 * hour + 30_000 }];
  const week = await ran({ schedules: [scheduleOf('s', '30 3 * * *')], isFull });
  expect(duesOf(week).length).toBe(7);
  const [first] = week.entries;
  expect(((first?.at ?? 0) - begin) / hour).toBeCloseTo(17, 1);
});

it('a check that does not agree enters nothing, and says what it said last', async () => {
  const week = await ran({ schedules: [scheduleOf('s', '0 3 * * *', { check: 'test' })], exitCode: () => 1 });
  expect([week.entries.length, week.checks]).toEqual([0, 7]);
  expect(week.book.schedules.get('s')?.lastRun).toMatchObject({
    ...{ outcome: 'nothing_to_do', reason: 'its check ended with 1: nothing new' },
  });
});

it('three failures in a row pause it', async () => {
  const week = await ran({
    schedules: [scheduleOf('s', '0 * * * *')],
    ends: (run) => (run === 2 || run > 3 ? 'failed' : 'done'),
  });
  expect(week.entries.length).toBe(6);
  expect(week.book.schedules.get('s')).toMatchObject({
    ...{ isEnabled: false, failures: 3, pausedBecause: '3 runs in a row failed, the last: it was red' },
  });
});

const spans = (longest: number) =>
  fc
    .tuple(fc.integer({ min: 0, max: 60 * 60 }), fc.integer({ min: 1, max: longest * 60 }))
    .map(([from, length]) => ({ from: begin + from * minute, to: begin + (from + length) * minute + 7_000 }));

it('whatever happens, each occurrence is entered once at most, in time, and never beside another run', async () => {
  const week = fc.record({
    isAsleep: fc.array(spans(40), { maxLength: 2 }),
    isFull: fc.array(spans(4), { maxLength: 2 }),
    takesMs: fc.constantFrom(0, 30 * minute, 5 * hour),
    kills: fc.uniqueArray(
      fc.tuple(fc.integer({ min: 0, max: 60 }), fc.constantFrom('before' as const, 'after' as const)),
      {
        selector: ([write]) => write,
        maxLength: 12,
      },
    ),
  });
  const schedules = [scheduleOf('a', '*/40 * * * *'), scheduleOf('b', '30 2 * * *'), scheduleOf('c', '0 9 * * 1-5')];
  await fc.assert(
    fc.asyncProperty(week, async ({ kills, ...given }) => {
      const machine = await ran({ ...given, schedules, lengthMs: 3 * 24 * hour, kills: new Map(kills) });
      const tasks = [...machine.book.tasks.values()];
      for (const { id } of schedules) {
        const runs = tasks.filter(({ title }) => title === id).map(({ at }) => at);
        const starts = runs.toSorted((one, other) => one - other);
        expect(starts).toEqual(runs);
        for (const [index, at] of starts.entries())
          if (index > 0) expect(at - (starts[index - 1] ?? 0)).toBeGreaterThanOrEqual(given.takesMs);
      }
      expect(new Set(tasks.map(({ id }) => id)).size).toBe(tasks.length);
      for (const { at, due } of machine.entries) expect(at - due).toBeLessThanOrEqual(24 * hour);
      for (const schedule of machine.book.schedules.values())
        expect(nextTime(schedule, schedule.since)).toBeGreaterThan(begin);
    }),
    { numRuns: 5 },
  );
});
