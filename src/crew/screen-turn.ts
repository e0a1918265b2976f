// What looks at the screen of an agent mean, of which nothing else tells. Pure.
import type { ScreenReading } from '../agents/agent.ts';
import type { Dialog } from '../model/turn.ts';

/** The looks so far. */
export interface Watched {
  readonly frame: string;
  readonly changedAt: number;
  /** It was the same at the look before. */
  readonly isStill: boolean;
}

/** A screen that was never looked at counts as changed just now. */
export function watchedOn(last: Watched | undefined, frame: string, at: number): Watched {
  if (last?.frame === frame) return { ...last, isStill: true };
  return { frame, changedAt: at, isStill: false };
}

export type Finding =
  | { readonly is: 'dialog'; readonly dialog: Dialog }
  | { readonly is: 'rests' }
  | { readonly is: 'stirs'; readonly detail: string };

/** Only an empty prompt on a screen that has stood still is rest; what cannot be told is none. */
export function findingOf(
  reading: ScreenReading,
  still: { readonly isStill: boolean; readonly isQuiet: boolean },
): Finding {
  const { dialog, busy, draft } = reading;
  if (dialog !== undefined && still.isStill) return { is: 'dialog', dialog };
  if (busy !== undefined) return { is: 'stirs', detail: `it shows: ${short(busy)}` };
  if (!still.isQuiet) return { is: 'stirs', detail: 'the screen changes' };
  if (draft === undefined) return { is: 'stirs', detail: 'the screen stands still and shows no prompt' };
  if (draft !== '') return { is: 'stirs', detail: `in the prompt stands: ${short(draft)}` };
  if (reading.ready !== true)
    return { is: 'stirs', detail: 'its prompt is in sight, and nothing yet that says it is ready' };
  return { is: 'rests' };
}

const short = (text: string): string => (text.length > 80 ? `${text.slice(0, 79)}…` : text);
