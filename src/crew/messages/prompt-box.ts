// Decides by the prompt box on the screen whether typing into it goes on. Pure.
import type { ScreenReading, TypingPlan } from '../../agents/agent.ts';

export type TypingStep =
  | { readonly do: 'go-on' }
  | { readonly do: 'wait' }
  /** The box shows other text, too. */
  | { readonly do: 'take-back'; readonly seen: string }
  | { readonly do: 'give-up'; readonly reason: 'no-box' | 'dialog' | 'undrawn'; readonly seen: string };

export interface BoxWait {
  readonly forMs: number;
  readonly ceilingMs: number;
  /** For how long the box has shown the same: half a redraw lasts a moment. */
  readonly stillMs: number;
}

const stillEnoughMs = 150;
/** A dialog that stays is no half redraw. */
const dialogMs = 1_000;
/** A box that comes into sight at all has done so by then. */
const unseenMs = 1_500;
/** A box shows a text of no more than this in full. */
const fitsChars = 200;
const fitsRows = 5;
/** So many letters at the end tell one text from another. */
const distinctChars = 60;

/** After the first piece was typed. */
export function stepAtFirst(
  reading: ScreenReading,
  plan: Pick<TypingPlan, 'first' | 'whole'>,
  waited: BoxWait,
): TypingStep {
  const { draft, draftEnd } = reading;
  const text = draft ?? draftEnd;
  if (text === undefined) return stepWithoutBox(reading, waited, !plan.whole.isReadable);
  const ours = lettersOf(plan.first.shows);
  const shown = lettersOf(text);
  // Of a box taller than the screen, the end alone is in sight.
  const isOurs = draft === undefined ? shown !== '' && ours.endsWith(shown) : isSame(shown, ours);
  if (isOurs) return { do: 'go-on' };
  if (shown.includes(ours)) return takeBack(text, waited);
  const isPart = draft !== undefined && ours.startsWith(shown);
  return late(waited, { do: 'give-up', reason: 'undrawn', seen: isPart ? '' : text });
}

/** After the whole text was typed. */
export function stepAtWhole(
  reading: ScreenReading,
  { first, whole }: Pick<TypingPlan, 'first' | 'whole'>,
  waited: BoxWait,
): TypingStep {
  if (!whole.isReadable) return { do: 'go-on' };
  const text = reading.draft ?? reading.draftEnd;
  if (text === undefined) return stepWithoutBox(reading, waited, isLong(whole.shows));
  const ours = lettersOf(whole.shows);
  const shown = lettersOf(text);
  if (isSame(shown, ours)) return { do: 'go-on' };
  const mayHide = reading.draft === undefined || placeholder.test(text) || isLong(whole.shows);
  const part = mayHide ? partOf(text, whole.shows) : undefined;
  if (part === 'end') return { do: 'go-on' };
  const isComing = part === 'middle' || ours.startsWith(shown) || isSame(shown, lettersOf(first.shows));
  if (isComing) return late(waited, { do: 'give-up', reason: 'undrawn', seen: '' });
  return takeBack(text, waited);
}

/** `mayBeHidden`: the box may hold the text although the screen shows no box. */
function stepWithoutBox({ dialog }: ScreenReading, waited: BoxWait, mayBeHidden: boolean): TypingStep {
  if (dialog !== undefined && waited.forMs > dialogMs) return { do: 'give-up', reason: 'dialog', seen: dialog.title };
  if (dialog === undefined && mayBeHidden && waited.forMs > unseenMs) return { do: 'go-on' };
  return late(waited, { do: 'give-up', reason: 'no-box', seen: '' });
}

/** After the keys that take a piece back: the box may show what it showed without that piece. */
export function stepAfterUndo(
  reading: ScreenReading,
  { seen, piece }: { readonly seen: string; readonly piece: string },
  waited: BoxWait,
): TypingStep {
  const draft = reading.draft ?? reading.draftEnd;
  const shown = lettersOf(draft ?? '');
  const left = without(lettersOf(seen), lettersOf(piece));
  const isRest = left.length === 0 && isStill(waited) && lettersOf(seen).includes(shown);
  // Rows that were out of sight may have come back into a tall box.
  const isIt = (one: string) => shown === one || (one.length > distinctChars && shown.endsWith(one));
  if (draft !== undefined && (isRest || left.some(isIt))) return { do: 'go-on' };
  return late(waited, { do: 'give-up', reason: draft === undefined ? 'no-box' : 'undrawn', seen: draft ?? '' });
}

export const isStill = ({ stillMs }: BoxWait): boolean => stillMs >= stillEnoughMs;

export const takeBack = (seen: string, waited: BoxWait): TypingStep =>
  isStill(waited) ? { do: 'take-back', seen } : { do: 'wait' };

const isLong = (text: string): boolean => text.length > fitsChars || text.split('\n').length > fitsRows;

/** As long as the box changes, the agent still draws. */
export const late = ({ stillMs, ceilingMs }: BoxWait, step: TypingStep): TypingStep =>
  stillMs > ceilingMs ? step : { do: 'wait' };

/** A box shows these words in place of a long paste, or of the middle of a long text. */
export const placeholder = /\[(?:\.\.\.|…)?(?:Pasted|Truncated) [^\]\n]*\]/;

/** Whether the shown text consists of pieces of the whole in their order, and whether they end with its end. */
function partOf(text: string, whole: string): 'end' | 'middle' | undefined {
  const ours = lettersOf(whole.replace(placeholder, ''));
  const pieces = text.split(new RegExp(placeholder, 'g')).map(lettersOf);
  const last = pieces.pop() ?? '';
  let from = 0;
  for (const piece of pieces) {
    const at = ours.indexOf(piece, from);
    if (at < 0) return undefined;
    from = at + piece.length;
  }
  if (ours.slice(from).endsWith(last)) return 'end';
  return ours.includes(last, from) ? 'middle' : undefined;
}

/** A screen may show these otherwise than they were typed: blanks, marks, pictures, invisible characters. */
const unsteady = /[\s\p{M}\p{C}\p{Extended_Pictographic}\p{Regional_Indicator}\ufffd]/gu;

function lettersOf(text: string): string {
  const letters = text.normalize('NFD').replace(unsteady, '');
  return letters === '' ? text.replace(/\s/g, '') : letters;
}

/** So many ASCII letters identify a text of which the terminal cannot show the other letters. */
const fewestPlain = 4;

function isSame(shown: string, ours: string): boolean {
  if (shown === ours) return true;
  const [shownPlain, oursPlain] = [plainOf(shown), plainOf(ours)];
  const isOddLost = shown.length - shownPlain.length <= ours.length - oursPlain.length;
  return oursPlain.length >= fewestPlain && shownPlain === oursPlain && isOddLost;
}

const plainOf = (letters: string): string => letters.replace(/[^!-~]/g, '');

/** The text without one occurrence of the piece, for each there is. */
function without(text: string, piece: string): readonly string[] {
  const left: string[] = [];
  for (let at = text.indexOf(piece); at >= 0; at = text.indexOf(piece, at + 1))
    left.push(text.slice(0, at) + text.slice(at + piece.length));
  return left;
}
