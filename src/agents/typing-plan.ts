// How a message is typed, so that it can be looked at before it is sent.
import type { Keystroke } from '../model/keystroke.ts';

/** A message as it is typed: a beginning, the rest once that is seen alone in the prompt box, and what sends it. */
export interface TypingPlan {
  /** The text as the agent will report it, for the proof of arrival. */
  readonly expect: string;
  readonly first: Piece;
  readonly rest: readonly Keystroke[];
  readonly whole: Whole;
  readonly submit: readonly Keystroke[];
}

/** What the prompt box shows once it was typed, and the keystrokes that take it back while the cursor is behind it. */
export interface Piece {
  readonly keystrokes: readonly Keystroke[];
  readonly shows: string;
  readonly undo: readonly Keystroke[];
}

export interface Whole {
  readonly shows: string;
  /** Undefined where it is too long, or shown as something else. */
  readonly undo: readonly Keystroke[] | undefined;
  /** False where the box can be read no further than its first row. */
  readonly isReadable: boolean;
}

export type DeliveryPlan = TypingPlan | { readonly refused: string; readonly hint: string };
