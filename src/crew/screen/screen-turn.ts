// What looks at the screen of an agent mean, of which nothing else tells. Pure.
import type { ScreenReading } from '../../agents/agent.ts';
import type { Dialog } from '../../model/turn.ts';

/** The looks so far. */
export interface Watched {
  readonly frame: string;
  /** In rows; it changes when another pane comes into the window or goes. */
  readonly height: number;
  readonly changedAt: number;
  /** It was the same at the look before. */
  readonly isStill: boolean;
}

/** A screen that was never looked at counts as changed just now. */
export function watchedOn(last: Watched | undefined, look: Pick<Watched, 'frame' | 'height'>, at: number): Watched {
  const frame = withoutLayout(look.frame);
  const { height } = look;
  if (last?.frame === frame && last.height === height) return { ...last, isStill: true };
  const isResized = last !== undefined && last.height !== height;
  return { frame, height, changedAt: isResized ? last.changedAt : at, isStill: false };
}

/** Blanks, line ends and the lines of boxes come and go with the width. */
const withoutLayout = (frame: string): string => frame.replace(/[\s\u2500-\u257f]/gu, '');

export type Finding =
  | { readonly is: 'dialog'; readonly dialog: Dialog }
  | { readonly is: 'rests' }
  | { readonly is: 'stirs'; readonly detail: string; readonly isTurn?: true };

/** Only an empty prompt on a screen that has stood still is rest; what cannot be told is none. */
export function findingOf(
  reading: ScreenReading,
  still: { readonly isStill: boolean; readonly isQuiet: boolean },
): Finding {
  const { dialog, busy, draft } = reading;
  if (dialog !== undefined && still.isStill) return { is: 'dialog', dialog };
  if (busy !== undefined) return { is: 'stirs', detail: `it shows: ${short(busy)}`, isTurn: true };
  if (!still.isQuiet) return { is: 'stirs', detail: 'the screen changes' };
  if (draft === undefined) return { is: 'stirs', detail: 'the screen stands still and shows no prompt' };
  if (draft !== '') return { is: 'stirs', detail: `in the prompt stands: ${short(draft)}` };
  if (reading.ready !== true)
    return { is: 'stirs', detail: 'its prompt is in sight, and nothing yet that says it is ready' };
  return { is: 'rests' };
}

const short = (text: string): string => (text.length > 80 ? `${text.slice(0, 79)}…` : text);
