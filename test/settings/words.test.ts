import fc from 'fast-check';
import { expect, it } from 'vitest';
import { splitWords } from '../../src/settings/words.ts';

it.each([
  ['claude', ['claude']],
  ['  my-claude --flag  value ', ['my-claude', '--flag', 'value']],
  [`wrap 'a b' "c d"`, ['wrap', 'a b', 'c d']],
  [`--x="y z"'!'`, ['--x=y z!']],
  [`a\\ b`, ['a b']],
  [`"say \\"hi\\" for \\$5 \\n"`, ['say "hi" for $5 \\n']],
  [`'it''s'`, ['its']],
  [`""`, ['']],
  ['$HOME/*.sh ~', ['$HOME/*.sh', '~']],
  ['', []],
  [`'open`, undefined],
  [`"open`, undefined],
  ['open\\', undefined],
])('%j splits into %j', (line, words) => {
  expect(splitWords(line)).toEqual(words);
});

it('gives back any words that were quoted for a shell', () => {
  const quote = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;
  fc.assert(
    fc.property(fc.array(fc.string()), (words) => {
      expect(splitWords(words.map(quote).join(' '))).toEqual(words);
    }),
  );
});
