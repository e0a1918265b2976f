import { expect, it } from 'vitest';
import { z } from 'zod';
import type { Crew } from '../../src/crew/api.ts';
import { checkConflicts } from '../../src/tools/check-conflicts.ts';
import type { ConflictsResult } from '../../src/wire/landing.ts';
import { stubCrew } from '../support/stub-crew.ts';

const run = { signal: new AbortController().signal, tell: () => undefined, maxWaitMs: 1_000 };
const ask = async (found: ConflictsResult) => {
  const crew: Crew = { ...stubCrew(() => undefined), conflicts: async () => found };
  return (await checkConflicts.call(async () => crew, {}, run)).structured;
};
const quiet = { conflicts: [], both_edited: [] };
const files = (count: number) => Array.from({ length: count }, (_, n) => `src/some/folder/of/the/project/file-${n}.ts`);

it('only those of whom there is something to say are named, those that conflict first', async () => {
  const met = { a: 'ada', b: 'cleo', conflicts: [], both_edited: ['README.md'] };
  const clash = { a: 'ben', b: 'cleo', conflicts: ['a.ts'], both_edited: ['a.ts'] };
  const base = { session_id: '1', name: 'ada', base: 'main' };
  const found = { pairs: [{ a: 'ada', b: 'ben', ...quiet }, met, clash], against_base: [{ ...base, ...quiet }] };
  expect(await ask(found)).toEqual({ pairs_checked: 3, pairs: [clash, met], against_base: [] });
});

it('twenty files are named, and the others counted', async () => {
  const pair = { a: 'ada', b: 'ben', conflicts: files(21), both_edited: files(50) };
  expect(await ask({ pairs: [pair], against_base: [] })).toMatchObject({
    pairs: [{ conflicts: files(20), more_conflicts: 1, both_edited: files(20), more_both_edited: 30 }],
  });
});

it('the pairs of 38 workers fit into an answer, or the rest of them is counted', async () => {
  const names = Array.from({ length: 38 }, (_, n) => `worker-${n}`);
  const all = names.flatMap((a, at) => names.slice(at + 1).map((b) => ({ a, b })));
  const calm = await ask({ pairs: all.map((pair) => ({ ...pair, ...quiet })), against_base: [] });
  expect(calm).toEqual({ pairs_checked: 703, pairs: [], against_base: [] });
  const pairs = all.map((pair) => ({ ...pair, conflicts: files(30), both_edited: files(30) }));
  const wild = await ask({ pairs, against_base: [] });
  const shown = z.object({ pairs: z.array(z.unknown()), more: z.object({ count: z.number() }) }).parse(wild);
  expect(shown.pairs.length).toBeGreaterThan(10);
  expect(shown.more.count).toBe(703 - shown.pairs.length);
});
