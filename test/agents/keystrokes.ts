// A plan's keystrokes in the order in which they are typed.
import type { TypingPlan } from '../../src/agents/typing-plan.ts';
import type { Keystroke } from '../../src/model/keystroke.ts';

export const keystrokesOf = ({ first, rest, submit }: TypingPlan): readonly Keystroke[] => [
  ...first.keystrokes,
  ...rest,
  ...submit,
];

export const pastesOf = (keystrokes: readonly Keystroke[]): readonly string[] =>
  keystrokes.flatMap((one) => ('paste' in one ? [one.paste] : []));
