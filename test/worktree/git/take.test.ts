import fc from 'fast-check';
import { expect, it } from 'vitest';
import { noLimits, within } from '../../../src/worktree/git/take.ts';

const files = fc.uniqueArray(fc.record({ path: fc.string(), bytes: fc.nat(1_000) }), { selector: ({ path }) => path });
const limits = fc.record({ fileBytes: fc.nat(1_000), allBytes: fc.nat(5_000) });

it('every file is either taken or told, no file over its limit is taken, nor more than all may be', () =>
  fc.assert(
    fc.property(files, limits, (there, limit) => {
      const { small, tooLarge } = within(there, limit);
      expect([...small, ...tooLarge].sort()).toEqual(there.map(({ path }) => path).sort());
      const taken = there.filter(({ path }) => small.includes(path)).map(({ bytes }) => bytes);
      expect(Math.max(0, ...taken)).toBeLessThanOrEqual(limit.fileBytes);
      expect(taken.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThanOrEqual(limit.allBytes);
    }),
  ));

it('a small file is never left out for the sake of a larger one, and without limits none is', () =>
  fc.assert(
    fc.property(files, limits, (there, limit) => {
      const { small, tooLarge } = within(there, limit);
      const bytes = new Map(there.map((file) => [file.path, file.bytes]));
      const largest = Math.max(0, ...small.map((path) => bytes.get(path) ?? 0));
      for (const path of tooLarge) expect(bytes.get(path)).toBeGreaterThanOrEqual(largest);
      expect(within(there, noLimits).tooLarge).toEqual([]);
    }),
  ));
