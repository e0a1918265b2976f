// The beginning of a message, which is typed and looked at before the rest.
import type { Keystroke } from '../model/keystroke.ts';

const longestFirst = 80;
/** One key takes such a character back, and every terminal shows it: no marks, no pictures, nothing invisible. */
const odd = /[\p{M}\p{C}\p{Extended_Pictographic}\p{Regional_Indicator}\ufffd]/u;
const picture = /\.(?:png|jpe?g|gif|webp|bmp|tiff?)["']?$/i;
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Both parts make up `text`. The first is short and plain, and never the path of a picture. */
export function splitFirst(text: string, longest = longestFirst): { readonly first: string; readonly rest: string } {
  let first = '';
  for (const { segment } of graphemes.segment(text)) {
    // A line feed counts as odd: the piece must fit into the box of a low pane.
    if (first.trim() !== '' && (odd.test(segment) || first.length + segment.length > longest)) break;
    first += segment;
  }
  if (first === text) return { first, rest: '' };
  const kept = first.trimEnd();
  const end = picture.test(kept) ? kept.slice(0, -2) : kept;
  return { first: end, rest: text.slice(end.length) };
}

/** Takes a text back from before the cursor. */
export const eraseOf = (text: string): readonly Keystroke[] => {
  const times = [...graphemes.segment(text)].length;
  return times === 0 ? [] : [{ press: 'BSpace', times }];
};
