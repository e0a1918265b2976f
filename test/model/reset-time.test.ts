import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { resetTimeIn } from '../../src/model/reset-time.ts';

const noon = '2026-11-21T12:00:00Z';

describe('the time of a reset', () => {
  test.each<[words: string, said: string, timeZone: string, reset: string | undefined]>([
    ["You've hit your 5-hour limit · resets 3pm (UTC)", noon, 'UTC', '2026-11-21T15:00:00Z'],
    ["You've hit your 5-hour limit · resets 3:30pm (UTC) · progress saved", noon, 'UTC', '2026-11-21T15:30:00Z'],
    ["You've hit your limit · resets 3pm (Europe/Berlin)", noon, 'America/New_York', '2026-11-21T14:00:00Z'],
    ["You've hit your limit · resets 3pm", noon, 'America/New_York', '2026-11-21T20:00:00Z'],
    ["You've hit your limit · resets 9am (UTC)", noon, 'UTC', '2026-11-22T09:00:00Z'],
    ["You've hit your limit · resets 12am (UTC)", noon, 'UTC', '2026-11-22T00:00:00Z'],
    ["You've hit your limit · resets 12pm (UTC)", '2026-11-21T12:00:40Z', 'UTC', '2026-11-21T12:00:00Z'],
    ["You've hit your limit · resets 12pm (UTC)", '2026-11-21T12:01:01Z', 'UTC', '2026-11-22T12:00:00Z'],
    ["You've hit your limit · resets 11pm (Asia/Tokyo)", '2026-11-21T15:30:00Z', 'UTC', '2026-11-22T14:00:00Z'],
    ["You've hit your weekly limit · resets Nov 22, 5am (UTC)", noon, 'UTC', '2026-11-22T05:00:00Z'],
    ["You've hit your weekly limit · resets Nov 22 at 5:07am", noon, 'UTC', '2026-11-22T05:07:00Z'],
    ["You've hit your weekly limit · resets Jan 3, 2027, 5am (UTC)", noon, 'UTC', '2027-01-03T05:00:00Z'],
    ["You've hit your weekly limit · resets Jan 3, 5am (UTC)", noon, 'UTC', '2027-01-03T05:00:00Z'],
    ["You've hit your weekly limit · resets Nov 21, 5am (UTC)", noon, 'UTC', '2026-11-21T05:00:00Z'],
    ['spend limit reached · resets Dec 1', noon, 'UTC', '2026-12-01T00:00:00Z'],
    ["You've hit your limit · resets 3\u202fPM (UTC)", noon, 'UTC', '2026-11-21T15:00:00Z'],
    ["You've hit your limit · resets 3pm (recommended)", noon, 'UTC', '2026-11-21T15:00:00Z'],
    ['Claude AI usage limit reached|1795233600', noon, 'UTC', '2026-11-21T04:00:00Z'],
    ['Claude AI usage limit reached|1795233600000', noon, 'UTC', '2026-11-21T04:00:00Z'],
    ["You've hit your usage limit. Try again at 3:05 PM.", noon, 'UTC', '2026-11-21T15:05:00Z'],
    [
      "You've hit your usage limit. Upgrade to Pro (https://x), or try again at 9:05 AM.",
      noon,
      'UTC',
      '2026-11-22T09:05:00Z',
    ],
    ["You've hit your usage limit. Try again at Nov 23rd, 2026 5:00 AM.", noon, 'UTC', '2026-11-23T05:00:00Z'],
    ["You've hit your usage limit. Try again at Dec 1st, 2026 12:30 PM.", noon, 'UTC', '2026-12-01T12:30:00Z'],
    ["You've hit your usage limit. Try again in 3 days 2 hours 5 minutes.", noon, 'UTC', '2026-11-24T14:05:00Z'],
    ['Rate limit reached. Please try again in 1.5s.', noon, 'UTC', '2026-11-21T12:00:01.500Z'],
    ['Rate limit reached. Please try again in 250ms.', noon, 'UTC', '2026-11-21T12:00:00.250Z'],
    ["You've hit your fast limit · resets in 1h30m", noon, 'UTC', '2026-11-21T13:30:00Z'],
    ["You've hit your usage limit. Try again later.", noon, 'UTC', undefined],
    ["You've hit your org's monthly spend limit · visit x to raise it", noon, 'UTC', undefined],
    ["You've hit your org's limit · your weekly limit resets 3pm (UTC)", noon, 'UTC', '2026-11-21T15:00:00Z'],
    ['resets 13pm (UTC)', noon, 'UTC', undefined],
    ['resets 3:75pm (UTC)', noon, 'UTC', undefined],
    ['', noon, 'UTC', undefined],
  ])('%s, said at %s in %s, is %s', (words, said, timeZone, reset) => {
    const found = resetTimeIn(words, { at: Date.parse(said), timeZone });
    expect(found === undefined ? undefined : new Date(found)).toEqual(
      reset === undefined ? undefined : new Date(reset),
    );
  });

  // Berlin moves its clocks on March 28 2027 from 2:00 to 3:00, and back on October 31 2027 from 3:00 to 2:00.
  test.each([
    ['the day the clocks go forward', 'resets 9am (Europe/Berlin)', '2027-03-27T23:30:00Z', '2027-03-28T07:00:00Z'],
    ['the day the clocks go back', 'resets 9am (Europe/Berlin)', '2027-10-30T22:30:00Z', '2027-10-31T08:00:00Z'],
    ['an hour that comes twice', 'resets 2:30am (Europe/Berlin)', '2027-10-30T22:30:00Z', '2027-10-31T01:30:00Z'],
    ['an hour that is left out', 'resets 2:30am (Europe/Berlin)', '2027-03-27T23:30:00Z', '2027-03-28T01:30:00Z'],
    ['a day after the change', 'resets Apr 2, 9am (Europe/Berlin)', '2027-03-20T12:00:00Z', '2027-04-02T07:00:00Z'],
  ])('on %s is by the clocks of that place', (_, words, said, reset) => {
    expect(new Date(resetTimeIn(words, { at: Date.parse(said), timeZone: 'UTC' }) ?? 0)).toEqual(new Date(reset));
  });

  it('without a zone is by the machine’s own clock', () => {
    const at = new Date(2026, 10, 21, 12).getTime();
    expect(resetTimeIn('Try again at 3:05 PM.', { at })).toBe(new Date(2026, 10, 21, 15, 5).getTime());
  });

  it('of a clock time alone is at most a day ahead, by the words that name it', () => {
    // The shortest day has 23 hours: further ahead, the same words may name a time before.
    const longest = 23 * 60 - 5;
    const zones = fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kathmandu', 'America/St_Johns', 'Pacific/Chatham');
    const times = fc.date({ min: new Date('2020-01-01'), max: new Date('2035-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(times, fc.integer({ min: 1, max: longest }), zones, (said, minutes, timeZone) => {
        const at = said.getTime();
        const reset = Math.floor((at + minutes * 60_000) / 60_000) * 60_000;
        const clock = new Date(reset).toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit', timeZone });
        const found = resetTimeIn(`resets ${clock} (${timeZone})`, { at, timeZone: 'UTC' }) ?? 0;
        // Where an hour comes twice, the words fit two times; where one is left out, tomorrow's clock is off by it.
        expect(Math.abs(found - reset)).toBeLessThanOrEqual(3_600_000);
        const again = new Date(found).toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit', timeZone });
        expect(again).toBe(clock);
      }),
    );
  });
});
