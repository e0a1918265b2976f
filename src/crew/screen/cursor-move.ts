// One step of the cursor through a dialog's choices: which key, and what the next look makes of it. Pure.
import type { ScreenReading } from '../../agents/agent.ts';
import type { Dialog } from '../../model/turn.ts';
import { isSameDialog } from './choice.ts';

export type ArrowKey = 'Up' | 'Down';

export const arrowTo = (from: number, to: number): ArrowKey => (to < from ? 'Up' : 'Down');

export interface Pressed {
  readonly from: number;
  readonly key: ArrowKey;
  /** How often the key was pressed since the cursor was last seen at `from`. */
  readonly times: number;
}

export type Moved =
  | { readonly is: 'at'; readonly selected: number }
  /** The key had no effect so far. */
  | { readonly is: 'still' }
  /** Nothing that could be read for sure: half a redraw, or no cursor in sight. */
  | { readonly is: 'unreadable' }
  | { readonly is: 'elsewhere'; readonly selected: number }
  | { readonly is: 'other-dialog'; readonly dialog: Dialog }
  | { readonly is: 'no-dialog' };

/** A key explains as many steps in its own direction as it was pressed; any other place is somebody else's doing. */
export function judgeMove(dialog: Dialog, { from, key, times }: Pressed, seen: ScreenReading): Moved {
  if (seen.dialog === undefined) return { is: 'no-dialog' };
  if (!isSameDialog(dialog, seen.dialog)) return { is: 'other-dialog', dialog: seen.dialog };
  const { selected } = seen.dialog;
  if (selected === undefined) return { is: 'unreadable' };
  const steps = key === 'Down' ? selected - from : from - selected;
  if (steps === 0) return { is: 'still' };
  return steps > 0 && steps <= times ? { is: 'at', selected } : { is: 'elsewhere', selected };
}
