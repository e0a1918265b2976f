// Which label of a dialog means yes or no.
import type { Dialog, WaitingFor } from '../model/turn.ts';
import type { DialogDecision } from './agent.ts';

export type DecisionWords = Partial<Readonly<Record<WaitingFor, Partial<Readonly<Record<DialogDecision, RegExp>>>>>>;

/** Undefined where no label fits or several do: then crewmux chooses none. */
export function choiceIn(words: DecisionWords, dialog: Dialog, decision: DialogDecision): string | undefined {
  const pattern = words[dialog.waitingFor]?.[decision];
  const [label, ...others] = pattern === undefined ? [] : dialog.options.filter((option) => pattern.test(option));
  return others.length === 0 ? label : undefined;
}
