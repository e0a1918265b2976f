import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { quote, quoted } from '../../src/model/quote.ts';

test.each([
  ['plain-1.2/x', 'plain-1.2/x'],
  ['user@host:80', 'user@host:80'],
  ["a'b $x", `'a'\\''b $x'`],
  ['', "''"],
  ['~', "'~'"],
  ['A=b', 'A=b'],
  ['=b', "'=b'"],
])('%j is written %s', (text, written) => {
  expect(quote(text)).toBe(written);
});

test('any word is itself again for a shell, as an argument', () => {
  const word = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\0', ''));
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 20 }), (words) => {
      const line = words.flatMap((text) => [quote(text), quoted(text)]).join(' ');
      const read = execFileSync('sh', ['-c', `printf '%s\\0' ${line}`], { encoding: 'utf8' });
      expect(read.split('\0').slice(0, -1)).toEqual(words.flatMap((text) => [text, text]));
    }),
    { numRuns: 50 },
  );
});
