import { expect, test } from 'vitest';
import { openRateLimit } from '../../src/worker/rate-limit.ts';

test('in any minute only so many calls pass, and the error says when the next may', () => {
  let now = 0;
  const count = openRateLimit({ now: () => now, after: () => () => undefined });
  count(2);
  now = 20_000;
  count(2);
  now = 30_000;
  expect(() => count(2)).toThrow(
    expect.objectContaining({ code: 'limit_reached', hint: expect.stringContaining('30 s') }),
  );
  now = 60_000;
  count(2);
  expect(() => count(2)).toThrow('2 calls in the last minute');
});
