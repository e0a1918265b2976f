// When an account works again, and when each of its workers goes on.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type AccountFacts,
  dueAt,
  gateOf,
  jitterOf,
  limitedUntil,
  newerSign,
  type Parked,
} from '../../src/turn/account.ts';

const minute = 60_000;
const hour = 60 * minute;
const free: AccountFacts = { sign: undefined, workedAt: undefined, sent: undefined };
const sign = { at: 10 * minute, resetsAt: 100 * minute + 1 };

describe('an account', () => {
  test.each<[what: string, facts: Partial<AccountFacts>, until: number | undefined]>([
    ['of which nothing is known is free', {}, undefined],
    ['is limited until the reset', { sign }, sign.resetsAt],
    ['whose reset nobody can read is limited for five hours', { sign: { at: 7, resetsAt: undefined } }, 5 * hour + 7],
    ['is not limited by a reset before the sign', { sign: { at: 7, resetsAt: 7 } }, undefined],
    ['works again once a turn began later and ended well', { sign, workedAt: sign.at + 1 }, undefined],
    ['is still limited after a turn that began before', { sign, workedAt: sign.at }, sign.resetsAt],
  ])('%s', (_, facts, until) => {
    expect(limitedUntil({ ...free, ...facts })).toBe(until);
  });

  test('goes by the newest sign of several', () => {
    const later = { at: 20 * minute, resetsAt: 40 * minute };
    expect([newerSign(sign, later), newerSign(later, sign), newerSign(sign, undefined)]).toEqual([later, later, sign]);
  });
});

const stop = { ...sign, goesOn: false };

describe('a worker without a turn', () => {
  const one: Parked = { workerId: '00000000' };
  const proved = { at: 200 * minute, isProved: true };
  test.each<[what: string, account: Partial<AccountFacts>, now: number, gate: readonly number[] | undefined]>([
    ['may begin one where no limit is known', {}, 1, undefined],
    ['waits for the limit of its account', { sign }, 11 * minute, [sign.resetsAt, sign.resetsAt + 10_000]],
    ['may begin one after it', { sign }, 102 * minute, undefined],
    ['may begin one once the account works again', { sign, workedAt: sign.at + 1 }, 11 * minute, undefined],
    [
      'waits for the one before, though the account works again',
      { sign, workedAt: 201 * minute, sent: proved },
      200 * minute + 1,
      [sign.resetsAt, 200 * minute + 5_000],
    ],
    [
      'waits for nobody who was sent on long ago',
      { sign, workedAt: 201 * minute, sent: proved },
      202 * minute,
      undefined,
    ],
  ])('%s', (_, account, now, gate) => {
    const found = gateOf(one, { ...free, ...account }, now);
    expect(found && [found.until, found.dueAt]).toEqual(gate);
  });
});

describe('a worker goes on', () => {
  test.each<[what: string, one: Omit<Parked, 'workerId'>, account: Partial<AccountFacts>, due: number | undefined]>([
    ['ten seconds after its reset', { stop }, {}, sign.resetsAt + 10_000],
    [
      'a minute later where words may have rounded the time',
      { stop: { ...stop, resetsAt: 100 * minute } },
      {},
      101 * minute + 10_000,
    ],
    ['after three minutes where its agent does so itself', { stop: { ...stop, goesOn: true } }, {}, 103 * minute + 1],
    ['never after a reset before the stop', { stop: { ...stop, resetsAt: 1 } }, { sign }, undefined],
    ['after the reset of its account, though no limit has stopped it', {}, { sign }, sign.resetsAt + 10_000],
    [
      'after a later limit of its account',
      { stop },
      { sign: { at: 20 * minute, resetsAt: 300 * minute + 1 } },
      300 * minute + 10_001,
    ],
    [
      'after its own limit, though the account has a shorter one since',
      { stop: { ...stop, resetsAt: 300 * minute + 1 } },
      { sign: { at: 20 * minute, resetsAt: 40 * minute + 1 } },
      300 * minute + 10_001,
    ],
    [
      'five seconds after the one before, whose turn has begun',
      { stop },
      { sign, sent: { at: 110 * minute, isProved: true } },
      110 * minute + 5_000,
    ],
    [
      'a minute after the one before, whose turn does not begin',
      { stop },
      { sign, sent: { at: 110 * minute, isProved: false } },
      111 * minute,
    ],
  ])('%s', (_, one, account, due) => {
    expect(dueAt({ workerId: '00000000', ...one }, { ...free, ...account })).toBe(due);
  });

  test('no two at one time, none before a limit of theirs is over, and each at the same time again', () => {
    const times = fc.integer({ min: 1, max: 10 * hour });
    const limit = fc.record({ at: times, resetsAt: fc.option(times, { nil: undefined }) });
    const ids = fc.uniqueArray(fc.integer({ min: 0, max: 0xffff }), { minLength: 2, maxLength: 6 });
    fc.assert(
      fc.property(ids, limit, times, (numbers, accountSign, start) => {
        let account: AccountFacts = { ...free, sign: accountSign };
        const waits = new Set(numbers.map((number) => number.toString(16).padStart(8, '0')));
        const until = limitedUntil(account) ?? 0;
        let now = start;
        const sentAt: number[] = [];
        while (waits.size > 0) {
          const dues = [...waits].map((workerId) => ({ workerId, at: dueAt({ workerId }, account) ?? 0 }));
          const next = dues.reduce((a, b) => (b.at < a.at ? b : a));
          now = Math.max(now, next.at);
          sentAt.push(now);
          waits.delete(next.workerId);
          account = { ...account, sent: { at: now, isProved: true } };
        }
        const gaps = sentAt.slice(1).map((at, index) => at - (sentAt[index] ?? 0));
        return sentAt.every((at) => at >= until) && gaps.every((gap) => gap >= 5_000 && gap < 10_000);
      }),
    );
    expect(jitterOf('00001001')).toBe(jitterOf('00001001'));
    expect(jitterOf('00000001')).not.toBe(jitterOf('00000002'));
  });
});
