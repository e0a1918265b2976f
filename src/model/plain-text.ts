// Text of workers and of other programs, made safe for a person's terminal.

/** What a terminal would obey: control characters, and those that change the order or the look of others. */
const obeyed = /(?!\n)[\p{Cc}\p{Cf}]/gu;

/** Keeps no character that a terminal would obey; line ends stay. */
export const plain = (text: string): string => text.replace(/\t/g, '  ').replace(obeyed, '');

/** JSON for a program or a person at a terminal: the same value, with an escape for what a terminal would obey. */
export const plainJson = (value: unknown, indent = 2): string =>
  `${JSON.stringify(value, null, indent).replace(obeyed, (char) => char.replace(/[\s\S]/g, escaped))}\n`;

const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

export const oneLine = (text: string): string => plain(text).replace(/\s+/g, ' ').trim();

/** What draws lines over those of before without a blink; the cursor ends at the top. */
export function overScreen(text: string): string {
  const lines = text.split('\n');
  // Behind a line as wide as the terminal, an erasing would take its last character.
  const drawn = lines.map((line, at) => `\u001b[${at === lines.length - 1 ? 'J' : 'K'}${line}\u001b[0m`);
  return `\u001b[H${drawn.join('\r\n')}\u001b[H`;
}
