import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blockSize, freeBlock } from '../../src/crew/environments.ts';

const id = fc.stringMatching(/^[0-9a-f]{8}$/);
const block = fc.nat(1_199).map((n) => 20_000 + n * blockSize);

test('a block is whole, below the ports that systems hand out, nobody else has it and nothing listens in it', () => {
  fc.assert(
    fc.property(id, fc.uniqueArray(block), fc.uniqueArray(fc.integer({ min: 19_990, max: 32_010 })), (...all) => {
      const [workerId, given, listening] = all;
      const base = freeBlock({ workerId, given: new Set(given), listening: new Set(listening) }) ?? 0;
      expect(base % blockSize).toBe(0);
      expect(base).toBeGreaterThanOrEqual(20_000);
      expect(base + blockSize).toBeLessThanOrEqual(32_000);
      expect(given).not.toContain(base);
      expect(listening.filter((port) => port >= base && port < base + blockSize)).toEqual([]);
    }),
  );
});

test('the last block is found, and when it is given there is none', () => {
  const all = Array.from({ length: 1_200 }, (_, n) => 20_000 + n * blockSize);
  const listening = new Set<number>();
  expect(freeBlock({ workerId: 'deadbeef', given: new Set(all.slice(1)), listening })).toBe(20_000);
  expect(freeBlock({ workerId: 'deadbeef', given: new Set(all), listening })).toBeUndefined();
});
