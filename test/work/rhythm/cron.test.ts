import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aheadMs } from '../../../src/model/time-zone.ts';
import { mostCounted, nextTime, nextTimes, refuseBadOccasion, timesSince } from '../../../src/work/rhythm/cron.ts';

const at = (iso: string) => Date.parse(iso);
const iso = (times: readonly number[]) => times.map((time) => new Date(time).toISOString().slice(0, 16));
const berlin = (cron: string) => ({ cron, timezone: 'Europe/Berlin' });

describe('when the clocks are moved', () => {
  it.each([
    [
      'a time that there is not comes once, behind the gap',
      '30 2 * * *',
      '2026-03-28T12:00Z',
      ['2026-03-29T01:00', '2026-03-30T00:30', '2026-03-31T00:30'],
    ],
    [
      'so do several of them, and the one that is due there anyway',
      '*/30 2,3 * * *',
      '2026-03-28T12:00Z',
      ['2026-03-29T01:00', '2026-03-29T01:30', '2026-03-30T00:00'],
    ],
    [
      'a time that there is twice comes once',
      '30 2 * * *',
      '2026-10-24T12:00Z',
      ['2026-10-25T00:30', '2026-10-26T01:30', '2026-10-27T01:30'],
    ],
    ['also for who looks between the two', '30 2 * * *', '2026-10-25T01:10Z', ['2026-10-26T01:30']],
    ['every other time is as always', '0 4 * * *', '2026-03-28T12:00Z', ['2026-03-29T02:00', '2026-03-30T02:00']],
  ] as const)('%s', (_, cron, from, expected) => {
    expect(iso(nextTimes(berlin(cron), at(from), expected.length))).toEqual(expected);
  });

  it('a gap of half an hour ends half an hour later', () => {
    const occasion = { cron: '15 2 * * *', timezone: 'Australia/Lord_Howe' };
    expect(iso(nextTimes(occasion, at('2026-10-03T12:00Z'), 2))).toEqual(['2026-10-03T15:30', '2026-10-04T15:15']);
  });
});

const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'America/Santiago'];
const field = (from: number, to: number) =>
  fc.oneof(fc.constant('*'), fc.integer({ min: from, max: to }).map(String), fc.constantFrom('*/7', '*/15', '*/2'));
const occasions = fc
  .tuple(field(0, 59), field(0, 23), field(1, 28), fc.constant('*'), field(0, 6), fc.constantFrom(...zones))
  .map(([minute, hour, day, month, weekday, timezone]) => ({
    cron: [minute, hour, day, month, weekday].join(' ').replaceAll('*/15', '*/5'),
    timezone,
  }));
const moments = fc.integer({ min: at('2026-01-01T00:00Z'), max: at('2027-12-31T00:00Z') });

describe('at any time, in any zone', () => {
  it('the next one is later, and the same for whoever looks in between', () => {
    fc.assert(
      fc.property(occasions, moments, (occasion, now) => {
        const next = nextTime(occasion, now) ?? 0;
        expect(next).toBeGreaterThan(now);
        expect(nextTime(occasion, Math.floor((now + next) / 2))).toBe(next);
        expect(next % 60_000).toBe(0);
      }),
      { numRuns: 150 },
    );
  });

  it('what is past is the newest that is not later, and each one before it is counted', () => {
    fc.assert(
      fc.property(occasions, moments, fc.integer({ min: 0, max: 40 }), (occasion, since, count) => {
        const times = nextTimes(occasion, since, count + 1);
        const now = (times[count] ?? 0) - 1;
        const past = timesSince(occasion, since, now);
        expect(past).toEqual(count === 0 ? undefined : { at: times[count - 1], older: count - 1 });
      }),
      { numRuns: 80 },
    );
  });

  it('clocks show a due time but behind a gap', () => {
    fc.assert(
      fc.property(moments, fc.constantFrom(...zones), fc.integer({ min: 0, max: 23 }), (now, timezone, hour) => {
        const next = nextTime({ cron: `10 ${hour} * * *`, timezone }, now) ?? 0;
        const shown = new Date(next + aheadMs(next, timezone));
        const isMoved = aheadMs(next, timezone) !== aheadMs(next - 1_000, timezone);
        if (!isMoved) expect([shown.getUTCHours(), shown.getUTCMinutes()]).toEqual([hour, 10]);
      }),
      { numRuns: 80 },
    );
  });
});

it('after years without a look the newest is found at once, and the others are not counted to the end', () => {
  const [since, now] = [at('2016-01-01T00:00Z'), at('2026-01-01T00:00:30Z')];
  expect(timesSince(berlin('* * * * *'), since, now)).toEqual({ at: at('2026-01-01T00:00Z'), older: mostCounted });
  expect(timesSince(berlin('0 0 29 2 *'), since, now)).toEqual({ at: at('2024-02-28T23:00Z'), older: 2 });
});

describe('a line that is wrong is refused with a way out', () => {
  it.each([
    ['0 0 30 2 *', 'UTC', 'cron is "0 0 30 2 *", and it never comes.'],
    ['0 0 31 4,6 *', 'UTC', 'it never comes.'],
    ['* * * *', 'UTC', 'cron is "* * * *": expected five fields.'],
    ['0 0 * * * *', 'UTC', 'expected five fields.'],
    ['@daily', 'UTC', 'expected five fields.'],
    ['0 25 * * *', 'UTC', 'cron is "0 25 * * *": Invalid value for hour: 25'],
    ['a b c d e', 'UTC', 'cron is "a b c d e":'],
    ['0 0 * * *', 'Mars/Base', 'timezone is "Mars/Base", and no time zone has this name.'],
  ])('%s in %s', (cron, timezone, words) => {
    expect(() => refuseBadOccasion({ cron, timezone }, at('2026-01-01T00:00Z'))).toThrow(words);
  });

  it.each(['0 0 29 2 *', '0 0 * * 7', '*/5 8-18 * JAN-MAR MON-FRI', '0 0 13 * 5'])('%s is none', (cron) => {
    expect(() => refuseBadOccasion({ cron, timezone: 'UTC' }, at('2026-01-01T00:00Z'))).not.toThrow();
  });
});
