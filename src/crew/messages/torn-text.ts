// Decides whether the prompt box shows a beginning of a text of ours, and nothing else. Pure.
import type { ScreenReading, TypingPlan } from '../../agents/agent.ts';
import { type BoxWait, isStill, late, placeholder, type TypingStep, takeBack } from './prompt-box.ts';

type Typed = Pick<TypingPlan, 'first' | 'whole'>;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const isBlank = (sign: string | undefined): boolean => sign !== undefined && /\s/.test(sign);
/** A screen may leave these out: marks, pictures, invisible characters. It never shows others in their place. */
const isOdd = (sign: string | undefined): boolean =>
  sign !== undefined && /[\p{M}\p{C}\p{Extended_Pictographic}\p{Regional_Indicator}]/u.test(sign) && !isBlank(sign);

/**
 * How many keys take back what the box shows, where that is a beginning of the text and nothing else. Undefined for any
 * other text: it is a person's. An empty box needs none.
 */
export function keysForBeginning(draft: string, { first, whole }: Typed): number | undefined {
  if (!whole.isReadable) return undefined;
  const wanted = [whole.shows, first.shows].map((ours) => beginningShown(draft.trim(), ours));
  const beginning = wanted.find((one) => one !== undefined);
  // One key takes back the words that stand for a long paste.
  return beginning === undefined ? undefined : [...graphemes.segment(beginning.replace(placeholder, '*'))].length;
}

/** The beginning of our text that these rows show, with the blanks after it, which a box does not show. */
function beginningShown(shown: string, ours: string): string | undefined {
  const text = [...ours.normalize('NFC')];
  const pass = (from: number, is: (sign: string | undefined) => boolean): number => {
    let to = from;
    while (is(text[to])) to += 1;
    return to;
  };
  let at = pass(0, isBlank);
  if (shown === '') return '';
  for (const [part = ''] of shown.normalize('NFC').matchAll(/\s+|\S/gu)) {
    if (isBlank(part)) {
      // A row ends at a blank, at a line feed, or within a long word.
      const isPassed = isBlank(text[at]) || part.includes('\n');
      at = pass(at, isPassed ? isBlank : isOdd);
      if (!isPassed && !isBlank(text[at])) return undefined;
      continue;
    }
    const lost = text[at] === part ? at : pass(at, isOdd);
    at = lost > at && text[lost] !== part ? pass(lost, (sign) => isOdd(sign) || isBlank(sign)) : lost;
    if (text[at] !== part) return undefined;
    at += 1;
  }
  return text.slice(0, pass(at, isBlank)).join('');
}

const probes = '~^=;+%ZQXJKVWY';

/**
 * A sign that does not occur in the text. Once the box shows it, the agent has taken in every key that was pressed
 * before it: a person's, too. Undefined where the text has all of them.
 */
export const probeFor = ({ first, whole }: Typed): string | undefined =>
  [...probes].find((sign) => !whole.shows.includes(sign) && !first.shows.includes(sign));

/** After the probe was typed: `go-on` where it stands behind a beginning of the text, or alone. */
export function stepAtProbe(
  { draft, dialog }: ScreenReading,
  { typed, probe }: { readonly typed: Typed; readonly probe: string },
  waited: BoxWait,
): TypingStep {
  if (draft === undefined) {
    if (dialog !== undefined) return late(waited, { do: 'give-up', reason: 'dialog', seen: dialog.title });
    return late(waited, { do: 'give-up', reason: 'no-box', seen: '' });
  }
  if (!draft.includes(probe)) return late(waited, { do: 'give-up', reason: 'undrawn', seen: '' });
  if (beforeProbe(draft, { typed, probe }) === undefined) return takeBack(draft, waited);
  return isStill(waited) ? { do: 'go-on' } : { do: 'wait' };
}

/** The keys that take back what stands before the probe; undefined where other text does, or stands behind it. */
export function beforeProbe(
  draft: string,
  { typed, probe }: { readonly typed: Typed; readonly probe: string },
): number | undefined {
  const box = draft.trim();
  return box.endsWith(probe) ? keysForBeginning(box.slice(0, -probe.length), typed) : undefined;
}

/** After the keys that empty the box. */
export function stepAtEmptied({ draft }: ScreenReading, typed: Typed, waited: BoxWait): TypingStep {
  if (draft === '') return isStill(waited) ? { do: 'go-on' } : { do: 'wait' };
  if (draft === undefined) return late(waited, { do: 'give-up', reason: 'no-box', seen: '' });
  return late(waited, {
    do: 'give-up',
    reason: 'undrawn',
    seen: keysForBeginning(draft, typed) === undefined ? draft : '',
  });
}
