import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { advise, call } from '../../src/model/advice.ts';
import { CrewError } from '../../src/model/errors.ts';
import { answer, clip, errorText } from '../../src/tools/answer.ts';

const size = (value: unknown) => JSON.stringify(value).length;

describe('an answer', () => {
  it('that fits is given as it is', () => {
    const value = { workers: [{ name: 'ada' }], none: null };
    expect(answer(value, { text: 'ada', shed: ['name'] })).toEqual({ structured: value, text: 'ada' });
  });

  it('that is too long first loses the fields it can spare, and says which', () => {
    const workers = Array.from({ length: 60 }, (_, n) => ({
      name: `w${n}`,
      path: 'p'.repeat(400),
      extra: 'e'.repeat(500),
    }));
    const { structured } = answer({ workers }, { text: '', shed: ['extra', 'path'] });
    expect(structured).toMatchObject({ truncated: true, note: 'left out for length: extra' });
    expect(structured.workers).toHaveLength(60);
    expect(structured.workers).toContainEqual({ name: 'w59', path: 'p'.repeat(400) });
  });

  it('whose list is long keeps the items whole that fit and counts the others, whatever else it holds', () => {
    const long = { field: 'workers', hint: 'Filter.' };
    for (const [items, other] of [
      [64, 10],
      [500, 10],
      [64, 30_000],
      [64, 300_000],
    ] as const) {
      const workers = Array.from({ length: items }, (_, n) => ({ name: `w${n}`, said: 's'.repeat(1_000) }));
      const needs = Array.from({ length: 30 }, () => 'n'.repeat(other / 30));
      const { structured } = answer({ workers, count: items, needs }, { text: '', shed: [], long });
      expect(size(structured)).toBeLessThan(48_000);
      const { length: shown } = z.array(z.unknown()).parse(structured.workers);
      expect(shown).toBeGreaterThan(20);
      expect(structured).toMatchObject({ count: items, truncated: true });
      const { count } = z.object({ count: z.number() }).parse(structured.more ?? { count: 0 });
      expect(count).toBe(items - shown);
      expect(structured.needs).toHaveLength(30);
    }
  });

  it('never exceeds fifty thousand characters, text and JSON together, whatever it holds', () => {
    const value = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 }), { maxKeys: 30 });
    fc.assert(
      fc.property(value, fc.nat(60), (fields, times) => {
        const big = {
          ...fields,
          long: 'x"\n'.repeat(times * 200),
          many: Array.from({ length: times * 10 }, () => fields),
        };
        const { structured, text } = answer(big, { text: 't'.repeat(60_000), shed: [] });
        expect(size(structured) + text.length).toBeLessThan(50_000);
      }),
      { numRuns: 30 },
    );
  });
});

describe('a JSON', () => {
  it('keeps below the bytes at which a client cuts it, in any script', () => {
    for (const letter of ['x', 'é', '€', '😀', '"']) {
      const { structured } = answer({ said: Array(9).fill(letter.repeat(9_000)) }, { text: '', shed: [] });
      expect(Buffer.byteLength(JSON.stringify(structured))).toBeLessThan(48_000);
      expect(structured.truncated).toBe(true);
    }
  });
});

describe('a text', () => {
  it('that is cut says how long it was and keeps its characters whole', () => {
    expect(clip('a'.repeat(100), 100)).toBe('a'.repeat(100));
    for (const limit of [50, 51]) {
      const cut = clip('😀'.repeat(100), limit);
      expect(cut.length).toBeLessThanOrEqual(limit);
      expect(cut).toMatch(/^(😀)+… \[truncated, 200 characters in all\]$/u);
    }
  });

  it('of an error is JSON of code, message and hint alone', () => {
    const error = new CrewError('held', 'm'.repeat(9_000), 'h', { cause: new Error('secret'), delivery: 'not-sent' });
    const parsed = JSON.parse(errorText(error));
    expect(parsed).toEqual({ error: { code: 'held', message: expect.stringContaining('truncated, 9000'), hint: 'h' } });
  });

  it('that advises is in the words of who reads it, in an answer and in an error', () => {
    const hint = advise`pass ${call('force: true', '--force')}.`;
    const error = new CrewError('held', 'm', hint);
    const value = { results: { ada: { hint } }, warnings: [hint] };
    for (const [by, words] of [['person', 'pass --force.'] as const, [undefined, 'pass force: true.'] as const]) {
      expect(answer(value, { text: '', shed: [], by }).structured).toEqual({
        results: { ada: { hint: words } },
        warnings: [words],
      });
      expect(JSON.parse(errorText(error, by))).toMatchObject({ error: { hint: words } });
    }
  });
});
