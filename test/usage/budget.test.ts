import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LimitNotice } from '../../src/model/worker.ts';
import { type Bound, levelOf, limitOf, newsOf, requestOf, turnsIn, turnsWith } from '../../src/usage/budget.ts';

const bound = (given: Partial<Bound> = {}): Bound => ({ kind: 'cost', amount: 10, grants: 0, used: 0, ...given });

describe('a bound', () => {
  it.each<[given: Partial<Bound>, level: ReturnType<typeof levelOf>]>([
    [{ used: 0 }, 'nothing'],
    [{ used: 7.99 }, 'nothing'],
    [{ used: 8 }, 'notice'],
    [{ used: 9.99 }, 'notice'],
    [{ used: 10 }, 'stop'],
    [{ used: 11 }, 'stop'],
    [{ used: 10, grants: 1 }, 'nothing'],
    [{ used: 16, grants: 1 }, 'notice'],
    [{ used: 20, grants: 1 }, 'stop'],
    [{ amount: 0.1, grants: 2, used: 0.3 }, 'stop'],
    [{ amount: 0.7, used: 0.56 }, 'notice'],
    [{ kind: 'turns', amount: 1, used: 0 }, 'nothing'],
    [{ kind: 'turns', amount: 1, used: 1 }, 'stop'],
    [{ kind: 'turns', amount: 5, used: 4 }, 'notice'],
  ])('of %j is at %s', (given, level) => {
    expect(levelOf(bound(given))).toBe(level);
  });

  const told = (level: LimitNotice['level'], given: Partial<LimitNotice> = {}): LimitNotice => ({
    ...{ level, limit: 10, at: 1 },
    ...given,
  });
  it.each<[given: Partial<Bound>, told: LimitNotice | undefined, news: LimitNotice['level'] | undefined]>([
    [{ used: 7 }, undefined, undefined],
    [{ used: 8 }, undefined, 'notice'],
    [{ used: 9 }, told('notice'), undefined],
    [{ used: 10 }, told('notice'), 'stop'],
    [{ used: 10 }, undefined, 'stop'],
    [{ used: 12 }, told('stop'), undefined],
    // A figure that is corrected downwards is not told of again.
    [{ used: 9 }, told('stop'), undefined],
    [{ used: 16, grants: 1 }, told('stop'), 'notice'],
    [{ used: 8, day: '2026-11-26' }, told('stop', { day: '2026-11-25' }), 'notice'],
  ])('of %j, of which %j was told, tells %s', (given, before, news) => {
    expect(newsOf(bound(given), before)).toBe(news);
  });

  it('tells each threshold at most once, whatever is used and granted', () => {
    const step = fc.record({ used: fc.double({ min: -2, max: 12, noNaN: true }), isGranted: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), fc.double({ min: 0.01, max: 9, noNaN: true }), (steps, amount) => {
        let now = bound({ amount });
        let before: LimitNotice | undefined;
        const all: string[] = [];
        for (const { used, isGranted } of steps) {
          const grants = now.grants + Number(isGranted && levelOf(now) === 'stop');
          now = { ...now, used: Math.max(0, now.used + used), grants };
          const level = newsOf(now, before);
          if (level === undefined) continue;
          before = { level, limit: limitOf(now), at: 1 };
          all.push(`${level} ${before.limit}`);
        }
        expect(new Set(all).size).toBe(all.length);
      }),
    );
  });

  it('grows by the same amount with each grant, and each grant has a name of its own', () => {
    expect([0, 1, 2].map((grants) => limitOf({ amount: 0.1, grants }))).toEqual([0.1, 0.2, 0.3]);
    const names = [bound(), bound({ grants: 1 }), bound({ kind: 'turns' }), bound({ kind: 'day', day: '2026-11-25' })];
    expect(names.map(requestOf)).toEqual(['limit-cost-0', 'limit-cost-1', 'limit-turns-0', 'limit-2026-11-25-0']);
  });
});

it('turns count over launches, and a launch that is read again counts once', () => {
  const one = turnsWith(undefined, 1, 2);
  expect(turnsIn(one)).toBe(2);
  expect(turnsIn(turnsWith(one, 1, 3))).toBe(3);
  expect(turnsIn(turnsWith(one, 1, 1))).toBe(2);
  const two = turnsWith(turnsWith(one, 2, 0), 2, 1);
  expect(turnsIn(two)).toBe(3);
  expect(turnsIn(turnsWith(two, 3, 1))).toBe(4);
});
