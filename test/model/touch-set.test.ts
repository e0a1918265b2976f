import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { covers, mayOverlap, outside, problemOfGlob } from '../../src/model/touch-set.ts';

describe('mayOverlap', () => {
  it.each<[string, string, boolean]>([
    ['src/a/', 'src/b/', false],
    ['src/a/', 'src/a', true],
    ['src/', 'src/b/c.ts', true],
    ['src', 'srcs', false],
    ['src/a.ts', 'src/a.ts', true],
    ['*.md', 'docs/', false],
    ['*.md', 'README.md', true],
    ['*.md', '*.ts', false],
    ['*.md', 'docs*', true],
    ['docs/*.md', 'docs/*.txt', false],
    ['docs/a*', 'docs/*b', true],
    ['docs/a*b*c', 'docs/ad*c', true],
    ['docs/a*', 'docs/b*', false],
    ['src/*/x.ts', 'src/y/z.ts', false],
    ['src/*/x.ts', 'src/y/', true],
    ['src/**/x.ts', 'src/y/', true],
    ['src/**/x.ts', 'lib/y/', false],
    // Each covers all below, so a/x.ts/y.ts is in both.
    ['src/**/x.ts', 'src/**/y.ts', true],
    ['**', 'a/b', true],
    ['./src//a', 'src/a/', true],
    ['a.c', 'abc', false],
  ])('%s and %s: %s', (a, b, isSo) => {
    expect([mayOverlap(a, b), mayOverlap(b, a)]).toEqual([isSo, isSo]);
  });

  const name = fc
    .string({ unit: fc.constantFrom('a', 'b', '.'), minLength: 1, maxLength: 3 })
    .filter((one) => !/^\.+$/.test(one));
  const piece = fc.oneof(
    name,
    fc.constantFrom('*', '**'),
    fc.string({ unit: fc.constantFrom('a', 'b', '*'), minLength: 1, maxLength: 4 }),
  );
  const globOf = fc.array(piece, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));

  /** A glob that covers the path, by blurring it and cutting its end. */
  const blurred = (path: readonly string[]) =>
    fc
      .tuple(
        fc.tuple(...path.map((one) => fc.constantFrom(one, '*', '**', `${one.slice(0, 1)}*`, `*${one.slice(-1)}`))),
        fc.integer({ min: 1, max: path.length }),
      )
      .map(([names, kept]) => names.slice(0, kept).join('/'));

  it('is true wherever a path is covered by both', () => {
    const pathAndGlobs = fc
      .array(name, { minLength: 1, maxLength: 4 })
      .chain((path) => fc.tuple(fc.constant(path.join('/')), blurred(path), blurred(path)));
    fc.assert(
      fc.property(pathAndGlobs, ([path, a, b]) => {
        expect([covers(a, path), covers(b, path)]).toEqual([true, true]);
        expect(mayOverlap(a, b)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('agrees with a search of all short paths', () => {
    const further = (paths: readonly string[]) => paths.flatMap((path) => [`${path}/a`, `${path}/b`]);
    const byLength = [['a', 'b']];
    while (byLength.length < 6) byLength.push(further(byLength.at(-1) ?? []));
    const paths = byLength.flat();
    const short = fc.array(fc.constantFrom('a', 'b', '*', '**'), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(short, short, (one, other) => {
        const [a, b] = [one.join('/'), other.join('/')];
        expect(mayOverlap(a, b)).toBe(paths.some((path) => covers(a, path) && covers(b, path)));
      }),
      { numRuns: 300 },
    );
  });

  it('agrees with a search of all short names', () => {
    const further = (names: readonly string[]) => names.flatMap((one) => [`${one}a`, `${one}b`]);
    const byLength = [['a', 'b']];
    while (byLength.length < 8) byLength.push(further(byLength.at(-1) ?? []));
    const names = byLength.flat();
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '*'), minLength: 1, maxLength: 4 });
    const pattern = letters.filter((one) => one !== '**');
    fc.assert(
      fc.property(pattern, pattern, (a, b) => {
        expect(mayOverlap(a, b)).toBe(names.some((one) => covers(a, one) && covers(b, one)));
      }),
      { numRuns: 300 },
    );
  });

  it('is the same both ways, and true of a glob and itself', () => {
    fc.assert(
      fc.property(globOf, globOf, (a, b) => {
        expect(mayOverlap(a, b)).toBe(mayOverlap(b, a));
        expect(mayOverlap(a, a)).toBe(true);
      }),
    );
  });
});

it('many paths that were accepted one by one are found soon', () => {
  const paths = Array.from({ length: 20_000 }, (_, at) => `made/file${at}.ts`);
  expect(outside(['src/', ...paths], [...paths, 'src/a.ts', 'other.ts'])).toEqual(['other.ts']);
});

describe('problemOfGlob', () => {
  it.each([
    ['/etc/passwd', 'it is absolute'],
    ['~/notes', 'it is absolute'],
    ['', 'it is empty'],
    [' ', 'it is empty'],
    ['./', 'it is empty'],
    ['../other', 'it leaves the repository'],
    ['src/../../other', 'it leaves the repository'],
    ['.git', "it names git's own folder"],
    ['sub/.GIT/hooks', "it names git's own folder"],
    ['!src/', 'it is negated'],
    ['src/*.{ts,txt}', 'braces stand for themselves in it, so it needs one glob for each choice'],
    ['{src/a,docs}/', 'braces stand for themselves in it, so it needs one glob for each choice'],
    ['f{1..3}.ts', 'braces stand for themselves in it, so it needs one glob for each choice'],
  ])('refuses %j: %s', (glob, problem) => {
    expect(problemOfGlob(glob)).toBe(problem);
  });

  it.each(['src/', '**', '*.md', '.github/', '.gitignore', 'a..b', './docs', 'src/a!b', 'src/{id}.ts'])(
    'takes %j',
    (glob) => {
      expect(problemOfGlob(glob)).toBeUndefined();
    },
  );
});
