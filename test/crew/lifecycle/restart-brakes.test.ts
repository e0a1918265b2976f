import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Birth,
  brakesAfter,
  noBrakes,
  pauseBefore,
  whyNotTried,
} from '../../../src/crew/lifecycle/restart-brakes.ts';

type Tried = readonly [Birth, account?: string];
const brakesOn = (...births: readonly Tried[]) =>
  births.reduce(
    (brakes, [birth, account = 'a'], index) =>
      brakesAfter(brakes, birth, { name: `w${index}`, account, at: index * 1_000 }),
    noBrakes,
  );

describe('the next of several workers', () => {
  it.each<[what: string, births: readonly Tried[], account: string, why: string | undefined]>([
    ['is tried first of all', [], 'a', undefined],
    ['is tried after one that lives', [['born']], 'a', undefined],
    ['is tried after one that died', [['dead']], 'a', undefined],
    ['is not tried after two that died', [['dead'], ['dead']], 'b', '2 agents ended at once, one after the other'],
    ['is tried where one lived between two that died', [['dead'], ['born'], ['dead']], 'a', undefined],
    [
      'is not tried where one was refused between two that died',
      [['dead'], ['refused'], ['dead']],
      'a',
      '2 agents ended at once, one after the other',
    ],
    ['is tried after any number that were refused', [['refused'], ['refused'], ['refused']], 'a', undefined],
    ['is not tried before the one before has given a sign', [['silent']], 'b', 'w0 has given no sign of life yet'],
    [
      'is not tried on the account of one without a login',
      [['logged_out', 'a']],
      'a',
      'nobody is logged in on its account, as w0 shows',
    ],
    [
      'is tried on another account',
      [
        ['logged_out', 'a'],
        ['born', 'b'],
      ],
      'b',
      undefined,
    ],
    [
      'stays untried once its account has no login',
      [
        ['logged_out', 'a'],
        ['born', 'b'],
      ],
      'a',
      'nobody is logged in on its account, as w0 shows',
    ],
  ])('%s', (_, births, account, why) => {
    expect(whyNotTried(brakesOn(...births), account)).toBe(why);
  });

  it('comes 300 ms after the one before at least, and 500 ms at most', () => {
    expect(pauseBefore(noBrakes, 5, 1)).toBe(0);
    const times = { lastAt: fc.nat(), laterMs: fc.nat(2_000), random: fc.double({ min: 0, max: 1, noNaN: true }) };
    fc.assert(
      fc.property(fc.record(times), ({ lastAt, laterMs, random }) => {
        const now = lastAt + laterMs;
        const startsAt = now + pauseBefore({ ...noBrakes, lastAt }, now, random);
        expect(startsAt - lastAt).toBeGreaterThanOrEqual(300);
        expect(startsAt).toBeLessThanOrEqual(Math.max(now, lastAt + 500));
      }),
    );
  });

  it('is never tried again once two in a row have died, whatever comes after', () => {
    const births = fc.constantFrom<Birth>('born', 'dead', 'silent', 'logged_out', 'refused');
    fc.assert(
      fc.property(fc.array(births), fc.array(births), (before, later) => {
        const all = [...before, 'dead', 'dead', ...later] as const;
        expect(whyNotTried(brakesOn(...all.map((birth) => [birth] as const)), 'a')).toBeDefined();
      }),
    );
  });
});
