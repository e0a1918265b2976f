// Words that a parser on the way to tmux might take for something else.
import fc from 'fast-check';

const nasty = [
  '~',
  '$',
  '#',
  '{',
  '}',
  ';',
  '\\',
  '"',
  "'",
  '\n',
  '\r',
  '\t',
  '%',
  ' ',
  '\x1b',
  '\x7f',
  'é',
  '😀',
  '(',
  '-',
];
export const word = fc.oneof(
  fc.string({ unit: fc.constantFrom(...nasty, 'a', 'HOME', '#{pid}', '#(x)', '%if', '\\;') }),
  fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\0', '')),
);

/** Every one of them alone, and all at once forwards and backwards. */
export const nastyWords: readonly string[] = [
  ...[...nasty, 'HOME', '#{pid}', '#(x)', '%if', '\\;', ''],
  nasty.join(''),
  [...nasty].reverse().join(''),
  nasty.map((one) => `a${one}b `).join(''),
];
