// Which label of an open dialog an answer means, or why none is chosen. Pure.
import type { Agent } from '../agents/agent.ts';
import { findChoice } from '../model/choice.ts';
import { CrewError } from '../model/errors.ts';
import type { Dialog } from '../model/turn.ts';

export type ScreenAnswer = { readonly option: string } | { readonly decision: 'allow' | 'deny' };

export interface Choosing {
  readonly agent: Pick<Agent, 'choiceFor'>;
  readonly attach: string;
  /** Why only a person may allow what is asked; then nothing but the label that denies may be chosen. */
  readonly personsReason: string | undefined;
}

/** Where the cursor has to go. Throws for what names no choice, or one that is a person's alone. */
export function chosenIn(dialog: Dialog, answer: ScreenAnswer, by: Choosing): number {
  const wanted = 'option' in answer ? answer.option : labelFor(dialog, answer.decision, by);
  const choice = findChoice(dialog.options, wanted);
  if (choice.found === 'none') {
    throw new CrewError(
      'invalid_argument',
      `The dialog "${dialog.title}" has no choice "${wanted}".${labelsOf(dialog)}`,
      'Nothing was pressed. Pass one of these labels as option.',
    );
  }
  if (choice.found === 'several') {
    throw new CrewError(
      'invalid_argument',
      `"${wanted}" fits several choices of "${dialog.title}": ${quoted(choice.labels)}.`,
      'Nothing was pressed. Pass the whole label as option.',
    );
  }
  const label = dialog.options[choice.found] ?? '';
  const isDenial = label === by.agent.choiceFor(dialog, 'deny');
  const person = forPersons(dialog, label) ?? (isDenial ? undefined : by.personsReason);
  if (person === undefined) return choice.found;
  throw new CrewError('needs_person', person, `Nothing was pressed. A person does it in the pane: ${by.attach}`);
}

function labelFor(dialog: Dialog, decision: 'allow' | 'deny', by: Pick<Choosing, 'agent'>): string {
  const label = by.agent.choiceFor(dialog, decision);
  if (label !== undefined) return label;
  throw new CrewError(
    'invalid_argument',
    `No single choice of "${dialog.title}" means ${decision}.${labelsOf(dialog)}`,
    'Nothing was pressed. Choose by the label: decision "choose" with option.',
  );
}

/** What only a person may choose: who is logged in, and what is installed on the machine. */
export function forPersons(dialog: Dialog, label: string): string | undefined {
  if (dialog.waitingFor === 'login') return `"${dialog.title}" is about a person's login.`;
  if (dialog.waitingFor === 'update' && !/\b(?:skip|later|not now|no)\b/i.test(label))
    return `"${label}" would install another version of the agent for everybody on this machine.`;
  return undefined;
}

const quoted = (labels: readonly string[]): string => labels.map((label) => `"${label}"`).join(', ');

const labelsOf = ({ options }: Dialog): string =>
  options.length === 0 ? ' It shows no choices that can be read.' : ` Its choices: ${quoted(options)}.`;
