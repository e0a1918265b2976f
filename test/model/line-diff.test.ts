import fc from 'fast-check';
import { expect, it } from 'vitest';
import { lineDiff } from '../../src/model/line-diff.ts';

const numbered = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}`);

it.each<[why: string, before: string, after: string, diff: string]>([
  ['nothing differs', 'a\nb\n', 'a\nb\n', ''],
  ['the file is new', '', 'a\nb\n', '@@ -1 +1 @@\n+a\n+b'],
  ['all goes', 'a\n', '', '@@ -1 +1 @@\n-a'],
  ['a line changes', 'a\nb\nc\n', 'a\nB\nc\n', '@@ -1 +1 @@\n a\n-b\n+B\n c'],
  [
    'two places are far apart',
    numbered(20).join('\n'),
    ['first', ...numbered(20), 'last'].join('\n'),
    ['@@ -1 +1 @@\n+first\n line 1\n line 2\n line 3', '@@ -18 +19 @@\n line 18\n line 19\n line 20\n+last'].join('\n'),
  ],
])('where %s, that is what it shows', (_, before, after, diff) => {
  expect(lineDiff(before, after)).toBe(diff);
});

const text = fc
  .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 })
  .map((lines) => lines.map((one) => `${one}\n`).join(''));

it('of short texts, taking away and adding what it says makes the one of the other', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const rows = lineDiff(before, after)
        .split('\n')
        .filter((row) => !row.startsWith('@@') && row !== '');
      const without = (mark: string) => rows.filter((row) => !row.startsWith(mark)).map((row) => row.slice(1));
      const has = (whole: string, part: readonly string[]) =>
        `\n${whole}`.includes(`\n${part.map((one) => `${one}\n`).join('')}`);
      // What lies between two hunks is the same in both.
      expect(
        lineDiff(before, after).split('@@ -').length <= 2
          ? has(before, without('+')) && has(after, without('-'))
          : true,
      ).toBe(true);
      const [more, less] = ['+', '-'].map((mark) => rows.filter((row) => row.startsWith(mark)).length);
      expect(after.split('\n').length - before.split('\n').length).toBe((more ?? 0) - (less ?? 0));
    }),
  );
});

it('gives up on the fewest lines of very large changes, and stays right', () => {
  const [before, after] = [numbered(3_000), numbered(3_000).map((line) => `${line}!`)];
  const rows = lineDiff(before.join('\n'), after.join('\n')).split('\n').slice(1);
  expect(rows).toEqual([...before.map((line) => `-${line}`), ...after.map((line) => `+${line}`)]);
});
