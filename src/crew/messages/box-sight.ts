// What a look at the prompt box means for a message that is being typed into it. Pure.
import type { ScreenReading, TypingPlan } from '../../agents/agent.ts';

export type Step =
  | { readonly do: 'go-on' }
  | { readonly do: 'wait' }
  /** Other text stands there, too. */
  | { readonly do: 'take-back'; readonly seen: string }
  | { readonly do: 'give-up'; readonly reason: 'no-box' | 'dialog' | 'undrawn'; readonly seen: string };

export interface Waited {
  readonly forMs: number;
  readonly ceilingMs: number;
  /** For how long the box has shown the same: half a redraw stands for a moment. */
  readonly stillMs: number;
}

const stillEnoughMs = 150;
/** A dialog that stays is no half redraw. */
const dialogMs = 1_000;
/** By then a box that can be seen at all would have been seen. */
const unseenMs = 1_500;
/** A longer text may not fit into its box. */
const surelyWhole = 200;
const surelyPart = 60;
const mostRows = 5;

export function stepAtFirst(reading: ScreenReading, plan: Pick<TypingPlan, 'first' | 'whole'>, waited: Waited): Step {
  const { draft, draftEnd, dialog } = reading;
  const ours = lettersOf(plan.first.shows);
  if (draft === undefined && draftEnd !== undefined) return stepAtTall(draftEnd, ours, waited);
  if (draft === undefined) {
    if (dialog !== undefined && waited.forMs > dialogMs) return { do: 'give-up', reason: 'dialog', seen: dialog.title };
    if (dialog === undefined && !plan.whole.isReadable && waited.forMs > unseenMs) return { do: 'go-on' };
    return late(waited, { do: 'give-up', reason: 'no-box', seen: '' });
  }
  const shown = lettersOf(draft);
  if (isSame(shown, ours)) return { do: 'go-on' };
  if (shown.includes(ours)) return isStill(waited) ? { do: 'take-back', seen: draft } : { do: 'wait' };
  return late(waited, { do: 'give-up', reason: 'undrawn', seen: ours.startsWith(shown) ? '' : draft });
}

/** A beginning alone fills no screen, unless that has next to no rows. */
function stepAtTall(draftEnd: string, ours: string, waited: Waited): Step {
  const shown = lettersOf(draftEnd);
  if (shown !== '' && ours.endsWith(shown)) return { do: 'go-on' };
  if (shown.includes(ours)) return isStill(waited) ? { do: 'take-back', seen: draftEnd } : { do: 'wait' };
  return late(waited, { do: 'give-up', reason: 'undrawn', seen: draftEnd });
}

export function stepAtWhole(
  reading: ScreenReading,
  { first, whole }: Pick<TypingPlan, 'first' | 'whole'>,
  waited: Waited,
): Step {
  if (!whole.isReadable) return { do: 'go-on' };
  const text = reading.draft ?? reading.draftEnd;
  const ours = lettersOf(whole.shows);
  if (text === undefined) {
    const { dialog } = reading;
    if (dialog !== undefined && waited.forMs > dialogMs) return { do: 'give-up', reason: 'dialog', seen: dialog.title };
    if (dialog === undefined && isLong(whole.shows) && waited.forMs > unseenMs) return { do: 'go-on' };
    return late(waited, { do: 'give-up', reason: 'no-box', seen: '' });
  }
  const shown = lettersOf(text);
  if (isSame(shown, ours)) return { do: 'go-on' };
  const mayHide = reading.draft === undefined || placeholder.test(text) || isLong(whole.shows);
  const part = mayHide ? partOf(text, whole.shows) : undefined;
  if (part === 'end') return { do: 'go-on' };
  const isComing = part === 'middle' || ours.startsWith(shown) || isSame(shown, lettersOf(first.shows));
  if (isComing) return late(waited, { do: 'give-up', reason: 'undrawn', seen: '' });
  return isStill(waited) ? { do: 'take-back', seen: text } : { do: 'wait' };
}

/** After the keys that take a piece back: what may stand there is what stood there without it. */
export function stepAfterUndo(
  reading: ScreenReading,
  { seen, piece }: { readonly seen: string; readonly piece: string },
  waited: Waited,
): Step {
  const draft = reading.draft ?? reading.draftEnd;
  const shown = lettersOf(draft ?? '');
  const left = without(lettersOf(seen), lettersOf(piece));
  const isRest = left.length === 0 && isStill(waited) && lettersOf(seen).includes(shown);
  // Rows that were out of sight may have come back into a tall box.
  const isIt = (one: string) => shown === one || (one.length > surelyPart && shown.endsWith(one));
  if (draft !== undefined && (isRest || left.some(isIt))) return { do: 'go-on' };
  return late(waited, { do: 'give-up', reason: draft === undefined ? 'no-box' : 'undrawn', seen: draft ?? '' });
}

const isStill = ({ stillMs }: Waited): boolean => stillMs >= stillEnoughMs;

const isLong = (text: string): boolean => text.length > surelyWhole || text.split('\n').length > mostRows;

/** As long as the box changes, the agent draws. */
const late = ({ stillMs, ceilingMs }: Waited, step: Step): Step => (stillMs > ceilingMs ? step : { do: 'wait' });

/** Where a box shows a long paste, or the middle of a long text, by a few words. */
const placeholder = /\[(?:\.\.\.|…)?(?:Pasted|Truncated) [^\]\n]*\]/;

/** Whether what is seen are pieces of the text in their order, and whether they end with its end. */
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

/** What a screen may show otherwise than it was typed: blanks, marks, pictures, what is invisible. */
const unsteady = /[\s\p{M}\p{C}\p{Extended_Pictographic}\p{Regional_Indicator}\ufffd]/gu;

export function lettersOf(text: string): string {
  const letters = text.normalize('NFD').replace(unsteady, '');
  return letters === '' ? text.replace(/\s/g, '') : letters;
}

/** Enough to tell a text by, where a terminal has no picture for its other letters. */
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
