// Whether the screen shows that the agent took a text: one more copy is on the screen, outside the prompt.
import { rowsOf } from '../screen-rows.ts';
import type { ScreenPatterns } from './configuration.ts';
import { findPrompt, readScreen } from './screen.ts';

/** The search uses the end of a long text: its beginning may have left the screen. */
const needleLength = 60;
/** A shorter text is part of too many words; it must be a whole row. */
const shortLength = 4;

export function shownTaken(
  screens: { readonly before: string; readonly after: string },
  text: string,
  patterns: ScreenPatterns,
): string | undefined {
  const reading = readScreen(screens.after, patterns);
  const isLeft = reading.busy !== undefined || reading.draft === '';
  if (!isLeft || reading.dialog !== undefined) return undefined;
  const before = echoesOf(screens.before, text, patterns);
  if (echoesOf(screens.after, text, patterns) <= before) return undefined;
  return reading.busy === undefined
    ? 'the text stands above an empty prompt'
    : `the text stands on the screen, and a turn runs: ${reading.busy}`;
}

/** Blanks and the lines of boxes depend on the width of the screen. */
const letters = (text: string): string => text.normalize('NFC').replace(/[\s\u2500-\u259f]/gu, '');

function echoesOf(screen: string, text: string, patterns: ScreenPatterns): number {
  const rows = rowsOf(screen);
  const filled = rows.slice(0, rows.findLastIndex((row) => row.text !== '') + 1);
  const own = findPrompt(filled, patterns)?.index;
  const shown = filled.filter((_, index) => index !== own).map((row) => row.text);
  const needle = letters(text).slice(-needleLength);
  if (needle.length < shortLength) return shown.filter((row) => withoutPrompt(row, patterns) === needle).length;
  return letters(shown.join('')).split(needle).length - 1;
}

const withoutPrompt = (row: string, { prompt }: ScreenPatterns): string => {
  const match = prompt.exec(row);
  return letters(match === null ? row : row.slice(match.index + match[0].length));
};
