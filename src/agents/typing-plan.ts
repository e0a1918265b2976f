// How a message is typed, so that it can be looked at before it is sent.
import type { Stroke } from '../model/stroke.ts';

/** A message as it is typed: a beginning, the rest once that is seen alone in the prompt box, and what sends it. */
export interface TypingPlan {
  /** The text as the agent will report it, for the proof of arrival. */
  readonly expect: string;
  readonly first: Piece;
  readonly rest: readonly Stroke[];
  readonly whole: Whole;
  readonly submit: readonly Stroke[];
}

/** What the prompt box shows once it was typed, and the strokes that take it back while the cursor is behind it. */
export interface Piece {
  readonly strokes: readonly Stroke[];
  readonly shows: string;
  readonly undo: readonly Stroke[];
}

export interface Whole {
  readonly shows: string;
  /** Undefined where it is too long, or shown as something else. */
  readonly undo: readonly Stroke[] | undefined;
  /** False where the box can be read no further than its first row. */
  readonly isReadable: boolean;
}

export type DeliveryPlan = TypingPlan | { readonly refused: string; readonly hint: string };
