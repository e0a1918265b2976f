import { expect, it } from 'vitest';
import { pictureOf } from '../../scripts/picture/svg.ts';

it('styles, words, rules and signs of a screen each get their place in a picture', () => {
  const rows = ['\u001b[1;38;5;196mada\u001b[0m  a<b \u001b[2m──\u001b[0m', '\u001b[30;42m●\u001b[7m x '];
  expect(
    pictureOf({ columns: 10, windows: [{ title: 'T & T', rows }] }, 'What it shows')
      .split('\n')
      .slice(9),
  ).toMatchInlineSnapshot(`
    [
      "<g transform="translate(12 42)">",
      "<text x="0" y="13" textLength="25.2" lengthAdjust="spacingAndGlyphs" fill="#ff0000" font-weight="bold">ada</text>",
      "<text x="42" y="13" textLength="25.2" lengthAdjust="spacingAndGlyphs" fill="#d5dbe3">a&lt;b</text>",
      "<path d="M75.6 9h16.8" stroke="#d5dbe3"/>",
      "<rect x="0" y="18" width="8.4" height="18" fill="#6cc789"/>",
      "<text x="0" y="31" fill="#0d1117">●</text>",
      "<rect x="8.4" y="18" width="25.2" height="18" fill="#0d1117"/>",
      "<text x="16.8" y="31" fill="#6cc789">x</text>",
      "</g>",
      "</g>",
      "</svg>",
      "",
    ]
  `);
});

it('a style that no picture can show yet is refused by its numbers', () => {
  const draw = (row: string) => pictureOf({ columns: 4, windows: [{ title: '', rows: [row] }] }, '');
  expect(() => draw('\u001b[1;9mx')).toThrow('No picture shows the style 1;9 yet');
  expect(() => draw('\u001b[38;2;1;2;3mx')).toThrow('No picture shows the style 38;2;1;2;3 yet');
});
