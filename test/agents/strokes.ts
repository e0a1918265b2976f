// A plan's strokes in the order in which they are typed.
import type { TypingPlan } from '../../src/agents/typing-plan.ts';
import type { Stroke } from '../../src/model/stroke.ts';

export const strokesOf = ({ first, rest, submit }: TypingPlan): readonly Stroke[] => [
  ...first.strokes,
  ...rest,
  ...submit,
];

export const pastesOf = (strokes: readonly Stroke[]): readonly string[] =>
  strokes.flatMap((one) => ('paste' in one ? [one.paste] : []));
