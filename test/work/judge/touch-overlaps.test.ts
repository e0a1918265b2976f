import fc from 'fast-check';
import { expect, it } from 'vitest';
import { mayOverlap } from '../../../src/model/touch-set.ts';
import { mayRunTogether } from '../../../src/work/judge/plan-graph.ts';
import { overlapsOf, warningsOf } from '../../../src/work/judge/touch-overlaps.ts';

const job = (name: string, touchSet: readonly string[], dependsOn: readonly string[] = []) => ({
  name,
  dependsOn,
  touchSet,
});

it('names a glob of each of two jobs that may change the same file at the same time', () => {
  const jobs = [
    job('docs', ['docs/', '*.md']),
    job('api', ['src/api/', 'README.md']),
    job('types', ['test/', 'src/**/types.ts']),
    job('after', ['src/'], ['types']),
    job('any', []),
  ];
  expect(overlapsOf(jobs)).toEqual([
    { a: 'docs', b: 'api', globs: ['*.md', 'README.md'] },
    { a: 'api', b: 'types', globs: ['src/api/', 'src/**/types.ts'] },
    { a: 'api', b: 'after', globs: ['src/api/', 'src/'] },
  ]);
});

it('jobs that wait for each other, through others too, do not overlap', () => {
  const jobs = [job('c', ['src/'], ['b']), job('b', ['lib/'], ['a']), job('a', ['src/'])];
  expect(overlapsOf(jobs)).toEqual([]);
  expect(warningsOf(jobs)).toEqual([]);
});

it('a job that brings a report needs no touch set, and no other is warned because of it', () => {
  const report = { ...job('look', []), brings: 'report' } as const;
  expect(warningsOf([report, job('api', [])])).toEqual([]);
  expect(warningsOf([report, job('api', []), job('page', ['src/'])])).toEqual([
    '1 job has no touch_set, so it may change any file while other jobs run: api',
  ]);
});

const piece = fc.constantFrom('a', 'b', 'ab', '*', 'a*', '*b', '**');
const glob = fc.array(piece, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'));
const plan = fc
  .array(fc.tuple(fc.array(glob, { maxLength: 3 }), fc.array(fc.nat(6), { maxLength: 2 })), { maxLength: 7 })
  .map((jobs) =>
    jobs.map(([globs, before], at) =>
      job(
        `j${at}`,
        globs,
        before.filter((one) => one < at).map((one) => `j${one}`),
      ),
    ),
  );

it('finds each pair that a comparison of every glob with every other finds, and no more', () => {
  fc.assert(
    fc.property(plan, (jobs) => {
      const together = mayRunTogether(jobs);
      const pairs = jobs.flatMap((a, x) =>
        jobs
          .filter(
            (b, y) =>
              x < y && together(x, y) && a.touchSet.some((one) => b.touchSet.some((other) => mayOverlap(one, other))),
          )
          .map((b) => [a.name, b.name]),
      );
      const found = overlapsOf(jobs);
      expect(found.map(({ a, b }) => [a, b])).toEqual(pairs);
      for (const { a, b, globs } of found) {
        expect(mayOverlap(...globs)).toBe(true);
        expect(jobs.find(({ name }) => name === a)?.touchSet).toContain(globs[0]);
        expect(jobs.find(({ name }) => name === b)?.touchSet).toContain(globs[1]);
      }
    }),
    { numRuns: 300 },
  );
});

it('warns in a sentence for each pair, and in one for all jobs without a touch set', () => {
  const jobs = [
    job('api', ['src/']),
    job('ui', ['src/ui/']),
    job('web', ['src/ui/'], ['api']),
    job('x', []),
    job('y', []),
  ];
  expect(warningsOf(jobs)).toEqual([
    'api and ui may run at the same time and change the same files, api by src/ and ui by src/ui/',
    'ui and web may run at the same time and change the same files, both by src/ui/',
    '2 jobs have no touch_set, so each may change any file while other jobs run: x, y',
  ]);
});

it('does not warn of a job without a touch set that runs alone', () => {
  expect(warningsOf([job('a', []), job('b', ['src/'], ['a'])])).toEqual([]);
  expect(warningsOf([job('a', []), job('b', ['src/'])])).toEqual([
    '1 job has no touch_set, so it may change any file while other jobs run: a',
  ]);
});

it('counts the pairs of a plan that has very many', () => {
  const warnings = warningsOf(Array.from({ length: 100 }, (_, at) => job(`j${at}`, ['src/'])));
  expect(warnings).toHaveLength(21);
  expect(warnings.at(-1)).toBe('4930 more pairs of jobs may run at the same time and change the same files');
});
